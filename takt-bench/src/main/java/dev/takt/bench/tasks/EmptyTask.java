package dev.takt.bench.tasks;

import dev.takt.bench.Ticks;
import dev.takt.reflex.ReflexTask;

/** Table 1, Empty: increments a counter. */
final class EmptyTask extends ReflexTask {
  private final Ticks ticks;
  private long iteration;

  EmptyTask(Ticks ticks) {
    this.ticks = ticks;
  }

  @Override
  public void execute() {
    iteration++;
    ticks.tick(iteration);
  }
}
