package dev.takt.kept;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

/** A task with a large array, of which a release changes as much as an event says. */
public final class Bulk extends ReflexTask {
  private final long[] values;
  private long changes;

  /** Makes it with zeros. */
  public Bulk(int length) {
    super(1 << 12, 1 << 24);
    values = new long[length];
  }

  @Override
  public void initialize() {
    subscribe(new Event("change", null));
  }

  @Override
  public void execute() {
    Event change = take(new Event("change", null));
    if (change != null) {
      changes = changes + 1;
      int count = (int) change.getLong("change");
      for (int i = 0; i < count; i++) {
        values[i] = changes + i;
      }
    }
  }

  /** Returns how many releases have changed something. */
  public long changes() {
    return changes;
  }

  /** Returns an element. */
  public long value(int index) {
    return values[index];
  }
}
