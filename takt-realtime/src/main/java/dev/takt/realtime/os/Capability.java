package dev.takt.realtime.os;

/** A part of the superuser's rights that matters here. */
public enum Capability {
  /** Lock any amount of memory. */
  IPC_LOCK(14),
  /** Have any scheduling. */
  SYS_NICE(23),
  /** Go beyond limits. */
  SYS_RESOURCE(24);

  private final int number;

  Capability(int number) {
    this.number = number;
  }

  /** Returns the number that Linux has for it. */
  public int number() {
    return number;
  }
}
