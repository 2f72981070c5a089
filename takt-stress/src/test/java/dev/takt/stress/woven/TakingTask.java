package dev.takt.stress.woven;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;

/** Answers one event with its number a release. */
public final class TakingTask extends ReflexTask {
  private final long number;
  private Handle handle;

  /** Makes a task for the events with a number. */
  public TakingTask(long number) {
    this.number = number;
  }

  @Override
  public void initialize() {
    handle = subscribe(new Event("task", number));
  }

  @Override
  public void execute() {
    if (handle.next(event())) {
      write(new Event("taken", number));
    }
  }
}
