package dev.takt.cli.doctor;

/** What a probe thinks of what it found. */
enum Verdict {
  /** It is as it should be, or a mere fact. */
  GOOD("OK"),
  /** It makes tasks later, or late more often. */
  BAD("WARN"),
  /** Unknown. */
  UNKNOWN("?");

  private final String label;

  Verdict(String label) {
    this.label = label;
  }

  /** The word at the beginning of the line. */
  String label() {
    return label;
  }
}
