package dev.takt.bench.tasks;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import java.util.concurrent.atomic.AtomicBoolean;

/** A release begins at an event, which it leaves there, and goes on until it may end. */
final class SupervisedTask extends ReflexTask {
  private final AtomicBoolean mayEnd;

  SupervisedTask(AtomicBoolean mayEnd) {
    this.mayEnd = mayEnd;
  }

  @Override
  public void initialize() {
    subscribe(new Event(SupervisionRun.KEY, null));
  }

  @Override
  public void execute() {
    while (!mayEnd.get()) {
      Thread.onSpinWait();
    }
  }
}
