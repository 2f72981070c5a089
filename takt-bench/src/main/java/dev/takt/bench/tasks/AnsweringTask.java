package dev.takt.bench.tasks;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;

/** Answers each event with how many it has answered, in this program and those before. */
public final class AnsweringTask extends ReflexTask {
  private Handle handle;
  private long answered;

  /** Makes it. */
  public AnsweringTask() {}

  @Override
  public void initialize() {
    handle = subscribe(new Event("ask", null));
  }

  @Override
  public void execute() {
    Event ask = event();
    if (handle.next(ask)) {
      answered++;
      write(new Event("answer", answered));
    }
  }
}
