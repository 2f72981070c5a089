package dev.takt.bench.tasks;

import dev.takt.bench.measure.Ticks;
import dev.takt.reflex.NotUndone;
import dev.takt.reflex.ReflexTask;

/** Table 1, Empty: increments a counter. */
final class MeteredEmptyTask extends ReflexTask {
  @NotUndone private final Ticks ticks;
  private long iteration;

  MeteredEmptyTask(Ticks ticks) {
    this.ticks = ticks;
  }

  @Override
  public void execute() {
    iteration++;
    ticks.tick(iteration);
  }
}
