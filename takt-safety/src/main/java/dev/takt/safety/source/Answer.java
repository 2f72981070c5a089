package dev.takt.safety.source;

/** What source can say to a question. */
enum Answer {
  YES,
  NO,
  /** The bytecode verifier will know. */
  UNKNOWN;

  static Answer of(boolean yes) {
    return yes ? YES : NO;
  }

  /** Returns the worse of two: no, then unknown, then yes. */
  Answer and(Answer other) {
    if (this == NO || other == NO) {
      return NO;
    }
    return this == UNKNOWN || other == UNKNOWN ? UNKNOWN : YES;
  }
}
