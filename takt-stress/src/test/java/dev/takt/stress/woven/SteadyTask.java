package dev.takt.stress.woven;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

/** Keeps to its budget, and writes an event in each release. */
public final class SteadyTask extends ReflexTask {
  private long number;

  @Override
  public void execute() {
    write(new Event("steady", number++));
  }
}
