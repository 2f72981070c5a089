package dev.takt.bench.tasks;

import dev.takt.bench.Meter;
import dev.takt.reflex.ReflexTask;

/** Table 1, Empty: increments a counter. */
final class EmptyTask extends ReflexTask {
  private final transient Meter meter;
  private long iteration;

  EmptyTask(Meter meter) {
    this.meter = meter;
  }

  @Override
  public void execute() {
    iteration++;
    meter.tick(iteration);
  }
}
