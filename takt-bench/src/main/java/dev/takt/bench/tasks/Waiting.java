package dev.takt.bench.tasks;

import dev.takt.bench.TaskMeter;
import dev.takt.reflex.TaskControl;
import java.util.List;

/** Waits for a measurement, as long as there is time, and says what is wrong when a task fails. */
final class Waiting {
  private static final long LOOK_MS = 100;

  private Waiting() {}

  /** Waits until everything is measured, a task has failed, or the time is over. */
  static void await(TaskMeter meter, List<TaskControl> tasks, long limitMs)
      throws InterruptedException {
    for (long waitedMs = 0; !meter.await(LOOK_MS); waitedMs += LOOK_MS) {
      for (TaskControl task : tasks) {
        if (task.failure() != null) {
          throw new IllegalStateException(task.name() + " failed; " + task.stats(), task.failure());
        }
      }
      if (waitedMs >= limitMs) {
        return; // on an overloaded machine: what there is will do
      }
    }
  }
}
