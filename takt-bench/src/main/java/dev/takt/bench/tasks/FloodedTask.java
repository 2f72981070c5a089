package dev.takt.bench.tasks;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;

/** A passive task that takes what there is, some events a release, and adds them up. */
final class FloodedTask extends ReflexTask {
  static final String KEY = "flood";

  /** So many events a release: a few microseconds. */
  private static final int BATCH = 16;

  private Handle events;
  private long sum;

  @Override
  public void initialize() {
    events = subscribe(new Event(KEY, null));
  }

  @Override
  public void execute() {
    Event event = event();
    for (int i = 0; i < BATCH && events.next(event); i++) {
      sum += event.getLong(KEY);
    }
  }
}
