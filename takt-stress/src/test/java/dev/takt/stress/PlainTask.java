package dev.takt.stress;

import dev.takt.reflex.ReflexTask;

/** A task that nobody weaves. */
public final class PlainTask extends ReflexTask {
  @Override
  public void execute() {}
}
