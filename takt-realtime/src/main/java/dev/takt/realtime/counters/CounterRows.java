package dev.takt.realtime.counters;

import java.nio.LongBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one moment: rows that sources fill, one after the other. This is the record that
 * both the file and the MBeans are made of.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 *
 * <p><b>Memory:</b> about 400 bytes for each row that was ever in use; nothing is allocated when
 * rows are filled again. Beyond the most rows they are only counted.
 */
public final class CounterRows {
  /** The value of a figure that is not known. */
  public static final long UNKNOWN = Long.MIN_VALUE;

  private static final int TEXTS = RowText.values().length;
  private static final int FIRST_ROWS = 16;

  private final int maxRows;
  private RowKind[] kinds = new RowKind[FIRST_ROWS];
  private String[] texts = new String[FIRST_ROWS * TEXTS];
  private long[] numbers = new long[FIRST_ROWS * RowKind.MAX_FIGURES];
  private @Nullable Object[] subjects = new @Nullable Object[FIRST_ROWS];

  /** Rows by the identity of their subjects; each entry is a row plus 1. At most half full. */
  private int[] table = new int[4 * FIRST_ROWS];

  private int size;
  private int more;

  /** The row that is filled; -1: one that has no place. */
  private int current = -1;

  CounterRows(int maxRows) {
    this.maxRows = maxRows;
  }

  /** Removes all rows. */
  void clear() {
    Arrays.fill(table, 0);
    size = 0;
    more = 0;
    current = -1;
  }

  /** Forgets what the rows are about, which they would otherwise keep alive. */
  void forgetSubjects() {
    Arrays.fill(subjects, 0, size, null);
  }

  /**
   * Begins a row, which {@link #set} then fills. Nothing in it is known yet.
   *
   * @param owner what {@link CounterSource#copyTo} was given
   */
  public CounterRows add(RowKind kind, String owner, String name) {
    return add(kind, owner, name, null);
  }

  /**
   * Begins the row of something that other sources may have, too: goes on with the row that it has,
   * if it has one.
   *
   * @param subject the object that is known to all of them; null: it is found by its name
   */
  public CounterRows addShared(RowKind kind, String owner, String name, @Nullable Object subject) {
    current = subject == null ? byName(kind, name) : bySubject(subject);
    return current >= 0 ? this : add(kind, owner, name, subject);
  }

  private CounterRows add(RowKind kind, String owner, String name, @Nullable Object subject) {
    if (size == maxRows) {
      more++;
      current = -1;
      return this;
    }
    if (size == kinds.length) {
      grow();
    }
    current = size++;
    kinds[current] = kind;
    Arrays.fill(texts, current * TEXTS, (current + 1) * TEXTS, "");
    int from = current * RowKind.MAX_FIGURES;
    Arrays.fill(numbers, from, from + RowKind.MAX_FIGURES, UNKNOWN);
    subjects[current] = subject;
    if (subject != null) {
      enter(subject, current);
    }
    return set(RowText.NAME, name).set(RowText.OWNER, owner);
  }

  private void grow() {
    int rows = Math.min(maxRows, 2 * kinds.length);
    kinds = Arrays.copyOf(kinds, rows);
    texts = Arrays.copyOf(texts, rows * TEXTS);
    numbers = Arrays.copyOf(numbers, rows * RowKind.MAX_FIGURES);
    subjects = Arrays.copyOf(subjects, rows);
    table = new int[4 * Integer.highestOneBit(rows)];
    for (int i = 0; i < size; i++) {
      Object subject = subjects[i];
      if (subject != null) {
        enter(subject, i);
      }
    }
  }

  private void enter(Object subject, int row) {
    int i = System.identityHashCode(subject);
    while (table[i & table.length - 1] != 0) {
      i++;
    }
    table[i & table.length - 1] = row + 1;
  }

  private int bySubject(Object subject) {
    int i = System.identityHashCode(subject);
    while (true) {
      int row = table[i++ & table.length - 1] - 1;
      if (row < 0 || subjects[row] == subject) {
        return row;
      }
    }
  }

  private int byName(RowKind kind, String name) {
    for (int row = 0; row < size; row++) {
      if (kinds[row] == kind && texts[row * TEXTS + RowText.NAME.ordinal()].equals(name)) {
        return row;
      }
    }
    return -1;
  }

  /**
   * Sets a figure of the row that was begun last.
   *
   * @throws IllegalArgumentException if rows of its kind have no such figure
   */
  public CounterRows set(Figure figure, long value) {
    if (current >= 0) {
      numbers[place(current, figure)] = value;
    }
    return this;
  }

  /** Sets a figure unless it has a larger value already. */
  public CounterRows raise(Figure figure, long value) {
    return current >= 0 && numbers[place(current, figure)] >= value ? this : set(figure, value);
  }

  /** Sets a figure unless its value is known already. */
  public CounterRows complete(Figure figure, long value) {
    return current >= 0 && numbers[place(current, figure)] != UNKNOWN ? this : set(figure, value);
  }

  /** Sets a text of the row that was begun last. */
  public CounterRows set(RowText text, String value) {
    if (current >= 0) {
      texts[current * TEXTS + text.ordinal()] = value;
    }
    return this;
  }

  /** Sets a text unless there is one already. */
  public CounterRows complete(RowText text, String value) {
    return current >= 0 && !text(current, text).isEmpty() ? this : set(text, value);
  }

  private int place(int row, Figure figure) {
    int place = kinds[row].place(figure);
    if (place < 0) {
      throw new IllegalArgumentException(
          "%s has no %s (expected: one of %s)".formatted(kinds[row], figure, kinds[row].figures()));
    }
    return row * RowKind.MAX_FIGURES + place;
  }

  int size() {
    return size;
  }

  /** Returns how many rows had no place. */
  int more() {
    return more;
  }

  RowKind kind(int row) {
    return kinds[row];
  }

  String text(int row, RowText text) {
    return texts[row * TEXTS + text.ordinal()];
  }

  long number(int row, Figure figure) {
    return numbers[place(row, figure)];
  }

  /** Copies the numbers of a row, those that are not known, too. */
  void copyNumbers(int row, LongBuffer to, int at) {
    to.put(at, numbers, row * RowKind.MAX_FIGURES, RowKind.MAX_FIGURES);
  }
}
