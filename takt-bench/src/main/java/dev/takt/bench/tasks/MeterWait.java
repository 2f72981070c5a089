package dev.takt.bench.tasks;

import dev.takt.bench.measure.ReleaseMeter;
import dev.takt.reflex.TaskControl;
import java.util.List;

/** Waits for a measurement until a time limit; the failure of a task ends it with an exception. */
final class MeterWait {
  private static final long LOOK_MS = 1;

  private MeterWait() {}

  /** Waits until everything is measured, a task has failed, or the time is over. */
  static void await(List<ReleaseMeter> meters, List<TaskControl> tasks, long limitMs)
      throws InterruptedException {
    // All meters at once: one that is looked at late counts what was allocated at the start.
    for (long waitedMs = 0; !look(meters) && waitedMs < limitMs; waitedMs += LOOK_MS) {
      for (TaskControl task : tasks) {
        if (task.failure() != null) {
          throw new IllegalStateException(task.name() + " failed; " + task.stats(), task.failure());
        }
      }
      Thread.sleep(LOOK_MS);
    }
    meters.forEach(ReleaseMeter::finish); // if there was no time for all, what there is will do
  }

  private static boolean look(List<ReleaseMeter> meters) {
    boolean done = true;
    for (ReleaseMeter meter : meters) {
      done &= meter.look();
    }
    return done;
  }
}
