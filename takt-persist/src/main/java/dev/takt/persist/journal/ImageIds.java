package dev.takt.persist.journal;

import dev.takt.persist.cycle.ObjectTable;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The ids of one task's stable objects and arrays, and which of these nothing leads to any more:
 * the section about forgetting of the package description has the protocol.
 *
 * <pre>
 *   object       place in a table     id, mark
 *                                     mark: 2 * search      a unit refers to it since the cut
 *                                           2 * search + 1  so does all that it refers to
 * </pre>
 *
 * <p><b>Thread rule:</b> the thread that runs the task; {@link #keptId}, {@link #find}, {@link
 * #found}, {@link #beginSearch}, {@link #endSearch}, {@link #forgettings()}, {@link #hold}, {@link
 * #release} and {@link #tables} that of a cycle.
 *
 * <p><b>Memory:</b> 28 to 44 bytes for each object that has an id; for a while twice as much, when
 * more than half of them are forgotten: while the others go to a new table, objects get ids that
 * are half as many as there were, at most, and more only while a full cycle goes on.
 */
final class ImageIds {
  /** The largest id: what a file can have. */
  static final int MAX_ID = Integer.MAX_VALUE - 16;

  private static final int PART_BITS = 9;
  private static final int PART = 1 << PART_BITS;

  /** A table with fewer objects stays as it is. */
  private static final int LEAST = 256;

  /** How many objects are looked at in the time of one commit, at most. */
  private static final int AT_ONCE = 64;

  /** How many more go to a new table for each id that is given: so that grows no longer than so. */
  private static final int FOR_EACH_GIVEN = 2;

  /** Objects by their places; parts are never copied, so what a cycle marks is not lost. */
  static final class Table {
    private final ObjectTable objects = new ObjectTable();
    private volatile int[][] ids = new int[1][];
    private volatile int[][] marks = new int[1][];

    /** How many places there were at the last commit. */
    private volatile int kept;

    /** What is in it and has a lower mark is forgotten. */
    private final int threshold;

    Table(int threshold) {
      this.threshold = threshold;
    }

    Object object(int place) {
      return objects.get(place);
    }

    /** Returns the id of what is in a place; 0: it has none. */
    int id(int place) {
      return value(ids, place);
    }

    private int mark(int place) {
      return value(marks, place);
    }

    private static int value(int[][] parts, int place) {
      int part = place >> PART_BITS;
      int[] values = part < parts.length ? parts[part] : null;
      return values == null ? 0 : values[place & PART - 1];
    }

    private void mark(int place, int mark) {
      marks[place >> PART_BITS][place & PART - 1] = mark;
    }

    private void put(int place, int id, int mark) {
      int part = place >> PART_BITS;
      if (part >= ids.length) {
        marks = Arrays.copyOf(marks, Math.max(part + 1, 2 * marks.length));
        ids = Arrays.copyOf(ids, marks.length);
      }
      if (ids[part] == null) {
        int[][] moreMarks = marks;
        int[][] moreIds = ids;
        moreMarks[part] = new int[PART];
        marks = moreMarks; // a cycle that sees the id finds the mark
        moreIds[part] = new int[PART];
        ids = moreIds;
      }
      mark(place, mark);
      ids[part][place & PART - 1] = id;
    }

    private int find(Object object) {
      int place = objects.number(object);
      return place >= 0 && id(place) != 0 ? place : -1;
    }
  }

  /**
   * The tables of a moment.
   *
   * @param table gets what is new
   * @param older is left step by step, what is forgotten stays behind; null: there is none
   */
  record Tables(Table table, @Nullable Table older) {
    /** Returns the older table's place of an object that is not forgotten, or -1. */
    private int findOlder(Object object) {
      Table from = older;
      int place = from == null ? -1 : from.find(object);
      return place >= 0 && from != null && from.mark(place) >= table.threshold ? place : -1;
    }
  }

  private volatile Tables tables = new Tables(new Table(0), null);
  private int nextId = 1;

  /** {@link #nextId} at the last commit. */
  private volatile int keptId = 1;

  /** The places of what got an id in this unit, in their order. */
  private int[] given = new int[16];

  private int givenCount;

  // ---- what is forgotten

  /** How many searches have begun, each before its cut. */
  private volatile int search;

  /** The last one that is complete, and how many objects it has found. */
  private volatile int searched;

  private int foundCount;

  /** Twice how often objects were forgotten; odd: an incremental cycle goes on, and none are. */
  private final AtomicInteger forgettings = new AtomicInteger();

  /**
   * The search after which objects are to be forgotten, which a cycle has held up: the next one is
   * full; -1: there is none.
   */
  private volatile int due = -1;

  /** The one that the task's thread knows of, and how many objects came after its cut. */
  private int known;

  private int since;
  private boolean isWeighed;

  /** The places of what units refer to since the cut, and which of them are traced. */
  private int[] linked = new int[16];

  private int linkedCount;
  private int traced;

  /** How far the older table is left. */
  private int left;

  /** How many objects are looked at in this unit, at most. */
  private int budget;

  // ---- of the cycle, too

  int keptId() {
    return keptId;
  }

  Tables tables() {
    return tables;
  }

  /** Returns how many places the tables of a moment have together: first those of the older one. */
  static int places(Tables of) {
    return of.table.kept + (of.older == null ? 0 : of.older.kept);
  }

  /** Returns the object in a place of them. */
  static Object object(Tables of, int place) {
    int first = of.older == null ? 0 : of.older.kept;
    return of.older == null || place >= first
        ? of.table.object(place - first)
        : of.older.object(place);
  }

  /** Returns the id of the object in a place of them; 0: it has none, or is forgotten. */
  static int id(Tables of, int place) {
    int first = of.older == null ? 0 : of.older.kept;
    if (of.older == null || place >= first) {
      return of.table.id(place - first);
    }
    return of.older.mark(place) < of.table.threshold ? 0 : of.older.id(place);
  }

  /** Returns the id of an object that a commit has kept, or 0. */
  int find(Object object) {
    int limit = keptId; // before the id, which may be given again when a commit is undone
    int id = id(object);
    return id < limit ? id : 0;
  }

  /** Does so, and notes that the search, which is that of a full cycle, has found it. */
  int found(Object object) {
    int id = find(object);
    if (id > 0) {
      Tables present = tables;
      int older = present.findOlder(object);
      int place = present.table.find(object);
      if (place >= 0) {
        present.table.mark(place, 2 * search + 1);
      } else if (present.older != null && older >= 0) {
        present.older.mark(older, 2 * search + 1);
      }
      foundCount++;
    }
    return id;
  }

  /** A search begins, before its cut. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread at a time
  void beginSearch() {
    release(); // what an incremental cycle that failed holds
    foundCount = 0;
    search = Math.min(search + 1, Integer.MAX_VALUE / 2 - 1);
  }

  /** The search has found all. */
  void endSearch() {
    searched = search;
  }

  int forgettings() {
    return forgettings.get() & ~1;
  }

  /**
   * Has nothing be forgotten; returns false if something was since there were so many forgettings,
   * or is to be: otherwise cycles that follow one another would have it wait without end.
   */
  boolean hold(int since) {
    return due != search && forgettings.compareAndSet(since, since + 1);
  }

  /** What nothing leads to may be forgotten again. */
  void release() {
    int now = forgettings.get();
    if ((now & 1) != 0) {
      forgettings.set(now - 1); // the task's thread leaves it alone while it is odd
    }
  }

  // ---- of the task

  /** Returns the id of an object, or 0. */
  int id(Object object) {
    Tables present = tables;
    int place = present.table.find(object);
    if (place >= 0) {
      return present.table.id(place);
    }
    int older = present.findOlder(object);
    return older < 0 || present.older == null ? 0 : present.older.id(older);
  }

  int nextId() {
    return nextId;
  }

  /** Takes over an object that has an id. */
  void put(Object object, int id) {
    Table table = tables.table;
    table.put(table.objects.add(object), id, 0);
    nextId = Math.max(nextId, id + 1);
  }

  /** Returns the id of an object to which a unit refers, or 0. */
  int refer(Object object) {
    Tables present = tables;
    Table table = present.table;
    int place = table.find(object);
    if (place < 0) {
      int older = present.findOlder(object);
      if (older < 0 || present.older == null) {
        return 0;
      }
      place = move(present.older, older);
    }
    int mark = 2 * known;
    if (table.mark(place) < mark) {
      table.mark(place, mark);
      if (linkedCount == linked.length) {
        linked = Arrays.copyOf(linked, 2 * linkedCount);
      }
      linked[linkedCount++] = place;
    }
    return table.id(place);
  }

  private int move(Table older, int from) {
    Table table = tables.table;
    int place = table.objects.add(older.object(from));
    table.put(place, older.id(from), older.mark(from));
    return place;
  }

  /** Gives an id to an object that has none. */
  int give(Object object) {
    Table table = tables.table;
    int place = table.objects.add(object);
    if (givenCount == given.length) {
      given = Arrays.copyOf(given, 2 * givenCount);
    }
    given[givenCount++] = place;
    table.put(place, nextId, 2 * known + 1);
    return nextId++;
  }

  int givenCount() {
    return givenCount;
  }

  Object given(int at) {
    return tables.table.object(given[at]);
  }

  /** What has an id has it for good. */
  void keep() {
    Table table = tables.table;
    table.kept = table.objects.size();
    keptId = nextId;
    since += givenCount;
    if (searched == search) {
      leave(FOR_EACH_GIVEN * givenCount); // in the time of the commit that makes the table grow
    }
    givenCount = 0;
  }

  /** What got an id has none again. */
  void takeBack() {
    Table table = tables.table;
    for (int i = 0; i < givenCount; i++) {
      table.put(given[i], 0, 0);
    }
    nextId -= givenCount;
    givenCount = 0;
  }

  /** Forgets all objects but some, which have ids; while there is no cycle and no unit. */
  void retain(ObjectTable all) {
    Table before = tables.table;
    tables = new Tables(new Table(0), null);
    for (int i = 0; i < all.size(); i++) {
      Object object = all.get(i);
      put(object, before.id(before.find(object)));
    }
  }

  // ---- forgetting, some objects in the time of each commit

  /** The cut of a cycle is made, or a unit: a search that has begun counts from then on. */
  void beginSince() {
    int latest = search;
    if (latest == known) {
      return;
    }
    if (due == known && isTraced()) {
      forget(); // what the search before has found
    }
    known = latest;
    since = 0;
    linkedCount = 0;
    traced = 0;
    isWeighed = false;
  }

  /** A unit is about to be made. */
  void beginUnit() {
    beginSince();
    budget = AT_ONCE;
    if (searched == known && isTraced()) {
      if (tables.older != null) {
        leave(AT_ONCE);
      } else if (due == known) {
        forget();
      } else if (!isWeighed) {
        weigh();
      }
    }
  }

  private boolean isTraced() {
    return traced == linkedCount;
  }

  /**
   * Returns an object to which a unit has referred since the cut, and that the search has not
   * found: what it refers to counts as referred to, too. Null: there is none, the search goes on,
   * or it is enough for this unit.
   */
  @Nullable Object nextLinked() {
    Table table = tables.table;
    while (searched == known && traced < linkedCount && budget > 0) {
      budget--;
      int place = linked[traced++];
      if (table.id(place) != 0 && table.mark(place) == 2 * known) {
        table.mark(place, 2 * known + 1);
        since++;
        return table.object(place);
      }
    }
    return null;
  }

  /** All that anything leads to is marked: if that is less than half, it goes to another table. */
  private void weigh() {
    int kept = tables.table.kept;
    isWeighed = true;
    if (kept > LEAST && kept > 2L * (foundCount + since) && known > 0) {
      forget();
    }
  }

  /** Forgets what is not marked, or notes that it is to be, if an incremental cycle goes on. */
  private void forget() {
    int before = forgettings.get();
    if ((before & 1) == 0 && forgettings.compareAndSet(before, before + 2)) {
      due = -1;
      left = 0;
      tables = new Tables(new Table(2 * known), tables.table);
    } else {
      due = known;
    }
  }

  private void leave(int most) {
    Tables present = tables;
    Table older = present.older;
    if (older == null) {
      return;
    }
    int end = Math.min(older.kept, left + most);
    for (; left < end; left++) {
      if (older.id(left) != 0
          && older.mark(left) >= present.table.threshold
          && present.table.find(older.object(left)) < 0) {
        move(older, left);
      }
    }
    if (left == older.kept) {
      present.table.kept = present.table.objects.size();
      tables = new Tables(present.table, null);
    }
  }
}
