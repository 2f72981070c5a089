package dev.takt.persist.cycle;

import dev.takt.persist.cycle.ObjectNumbers.Part;
import dev.takt.persist.graph.ClassShape;
import dev.takt.persist.graph.Mutables;
import dev.takt.persist.graph.StoredField;
import dev.takt.reflex.woven.SaveSink;
import dev.takt.reflex.woven.StableLayout;
import dev.takt.reflex.woven.Undoable;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the barrier of one task saves during a cycle, and how the cycle finds it.
 *
 * <p>The task's thread appends copies to a log, each before the first change of its object in the
 * cycle. The cycle's thread reads an object, then takes in what the log has got meanwhile, and if
 * the object is there, it uses the copy instead of what it has read. Neither waits for the other.
 *
 * <p><b>What is saved</b> depends on the phase (Persistence 3.2):
 *
 * <pre>
 *              annotating                      marking
 *   ALL        waits for its turn: all         waits for its turn, and is marked: all
 *   UNWRITTEN  all but what is written         -
 *   MARKED     -                               what is marked and not written
 *   NONE       the graph is written            the graph is written
 * </pre>
 *
 * <p><b>How a copy is found.</b> The cycle asks for each object that it reads whether it was saved,
 * so an identity hash would cost more than all else. The part of the table that has the object has
 * the number of a copy for it, too. That is right if the log has a copy of this object there; so
 * what cycles before have left needs no clearing, as the objects' numbers do not. An object that
 * was saved before the search has reached it gets its number in a table beside the graph's.
 *
 * <p><b>Errors.</b> The barrier never throws. If the log would exceed its limit, or the heap is
 * full, the cycle fails and saves no more; the task goes on as if there were none.
 *
 * <p><b>Thread rule:</b> {@link #saved}, {@link #savedArray} and {@link #savedCollection} for the
 * task's thread, or for plain threads one at a time; all else for the cycle's.
 *
 * <p><b>Memory:</b> the log, and about 40 bytes for each saved array or collection. All of it is
 * used again by the next cycle, for which {@link #prepare} makes as much room as the one before has
 * needed, so that in steady state nothing is allocated in the task's time.
 */
final class Capture implements SaveSink {
  /** Phases of a graph, in the order in which they come. */
  enum Phase {
    ALL,
    UNWRITTEN,
    MARKED,
    NONE
  }

  private static final long NONE = -1;
  private static final int FIRST_LONGS = 128;
  private static final int FIRST_REFERENCES = 128;
  private static final int FIRST_ENTRIES = 16;

  /** How large a segment is made before it is known to be needed; its parts have an int length. */
  private static final long MAX_FIRST_BYTES = 1L << 30;

  /** How many entries are cleared at once. */
  private static final int CLEARED_AT_ONCE = 64;

  private final ObjectTable table;

  /** Those of the objects that an incremental cycle writes again; empty in a full one. */
  final ObjectTable changed = new ObjectTable();

  private long maxBytes;
  private volatile Phase phase = Phase.ALL;
  private volatile @Nullable String failure;

  // ---- of the task's thread
  private @Nullable ObjectIds ids;
  private long revision;
  private int nextId;
  private long cycle;
  private SavedSegment writing;
  private long bytes;
  private long invocations;
  private int saves;
  private int growths;

  /** The arrays and collections that it has seen. */
  private final ObjectTable arrays = new ObjectTable();

  /** All that changes, for the next cycle; null: that is a full one. */
  private @Nullable ChangeList changes;

  // ---- of the cycle's thread
  private SavedSegment reading;
  private int read;
  private final List<SavedSegment> segments = new ArrayList<>();

  /** What the barrier has saved and is not in the table of the graph, or does not hold a number. */
  private final ObjectTable found;

  /** Of those in {@link #found} that do not hold their number, the number of the first copy. */
  private int[] firsts = new int[64];

  /** How many of what was saved belong to no root; counted while it is cleared. */
  private int extras;

  /** The segment that is cleared, and how far it is. */
  private int clearing;

  private int cleared;
  private int clearedTables;

  /** How much of all segments was used; counted while they are cleared. */
  private long usedLongs = FIRST_LONGS;

  private long usedReferences = FIRST_REFERENCES;
  private long usedEntries = FIRST_ENTRIES;

  /** Makes one for a graph whose objects are in a table. */
  Capture(ObjectTable table) {
    this.table = table;
    found = new ObjectTable(table);
    writing = new SavedSegment(FIRST_LONGS, FIRST_REFERENCES, FIRST_ENTRIES);
    reading = writing;
    segments.add(writing);
  }

  /**
   * Gets ready for a cycle, while no sink is attached and {@link #clear} has cleared it: makes one
   * segment of several, up to twice as large as what was used of them. Each further one, if need
   * be, has twice as much again.
   *
   * @param maxBytes how large the log may become
   * @param tracks whether all changes are listed for the next cycle, until it takes over
   * @param ids of the root's objects, or null
   */
  void prepare(long maxBytes, boolean tracks, @Nullable ObjectIds ids) {
    this.maxBytes = maxBytes;
    this.ids = ids;
    revision = NONE;
    nextId = (int) NONE;
    if (tracks && changes == null) {
      changes = new ChangeList((int) Math.min(maxBytes >> 4, 1 << 26));
    }
    SavedSegment first = segments.getFirst();
    if (segments.size() > 1 || first.sizeBytes() > maxBytes) {
      first = newFirst(Math.min(maxBytes, MAX_FIRST_BYTES));
    }
    usedLongs = FIRST_LONGS;
    usedReferences = FIRST_REFERENCES;
    usedEntries = FIRST_ENTRIES;
    first.reuse();
    segments.clear();
    segments.add(first);
    writing = first;
    reading = first;
    read = 0;
    bytes = first.sizeBytes();
    phase = Phase.ALL;
    failure = null;
    cycle = Long.MAX_VALUE;
    invocations = 0;
    saves = 0;
    growths = 0;
    extras = 0;
    clearing = 0;
    cleared = 0;
    clearedTables = 0;
  }

  // ---- the barrier

  @Override
  public void begins(long cycle) {
    this.cycle = cycle;
    if (ids != null) {
      ids.beginSince();
      nextId = ids.nextId();
      revision = ids.revision();
    }
  }

  @Override
  public void saved(
      Undoable object,
      long[] primitives,
      int primitivesEnd,
      @Nullable Object[] references,
      int referencesEnd) {
    invocations++;
    if (object.$takt$stamp() >= cycle) {
      return;
    }
    if (changes != null) {
      changes.add(object);
    }
    if (!isWanted(object)) {
      return;
    }
    StableLayout layout = StableLayout.of(object.getClass());
    SavedSegment to = room(layout.primitives(), layout.references());
    if (to != null) {
      to.add(
          object,
          primitives,
          primitivesEnd - layout.primitives(),
          layout.primitives(),
          references,
          referencesEnd - layout.references(),
          layout.references());
      saves++;
    }
  }

  @Override
  public void savedArray(Object array, Object copy, int length) {
    if (!isFirst(array)) {
      return;
    }
    long longs = array instanceof Object[] ? 0 : (long) length * bytesOf(array) + 7 >> 3;
    SavedSegment to = room(longs, array instanceof Object[] ? length : 0);
    if (to != null) {
      to.addArray(array, copy, length, longs);
      saves++;
      if (changes == null) {
        remember(array);
      }
    }
  }

  @Override
  public void savedCollection(Object collection) {
    if (!isFirst(collection)) {
      return;
    }
    int size = Mutables.size(collection);
    SavedSegment to = room(1, size);
    if (to == null) {
      return;
    }
    try {
      to.addCollection(collection, size);
    } catch (RuntimeException e) {
      fail("a collection has changed while it was saved, outside of an update: " + e);
      return;
    }
    saves++;
    if (changes == null) {
      remember(collection);
    }
  }

  /** Whether an array or collection is saved now: it was not before, and it is wanted. */
  private boolean isFirst(Object object) {
    invocations++;
    if (arrays.contains(object)) {
      return false;
    }
    if (changes != null) {
      changes.add(object);
      remember(object);
    }
    return isWanted(object);
  }

  @Override
  public void missed(Throwable why) {
    fail("the barrier could not save an object: " + why);
  }

  @Override
  public void called(long times) {
    invocations = times;
  }

  private void remember(Object array) {
    try {
      arrays.add(array);
    } catch (OutOfMemoryError e) {
      fail("the heap is full");
    }
  }

  private static int bytesOf(Object array) {
    return switch (array) {
      case long[] a -> Long.BYTES;
      case double[] a -> Double.BYTES;
      case int[] a -> Integer.BYTES;
      case float[] a -> Float.BYTES;
      case short[] a -> Short.BYTES;
      case char[] a -> Character.BYTES;
      default -> 1;
    };
  }

  private boolean isWanted(Object object) {
    return switch (phase) {
      case ALL -> true;
      case UNWRITTEN -> !isWritten(object);
      case MARKED -> table.contains(object) && !isWritten(object);
      case NONE -> false;
    };
  }

  /** What has not changed before the cut of an incremental cycle is written already. */
  private boolean isWritten(Object object) {
    return changed.size() > 0 && changed.contains(object)
        ? changed.isWritten(object)
        : table.isWritten(object);
  }

  /** Returns a segment that has room, or null if the cycle has failed. */
  private @Nullable SavedSegment room(long longs, int references) {
    SavedSegment last = writing;
    if (failure != null) {
      return null;
    }
    if (last.hasRoom(longs, references)) {
      return last;
    }
    int entries = 2 * last.entryCapacity();
    long moreLongs = Math.max(longs, 2L * last.longCapacity());
    long moreReferences = Math.max(references, 2L * last.referenceCapacity());
    long wanted = SavedSegment.sizeBytes(moreLongs, moreReferences, entries);
    if (bytes + wanted > maxBytes
        || moreLongs > Integer.MAX_VALUE / 8
        || moreReferences > 1 << 30) {
      fail(
          ("what the barrier saves takes too much memory: maxSavedBytes=%s, used=%s, wanted=%s; "
                  + "raise PersistSettings.maxSavedBytes, or let increments come more often")
              .formatted(maxBytes, bytes, wanted));
      return null;
    }
    try {
      SavedSegment more = new SavedSegment((int) moreLongs, (int) moreReferences, entries);
      more.base = last.base + last.count();
      bytes += wanted;
      growths++;
      last.next = more;
      writing = more;
      return more;
    } catch (OutOfMemoryError e) {
      fail("the heap is full");
      return null;
    }
  }

  private void fail(String why) {
    failure = why;
    if (changes != null) {
      changes.lose();
    }
    // Before the store that this barrier comes before: who sees that one sees the failure.
    VarHandle.releaseFence();
  }

  // ---- the cycle

  /** Goes on to a phase; all that the barrier asks the table for then is there. */
  void enter(Phase next) {
    phase = next;
  }

  /** Returns why the cycle cannot be consistent any more, or null. */
  @Nullable String failure() {
    return failure;
  }

  /**
   * Takes in some of what was saved.
   *
   * @param limit how many entries at most
   * @return whether that was all there is
   */
  boolean takeIn(int limit) {
    return takeIn(limit, true);
  }

  private boolean takeIn(int limit, boolean isWanted) {
    for (int i = 0; i < limit; i++) {
      if (read == reading.count()) {
        // What was appended last is read once more, behind the link: after it nothing is added.
        SavedSegment next = reading.next;
        if (next == null) {
          return true;
        }
        if (read == reading.count()) {
          segments.add(next);
          reading = next;
          read = 0;
        }
        continue;
      }
      Object owner = reading.owner(read);
      if (isWanted && find(owner) < 0) {
        note(owner, reading.base + read);
      }
      read++;
    }
    return false;
  }

  /** Returns whether there may be something to take in; what is appended now may be missed. */
  boolean hasMore() {
    return read != reading.count() || reading.next != null;
  }

  /** Takes in all that was saved before; the caller has put a fence behind what it has read. */
  void takeInAll() {
    boolean done = false;
    while (!done) {
      done = takeIn(Integer.MAX_VALUE);
    }
  }

  private void note(Object owner, int copy) {
    int number = -1;
    if (owner instanceof Undoable object) {
      Part part = table.part(object, object.$takt$number());
      if (part == null) {
        number = found.add(object);
        part = table.part(object, object.$takt$number());
      }
      if (part != null) {
        part.copy(object.$takt$number(), copy);
        return;
      }
    }
    number = number < 0 ? found.add(owner) : number;
    if (number >= firsts.length) {
      firsts = Arrays.copyOf(firsts, 2 * number);
    }
    firsts[number] = copy;
  }

  /** Returns the number of the first copy of an object or array that was taken in, or -1. */
  int find(Object object) {
    return read + reading.base == 0 ? -1 : findTaken(object);
  }

  /**
   * What an object's entry has is right if the log has a copy of the object there: then it is the
   * first one, since an earlier one would have been noted before, over whatever was there.
   */
  private int findTaken(Object object) {
    if (object instanceof Undoable undoable) {
      int held = undoable.$takt$number();
      Part part = table.part(undoable, held);
      int copy = part == null ? -1 : part.copy(held);
      if (copy >= 0 && copy < read + reading.base && isOf(copy, object)) {
        return copy;
      }
      if (!found.hasUnnumbered()) {
        return -1;
      }
    }
    int number = found.inPages(object);
    return number < 0 ? -1 : firsts[number];
  }

  private boolean isOf(int copy, Object object) {
    SavedSegment segment = segment(copy);
    return segment.owner(copy - segment.base) == object;
  }

  private SavedSegment segment(int number) {
    int at = segments.size() - 1;
    while (segments.get(at).base > number) {
      at--;
    }
    return segments.get(at);
  }

  long primitive(int number, int index) {
    SavedSegment segment = segment(number);
    return segment.primitive(number - segment.base, index);
  }

  @Nullable Object reference(int number, int index) {
    SavedSegment segment = segment(number);
    return segment.reference(number - segment.base, index);
  }

  /** Puts the fields of a copy where they were read into, by the numbers of the fields. */
  void take(int number, ClassShape shape, long[] bits, @Nullable Object[] references) {
    for (int i = 0; i < shape.fields().size(); i++) {
      StoredField field = shape.fields().get(i);
      if (field.saved() >= 0 && field.isPrimitive()) {
        bits[i] = primitive(number, field.saved());
      } else if (field.saved() >= 0) {
        references[i] = reference(number, field.saved());
      }
    }
  }

  void copyBytes(int number, long from, MemorySegment to, long offset, int count) {
    SavedSegment segment = segment(number);
    segment.copyBytes(number - segment.base, from, to, offset, count);
  }

  /**
   * Returns the revision of the cut, which has passed. If a release has attached this sink since,
   * and committed, it has noted the one before: who has read a later one sees that.
   */
  long revisionOfCut(ObjectIds ids) {
    long now = ids.revision();
    long noted = revision;
    return noted == NONE ? now : noted;
  }

  /** Returns the first id that was not given before the cut, which has passed; as above. */
  int nextIdOfCut(ObjectIds ids) {
    int now = ids.nextId();
    int noted = nextId;
    return noted == NONE ? now : noted;
  }

  /** Returns what has changed since the cut, when another sink has taken over; null: not listed. */
  @Nullable ChangeList changes() {
    return changes;
  }

  // ---- when the sink is detached, or saves no more

  long invocations() {
    return invocations;
  }

  int saves() {
    return saves;
  }

  int growths() {
    return growths + (changes == null ? 0 : changes.growths());
  }

  /** Returns how many of the saved objects do not belong to the graph; when all is cleared. */
  int extras() {
    return extras;
  }

  private SavedSegment newFirst(long limitBytes) {
    long used = SavedSegment.sizeBytes(usedLongs, usedReferences, usedEntries);
    int factor = 2 * used <= limitBytes ? 2 : 1;
    return used > limitBytes
        ? new SavedSegment(FIRST_LONGS, FIRST_REFERENCES, FIRST_ENTRIES)
        : new SavedSegment(
            (int) usedLongs * factor, (int) usedReferences * factor, (int) usedEntries * factor);
  }

  /**
   * Counts the extra objects and forgets what was saved, some at a time; keeps the memory.
   *
   * @return whether all is done
   */
  boolean clear() {
    if (!takeIn(CLEARED_AT_ONCE, false)) {
      return false;
    }
    if (clearing == segments.size()) {
      return clearTables();
    }
    SavedSegment segment = segments.get(clearing);
    if (cleared == 0) {
      usedLongs += segment.longsUsed();
      usedReferences += segment.referencesUsed();
      usedEntries += segment.count();
    }
    int end = Math.min(cleared + CLEARED_AT_ONCE, segment.count());
    for (int i = cleared; i < end; i++) {
      extras += table.contains(segment.owner(i)) ? 0 : 1;
    }
    if (segment.clear(cleared, end)) {
      clearing++;
      cleared = 0;
    } else {
      cleared = end;
    }
    return false;
  }

  private boolean clearTables() {
    boolean isClear =
        switch (clearedTables) {
          case 0 -> found.clear();
          case 1 -> arrays.clear();
          case 2 -> changed.clear();
          case 3 -> changes == null || changes.clear();
          default -> false;
        };
    clearedTables += isClear ? 1 : 0;
    return clearedTables == 4;
  }
}
