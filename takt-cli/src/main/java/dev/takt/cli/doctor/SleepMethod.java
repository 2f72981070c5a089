package dev.takt.cli.doctor;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Scheduling;
import dev.takt.realtime.os.Sleeper;

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

  Sleeper newSleeper(OperatingSystem system) {
    NanoClock parking = System::nanoTime; // a lambda's sleepers park
    return this == PARK ? parking.newSleeper() : system.newSleeper();
  }

  /**
   * Asks for the scheduling of this way, for the calling thread.
   *
   * @param fifoPriority the priority that {@link #FIFO} gets here
   */
  void schedule(OperatingSystem system, int fifoPriority) {
    if (this == FIFO) {
      system.schedule(Scheduling.fifo(fifoPriority));
    }
  }
}
