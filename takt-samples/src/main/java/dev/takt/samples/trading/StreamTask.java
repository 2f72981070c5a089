package dev.takt.samples.trading;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.NotUndone;
import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;

/**
 * Takes the events of one type in the order in which they were written, counts them by kind, and at
 * the end of a pass writes what it has found. It keeps that until the next pass begins: a program
 * that was ended in between is told of the end again, and answers again.
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

  /** How many events of the stream were taken in the pass. */
  private long read;

  /** The last pass whose end was taken; 0: none. */
  private int ended;

  /** Whether nothing was taken since then: counts are those of that pass. */
  private boolean over;

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
      if (kind == Keys.END || kind == Keys.BREAK) {
        end((int) taken.getLong(Keys.PASS), kind == Keys.END);
      } else {
        if (over) {
          beginPass();
        }
        read++;
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

  /** Adds this task's own figures of the pass to its result. */
  void addFigures(Event into) {}

  /** Forgets this task's own figures: another pass begins. */
  void forget() {}

  private int presentPass() {
    return over ? ended : ended + 1;
  }

  /** Returns the pass that the figures are of. */
  @Atomic
  int pass() {
    return presentPass();
  }

  /** Returns how many events of the stream were taken in a pass, the present or the next one. */
  @Atomic
  long read(int pass) {
    return pass == presentPass() ? read : 0;
  }

  private void end(int pass, boolean isWhole) {
    if (over && pass != ended) {
      beginPass(); // and had nothing in it
    }
    writeResult(pass);
    if (isWhole) { // else it goes on when the program starts again
      ended = pass;
      over = true;
    }
  }

  private void beginPass() {
    over = false;
    read = 0;
    for (int kind = 0; kind < counts.length; kind++) {
      counts[kind] = 0;
    }
    forget();
  }

  private void writeResult(int pass) {
    Event result = event();
    for (int kind = 0; kind < counts.length; kind++) {
      if (counts[kind] > 0) {
        result.clear();
        result.add(Keys.TYPE, Keys.COUNT).add(Keys.TASK, name).add(Keys.PASS, pass);
        write(result.add(Keys.KIND, kind).add(Keys.COUNT, counts[kind]));
      }
    }
    result.clear();
    result.add(Keys.TYPE, Keys.DONE).add(Keys.TASK, name).add(Keys.PASS, pass);
    addFigures(result);
    write(result);
  }
}
