package dev.takt.persist.cycle;

import dev.takt.reflex.woven.Undoable;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The numbers that the objects of one memory hold in themselves, so that its tables find them
 * without a hash.
 *
 * <pre>
 *   object.$takt$number() = | place of a part: upper 20 bits | entry: lower 12 bits |
 *
 *   parts    | A 0 | A 4096 | B 0 | A 8192 |    by place: a part of the objects of a table, A or B
 *   part     | a | b | c |                      what it has by entry
 * </pre>
 *
 * <p><b>A number is right if the object is where it says</b>; then the part tells whose it is, and
 * its number there. So what a number was before does no harm: it may be of a cycle before, of
 * another memory, or of an earlier life of a pooled object. Nothing is reset.
 *
 * <p><b>Two tables with one object.</b> Within a memory the number of an object that is in one
 * table stays; another table that gets it too sees so, and puts it where it puts strings. Two
 * memories could not see that of each other. So there is a <em>lease</em>, and one memory of the
 * JVM has it: from a full cycle's begin, when all its tables are empty, until they are empty again
 * or are not used any more. It alone stores numbers. Others do without; so it is only slower for
 * them. A memory that was forgotten has no lease. If two class loaders have a copy of this module
 * each, there is a lease for each copy, and they must not store the same objects.
 *
 * <p><b>Saved before it is found.</b> What the barrier has saved and the search has not reached is
 * in a table beside that of the graph, its heir ({@link Capture}). When the heir gets the object,
 * the number changes once more: the object is found there from then on.
 *
 * <p><b>Invariants.</b> (1) While a memory has the lease, the number of an object in its tables
 * changes only when it is added to the first of them, or to the heir of that one. (2) A part is in
 * at most one place. (3) Below the size of a table, no entry of its parts changes.
 *
 * <p><b>Order of memory.</b> Other threads than the cycle's, which ask meanwhile, read numbers and
 * parts without order, and can miss what has come just now. What they find is true: an entry holds
 * an object only while that has this number in this cycle, since entries are cleared while nobody
 * else asks. What was added before something that they have seen with acquire they find. The lease
 * is handed over by an atomic store: what one memory has stored into objects comes before what the
 * next one does.
 *
 * <p><b>Thread rule:</b> one cycle at a time; {@link #find} any thread.
 *
 * <p><b>Memory:</b> 4 bytes for each 4,096 objects, and what the weaver adds to each object; of
 * parts of which the barrier has saved an object, 4 bytes for each of theirs.
 */
final class ObjectNumbers {
  static final int PART_BITS = 12;
  static final int PART = 1 << PART_BITS;
  private static final int MAX_PLACES = 1 << Integer.SIZE - PART_BITS;
  private static final int FIRST_PLACES = 16;

  /** Says of a part that its objects do not have their numbers in themselves. */
  static final int NONE = -1;

  /** Which of several memories may store numbers. */
  static final class Lease {
    /** That of all memories of the JVM, as far as they share this class. */
    static final Lease OF_ALL = new Lease();

    private final AtomicReference<@Nullable WeakReference<Object>> holder = new AtomicReference<>();

    /** Returns whether a memory has it now: it had it before, or nobody did. */
    boolean takes(WeakReference<Object> memory) {
      WeakReference<Object> holder = this.holder.get();
      return holder == memory
          || (holder == null || holder.refersTo(null)) && this.holder.compareAndSet(holder, memory);
    }

    void end(WeakReference<Object> memory) {
      holder.compareAndSet(memory, null);
    }
  }

  /** A part of the objects of a table. */
  static final class Part {
    final ObjectTable owner;

    /** The number of its first entry in the table. */
    final int base;

    final @Nullable Object[] objects = new Object[PART];

    /** Its place; or {@link #NONE}. For the thread of the cycle. */
    int place = NONE;

    /** What {@link Capture} notes of each entry, never cleared. For the thread of the cycle. */
    private int @Nullable [] copies;

    Part(ObjectTable owner, int base) {
      this.owner = owner;
      this.base = base;
    }

    /** Returns what is kept with the entry of a number that an object holds; 0: nothing, maybe. */
    int copy(int held) {
      int[] copies = this.copies;
      return copies == null ? 0 : copies[held & PART - 1];
    }

    /** Keeps something with it. */
    void copy(int held, int copy) {
      int[] copies = this.copies;
      if (copies == null) {
        copies = new int[PART];
        this.copies = copies;
      }
      copies[held & PART - 1] = copy;
    }
  }

  private final WeakReference<Object> memory;
  private final Lease lease;
  private volatile @Nullable Part[] parts = new Part[FIRST_PLACES];
  private int places;
  private boolean isLeased;

  /**
   * Makes it.
   *
   * @param memory who has the lease, for as long as it is referred to
   * @param lease one for all memories that may have an object in common
   */
  ObjectNumbers(Object memory, Lease lease) {
    this.memory = new WeakReference<>(memory);
    this.lease = lease;
  }

  /** Begins anew, with the lease if nobody has it; all tables are empty. */
  void begin() {
    Arrays.fill(parts, 0, places, null);
    places = 0;
    isLeased = lease.takes(memory);
  }

  /** Gives the lease back: all tables are empty, or nothing is added to them any more. */
  void end() {
    isLeased = false;
    lease.end(memory);
  }

  /** Gives a part a place, which is empty, if numbers may be stored and it has none. */
  void place(Part part) {
    @Nullable Part[] parts = this.parts;
    if (isLeased && part.place != NONE && part.place < places && parts[part.place] == part) {
      return;
    }
    part.place = NONE;
    if (isLeased && places < MAX_PLACES) {
      if (places == parts.length) {
        parts = Arrays.copyOf(parts, 2 * places);
        this.parts = parts;
      }
      parts[places] = part;
      part.place = places++;
    }
  }

  /** Returns the part that has an object where its number says, or null; any thread. */
  @Nullable Part find(Undoable object, int number) {
    @Nullable Part[] parts = this.parts;
    int place = number >>> PART_BITS;
    Part part = place < parts.length ? parts[place] : null;
    return part != null && part.objects[number & PART - 1] == object ? part : null;
  }
}
