package dev.takt.cli.doctor;

/** The ways in which Takt lets a thread sleep. */
enum SleepMethod {
  /** {@code LockSupport.parkNanos}, as on any system. */
  PARK("park", "parkNanos"),
  /** The operating system's own sleeper. */
  SLEEPER("sleeper", "the system's sleeper"),
  /** The same with a real-time policy. */
  FIFO("fifo", "the system's sleeper, FIFO");

  private final String word;
  private final String label;

  SleepMethod(String word, String label) {
    this.word = word;
    this.label = label;
  }

  /** For names of results. */
  String word() {
    return word;
  }

  /** For people. */
  String label() {
    return label;
  }
}
