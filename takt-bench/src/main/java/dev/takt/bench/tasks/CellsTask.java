package dev.takt.bench.tasks;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.stable.StableList;
import dev.takt.space.Stable;

/** A task with places that atomic calls change: half of them are fields, half of them elements. */
final class CellsTask extends ReflexTask {
  private static final class Cell implements Stable {
    private long value;
  }

  private final StableList<Cell> cells;
  private final long[] elements;

  CellsTask(int fields, int elements) {
    super(DEFAULT_SIZE_BYTES, DEFAULT_SIZE_BYTES + 100 * (fields + elements));
    cells = new StableList<>(fields);
    this.elements = new long[elements];
    for (int i = 0; i < fields; i++) {
      cells.add(new Cell());
    }
  }

  @Override
  public void execute() {
    // all that is measured is the beginning of a release
  }

  /** Sets some pairs of places, each of which must have another value. */
  @Atomic
  void set(int from, int to, long before, long value) {
    for (int i = from; i < to; i++) {
      Cell cell = cells.get(i);
      if (cell.value != before || i < elements.length && elements[i] != before) {
        throw new IllegalStateException("pair " + i + " is not " + before);
      }
      cell.value = value;
      if (i < elements.length) {
        elements[i] = value;
      }
    }
  }
}
