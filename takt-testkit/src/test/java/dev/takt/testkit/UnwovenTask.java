package dev.takt.testkit;

import dev.takt.reflex.ReflexTask;

/** A task that the build does not weave. */
final class UnwovenTask extends ReflexTask {
  @Override
  public void execute() {}
}
