package dev.takt.bench.programs;

import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

/** Reflexes 6.3, Figs 8 and 9: each release takes an event and writes the same event. */
@NoAlloc
public final class TakeWriteTask extends ReflexTask {
  /** Makes the task. */
  public TakeWriteTask() {}

  @Override
  public void execute() {
    Event book = take(new Event("type", "book"));
    if (book != null) {
      write(book);
    }
  }
}
