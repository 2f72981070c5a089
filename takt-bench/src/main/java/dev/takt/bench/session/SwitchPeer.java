package dev.takt.bench.session;

/** What suspends and resumes. */
public enum SwitchPeer {
  /** Two continuations of javaflow, resumed in turn by one thread. */
  JAVAFLOW("-javaflow", 0),
  /** Sessions on virtual threads, all on one carrier. */
  DEFAULT("", 300),
  /** Sessions on raw continuations, stepped by one thread. */
  RAW("-raw", 120);

  private final String suffix;
  private final int limitNs;

  SwitchPeer(String suffix, int limitNs) {
    this.suffix = suffix;
    this.limitNs = limitNs;
  }

  /** Returns the end of the name of its result. */
  public String suffix() {
    return suffix;
  }

  /** Returns how long it may take, in nanoseconds; 0: a peer. */
  int limitNs() {
    return limitNs;
  }
}
