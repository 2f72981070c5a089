package dev.takt.persist;

import dev.takt.kept.Grower;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.reflex.TaskRecovery;
import dev.takt.space.EventSpace;
import java.util.concurrent.atomic.AtomicLong;

/** A runtime with one task that grows, and its model. */
final class GrowerRuntime implements AutoCloseable {
  static final String NAME = "grower";

  final AtomicLong limit = new AtomicLong();
  final Grower task;
  final Grower model;
  final TaskControl control;
  final ReflexRuntime runtime;

  GrowerRuntime(long seed) {
    this(seed, TaskRecovery.NONE);
  }

  GrowerRuntime(long seed, TaskRecovery recovery) {
    task = new Grower(seed, limit);
    model = new Grower(seed, limit);
    runtime =
        ReflexRuntime.create(
            EventSpace.create(),
            RuntimeSettings.DEFAULTS.withWarmUpNs(0).withWorkers(1).withRecovery(recovery));
    control = runtime.active(NAME, task, Schedule.continuous());
  }

  GrowerRuntime start() {
    runtime.start();
    return this;
  }

  /** Lets the task do some steps, and waits until releases have done them all. */
  void advance(int steps) {
    long target = limit.addAndGet(steps);
    while (control.commits() == 0 || !isQuiet()) {
      Thread.onSpinWait();
    }
    while (model.step() < target) {
      model.change();
    }
  }

  /** Releases that have nothing to do commit, too: two of them in a row have seen the limit. */
  private boolean isQuiet() {
    long seen = control.commits();
    long attempts = task.attempts();
    while (control.commits() < seen + 3) {
      Thread.onSpinWait();
    }
    return task.attempts() == attempts;
  }

  /** Returns how what a recovery gives back differs from the model, or null. */
  String difference(Recovery recovery) {
    Grower recovered = new Grower(model.seed(), limit);
    return recovery.recover(NAME, recovered)
        ? Pictures.difference(recovered, model)
        : "nothing is stored";
  }

  @Override
  public void close() {
    runtime.close();
  }
}
