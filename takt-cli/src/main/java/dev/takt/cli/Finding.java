package dev.takt.cli;

/**
 * What one probe of the doctor found.
 *
 * @param probe what was looked at
 * @param found what is there
 * @param remedy what to do about it; empty if it is good as it is
 */
record Finding(String probe, String found, String remedy) {
  static Finding ok(String probe, String found) {
    return new Finding(probe, found, "");
  }

  static Finding warn(String probe, String found, String remedy) {
    return new Finding(probe, found, remedy);
  }

  /** {@code ok} if the condition holds, otherwise {@code warn}. */
  static Finding of(boolean good, String probe, String found, String remedy) {
    return new Finding(probe, found, good ? "" : remedy);
  }

  boolean isGood() {
    return remedy.isEmpty();
  }
}
