package dev.takt.reflex;

/** The settings of most tests. */
final class Settings {
  /** Without warm-up, so that a test counts only its own releases. */
  static final RuntimeSettings FOR_TESTS = RuntimeSettings.DEFAULTS.withWarmUpNs(0);

  private Settings() {}
}
