package dev.takt.bench.session;

/** What suspends and resumes. */
public enum SwitchPeer {
  /** Sessions on virtual threads, all on one carrier. */
  DEFAULT(""),
  /** Sessions on raw continuations, stepped by one thread. */
  RAW("-raw");

  private final String suffix;

  SwitchPeer(String suffix) {
    this.suffix = suffix;
  }

  /** Returns the end of the name of its result. */
  public String suffix() {
    return suffix;
  }
}
