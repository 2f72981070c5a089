package dev.takt.stress.woven;

import dev.takt.reflex.ReflexTask;

/** Cannot be initialized. */
public final class FailingTask extends ReflexTask {
  @Override
  public void initialize() {
    throw new IllegalStateException("not today");
  }

  @Override
  public void execute() {}
}
