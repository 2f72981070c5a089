package dev.takt.cli.doctor;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Sleeper;
import dev.takt.realtime.os.ThreadScheduling;

/**
 * What is measured: one way to sleep, as this system grants it.
 *
 * @param system the services
 * @param way how threads sleep and are scheduled
 * @param fifoPriority the priority that {@link SleepMethod#FIFO} gets here; 0: that way is not to
 *     be had
 */
record GrantedSleep(OperatingSystem system, SleepMethod way, int fifoPriority) {
  Sleeper newSleeper() {
    NanoClock parking = System::nanoTime; // a lambda's sleepers park
    return way == SleepMethod.PARK ? parking.newSleeper() : system.newSleeper();
  }

  /** Gives the calling thread the scheduling of this way. */
  void schedule() {
    if (way == SleepMethod.FIFO) {
      system.schedule(ThreadScheduling.fifo(fifoPriority));
    }
  }
}
