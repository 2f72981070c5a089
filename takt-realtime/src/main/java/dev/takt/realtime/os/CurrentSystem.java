package dev.takt.realtime.os;

/** Finds out once, and only when asked, what there is here. */
final class CurrentSystem {
  static final OperatingSystem INSTANCE = LinuxSystem.orPortable();

  private CurrentSystem() {}
}
