package dev.takt.samples.trading;

import dev.takt.reflex.NotUndone;
import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;

/**
 * Takes the events of one type in the order in which they were written, counts them by kind, and at
 * the end of a pass writes what it has found.
 *
 * <p>A release takes at most {@link #MAX_EVENTS}; if there are more, the runtime releases the task
 * again. When a release is undone, the runtime puts the fields back as well as the events, so
 * nothing is counted twice.
 */
abstract class StreamTask extends ReflexTask {
  /** How many events of its stream a release takes at most. */
  static final int MAX_EVENTS = 64;

  private final String name;
  private final String type;
  private final long[] counts;
  @NotUndone private final ReleaseNotes notes;
  private Handle handle;

  /**
   * Makes a task.
   *
   * @param type the type of the events to take
   * @param kinds how many kinds there are
   */
  StreamTask(String type, int kinds, ReleaseNotes notes) {
    this.name = notes.name;
    this.type = type;
    this.counts = new long[kinds];
    this.notes = notes;
  }

  @Override
  public void initialize() {
    handle = subscribe(new Event(Keys.TYPE, type));
  }

  @Override
  public final void execute() {
    notes.begin();
    Event taken = event();
    for (int i = 0; i < MAX_EVENTS && handle.next(taken); i++) {
      long kind = taken.getLong(Keys.KIND);
      if (kind == Keys.END) {
        writeResult(taken.getLong(Keys.PASS));
      } else {
        notes.take(taken.getLong(Keys.WRITTEN));
        if (kind != Keys.DERIVED) {
          counts[(int) kind]++;
        }
        onEvent(taken);
      }
    }
    onEnd();
  }

  /** An event of the stream. */
  abstract void onEvent(Event event);

  /** The release has taken all that it takes from the stream. */
  void onEnd() {}

  /** Adds this task's own figures of the pass to its result, and forgets them. */
  void addFigures(Event into) {}

  private void writeResult(long pass) {
    Event result = event();
    for (int kind = 0; kind < counts.length; kind++) {
      if (counts[kind] > 0) {
        result.clear();
        result.add(Keys.TYPE, Keys.COUNT).add(Keys.TASK, name).add(Keys.PASS, pass);
        write(result.add(Keys.KIND, kind).add(Keys.COUNT, counts[kind]));
        counts[kind] = 0;
      }
    }
    result.clear();
    result.add(Keys.TYPE, Keys.DONE).add(Keys.TASK, name).add(Keys.PASS, pass);
    addFigures(result);
    write(result);
  }
}
