package dev.takt.bench.tasks;

import dev.takt.reflex.ReflexTask;

/** A periodic task that computes for some ten microseconds. */
final class ControlTask extends ReflexTask {
  private static final int STEPS = 10_000;

  private double state = 1;

  @Override
  public void execute() {
    double value = state;
    for (int i = 0; i < STEPS; i++) {
      value = value * 0.999 + 0.001;
    }
    state = value;
  }
}
