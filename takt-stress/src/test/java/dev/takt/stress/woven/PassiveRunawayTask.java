package dev.takt.stress.woven;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;

/** Takes one event a release; with a negative number it writes an event and does not end. */
public final class PassiveRunawayTask extends ReflexTask {
  private Handle handle;
  private long releases;

  @Override
  public void initialize() {
    handle = subscribe(new Event("go", null));
  }

  @Override
  public void execute() {
    Event event = event();
    if (handle.next(event)) {
      write(new Event("went", releases++));
      while (event.getLong("go") < 0) {
        releases = (releases + 1) & Long.MAX_VALUE;
      }
    }
  }
}
