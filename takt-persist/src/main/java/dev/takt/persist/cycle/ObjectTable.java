package dev.takt.persist.cycle;

import dev.takt.persist.cycle.ObjectNumbers.Part;
import dev.takt.reflex.woven.Undoable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Objects and their numbers, 0, 1, 2, ... in the order in which they are added: the paper's table
 * MID2LID and the queue of its breadth-first search in one (Persistence 4), on the heap and not on
 * a stack.
 *
 * <pre>
 *   parts      | a | b | c |                 the objects by number
 *
 *   stable objects hold their number in themselves, if ObjectNumbers has the lease for that; others:
 *
 *   hash = identity hash, mixed:   | upper bits: directory | ...   | lower bits: slot in a page |
 *
 *   directory  | p0 | p0 | p1 | p2 |         several places lead to one page until it is split
 *   page       | hash, 1 | 0 | hash, 3 | 0 | linear probing, at most half full; number + 1
 * </pre>
 *
 * <p>A page that is half full is split in two (extendible hashing), so an addition never moves more
 * than {@value #PAGE_ENTRIES} entries and copies the directory, 4 bytes for each 200 or so objects:
 * a table of millions grows without a long pause. A slot is one long, so that a search touches the
 * page once; the object itself is looked at only if all of the hash is right.
 *
 * <p>Objects are written in the order of their numbers, so the mark of what is written is one
 * number.
 *
 * <p><b>Thread rule:</b> one thread adds and marks; others may ask {@link #contains} and {@link
 * #isWritten} meanwhile. They may miss what is added at that moment, but not what was added before
 * something that they have seen with acquire; and what they find is true. When the table is
 * cleared, no other thread asks.
 *
 * <p><b>Memory:</b> 4 bytes for an object that holds its number, 20 to 36 for others, with
 * compressed references; it is kept when the table is cleared, unless it is 16 times as much as was
 * used.
 */
public final class ObjectTable {
  private static final int FIRST_SLOTS = 16;
  private static final int PAGE_SLOTS = 1_024;
  private static final int PAGE_ENTRIES = PAGE_SLOTS / 2;

  /** Beyond this depth, which even hashes never reach, a page grows instead. */
  private static final int MAX_DEPTH = 20;

  private static final int FIRST_PARTS = 16;

  /** A table that was used for less than one part of so many is made anew. */
  private static final int KEPT_PART = 16;

  /** How many objects are taken out at once; a power of two. */
  private static final int CLEARED_AT_ONCE = 512;

  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle PAGE = MethodHandles.arrayElementVarHandle(Page[].class);
  private static final VarHandle WRITTEN;

  static {
    try {
      WRITTEN = MethodHandles.lookup().findVarHandle(ObjectTable.class, "written", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** A part of the table, found by the upper bits of the hash. */
  private static final class Page {
    final long[] slots;
    final int depth;
    int size;

    Page(int slots, int depth) {
      this.slots = new long[slots];
      this.depth = depth;
    }

    void add(int hash, int number) {
      int mask = slots.length - 1;
      int slot = hash & mask;
      while (slots[slot] != 0) {
        slot = slot + 1 & mask;
      }
      SLOT.setRelease(slots, slot, (long) hash << Integer.SIZE | number + 1);
      size++;
    }
  }

  private final @Nullable ObjectNumbers numbers;

  /** Takes over the numbers of objects that it gets, too; or this one, which hands none over. */
  private final ObjectTable heir;

  private @Nullable Part[] parts = new Part[FIRST_PARTS];
  private int partCount;
  private int size;

  /** Whether the pages have objects that could hold their number: others do not look for these. */
  private boolean hasUnnumbered;

  /** The part in which the next object comes, if it is to hold its number; or null. */
  private @Nullable Part filling;

  /** The number that the next object holds, if there is such a part. */
  private int nextHeld;

  /** How many are written, accessed through {@link #WRITTEN}. */
  private int written;

  private volatile Page[] directory = {new Page(FIRST_SLOTS, 0)};
  private int depth;

  /** How far {@link #clear} is, and how many objects there were. */
  private int cleared;

  private int peak;

  /** Makes one that keeps the numbers of all objects in pages. */
  public ObjectTable() {
    this((ObjectNumbers) null);
  }

  /**
   * Makes one.
   *
   * @param numbers those of the memory whose tables it is one of; null: as {@link #ObjectTable()}
   */
  ObjectTable(@Nullable ObjectNumbers numbers) {
    this.numbers = numbers;
    this.heir = this;
  }

  /**
   * Makes one beside another one: objects of both have their number in the other one.
   *
   * @param heir the other one
   */
  ObjectTable(ObjectTable heir) {
    this.numbers = heir.numbers;
    this.heir = heir;
  }

  private static int hash(Object key) {
    int hash = System.identityHashCode(key) * 0x9E37_79B9;
    return hash ^ hash >>> 15;
  }

  private static int place(int hash, Page[] directory) {
    int bits = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(directory.length);
    return bits == 0 ? 0 : hash >>> Integer.SIZE - bits;
  }

  private static Page page(int hash, Page[] directory) {
    return (Page) PAGE.getAcquire(directory, place(hash, directory));
  }

  /** Returns the number of a key in a page, or -1. */
  private int find(long[] slots, Object key, int hash) {
    int mask = slots.length - 1;
    int slot = hash & mask;
    while (true) {
      long there = (long) SLOT.getAcquire(slots, slot);
      if (there == 0) {
        return -1;
      }
      if ((int) (there >>> Integer.SIZE) == hash) {
        int number = (int) there - 1;
        if (get(number) == key) {
          return number;
        }
      }
      slot = slot + 1 & mask;
    }
  }

  /** Returns how many objects there are. */
  public int size() {
    return size;
  }

  /** Returns the object of a number below the size. */
  @SuppressWarnings("NullAway") // below the size all places are filled
  public Object get(int number) {
    return parts[number >> ObjectNumbers.PART_BITS].objects[number & ObjectNumbers.PART - 1];
  }

  /** Returns the objects of those numbers whose upper bits are those of a number. */
  @SuppressWarnings("NullAway") // below the size all parts are there
  @Nullable Object[] part(int number) {
    return parts[number >> ObjectNumbers.PART_BITS].objects;
  }

  /** Returns the place of an object in its part. */
  static int entry(int number) {
    return number & ObjectNumbers.PART - 1;
  }

  /** Returns the number of an object, or -1. */
  public int number(Object key) {
    if (numbers != null && key instanceof Undoable object) {
      int held = object.$takt$number();
      Part part = numbers.find(object, held);
      if (part != null && part.owner == this) {
        return number(part, held);
      }
      if (!hasUnnumbered) {
        return -1;
      }
    }
    return inPages(key);
  }

  /**
   * Returns the part of an object that holds its number for this table or one beside it, or null.
   *
   * @param held what it holds
   */
  @Nullable Part part(Undoable object, int held) {
    Part part = numbers == null ? null : numbers.find(object, held);
    return part != null && part.owner.heir == this ? part : null;
  }

  /** Returns whether there are objects that could hold their number and do not. */
  boolean hasUnnumbered() {
    return hasUnnumbered;
  }

  /** Returns the number of an object that does not hold it, or -1. */
  int inPages(Object key) {
    int hash = hash(key);
    return find(page(hash, directory).slots, key, hash);
  }

  private static int number(Part part, int held) {
    return part.base + (held & ObjectNumbers.PART - 1);
  }

  /** Returns the number of an object; one that has none gets the next one. */
  public int add(Object key) {
    return numbers != null && key instanceof Undoable object
        ? add(object, numbers)
        : addToPages(key);
  }

  private int add(Undoable object, ObjectNumbers numbers) {
    int held = object.$takt$number();
    Part to = filling;
    if (to != null && held == nextHeld) {
      to.objects[entry(held)] = object; // as in the cycle before; no object can be there yet
      return added(held);
    }
    Part part = numbers.find(object, held);
    if (part == null && to != null) {
      return addTo(to, object, held);
    }
    return part != null && part.owner == this ? number(part, held) : addSlowly(object, held, part);
  }

  private int addSlowly(Undoable object, int held, @Nullable Part part) {
    int number = hasUnnumbered ? inPages(object) : -1;
    if (number >= 0) {
      return number;
    }
    if (part == null || part.owner.heir == this) {
      Part to = part();
      if (to.place != ObjectNumbers.NONE) {
        nextHeld = to.place << ObjectNumbers.PART_BITS | entry(size);
        filling = hasUnnumbered ? null : to;
        if (part != null) {
          to.copy(nextHeld, part.copy(held));
        }
        return addTo(to, object, held);
      }
    }
    hasUnnumbered = true;
    filling = null;
    return addToPages(object);
  }

  private int addTo(Part part, Undoable object, int held) {
    int number = nextHeld;
    part.objects[entry(number)] = object;
    if (number != held) { // most often the same as in the cycle before: the object stays as it is
      object.$takt$number(number);
    }
    return added(number);
  }

  /** The next object is where it says that it holds; returns its number. */
  private int added(int held) {
    nextHeld = held + 1;
    if (entry(held + 1) == 0) {
      filling = null;
    }
    return size++;
  }

  private int addToPages(Object key) {
    int hash = hash(key);
    Page page = page(hash, directory);
    int number = find(page.slots, key, hash);
    if (number >= 0) {
      return number;
    }
    while (page.size >= page.slots.length / 2) {
      split(page, hash);
      page = page(hash, directory);
    }
    part().objects[entry(size)] = key;
    page.add(hash, size);
    nextHeld++;
    if (entry(nextHeld) == 0) {
      filling = null;
    }
    return size++;
  }

  /** Returns the part in which the next object comes. */
  private Part part() {
    int at = size >> ObjectNumbers.PART_BITS;
    if (at == parts.length) {
      parts = Arrays.copyOf(parts, 2 * at);
    }
    Part part = parts[at];
    if (part == null) {
      part = new Part(this, size);
      parts[at] = part;
      partCount++;
    }
    if (entry(size) == 0 && numbers != null) {
      numbers.place(part);
    }
    return part;
  }

  private void split(Page page, int hash) {
    if (page.slots.length < PAGE_SLOTS || page.depth == MAX_DEPTH) {
      Page larger = new Page(2 * page.slots.length, page.depth);
      move(page, larger, larger, 0);
      replace(page, larger, larger, hash);
      return;
    }
    if (page.depth == depth) {
      Page[] before = directory;
      Page[] twice = new Page[2 * before.length];
      for (int i = 0; i < twice.length; i++) {
        twice[i] = before[i >> 1];
      }
      depth++;
      directory = twice;
    }
    int bit = Integer.SIZE - 1 - page.depth;
    Page zero = new Page(page.slots.length, page.depth + 1);
    Page one = new Page(page.slots.length, page.depth + 1);
    move(page, zero, one, bit);
    replace(page, zero, one, hash);
  }

  private static void move(Page from, Page zero, Page one, int bit) {
    for (long slot : from.slots) {
      if (slot != 0) {
        int hash = (int) (slot >>> Integer.SIZE);
        ((hash >>> bit & 1) == 0 ? zero : one).add(hash, (int) slot - 1);
      }
    }
  }

  /** Puts two pages where one was: those places whose upper bits are those of a hash. */
  private void replace(Page page, Page zero, Page one, int hash) {
    Page[] directory = this.directory;
    int span = directory.length >> page.depth;
    int first = place(hash, directory) & -span;
    for (int i = 0; i < span; i++) {
      PAGE.setRelease(directory, first + i, i < span / 2 || span == 1 ? zero : one);
    }
  }

  /** Marks all objects below a number as written. */
  void written(int end) {
    WRITTEN.setRelease(this, end);
  }

  /** Returns whether an object is there; any thread. */
  public boolean contains(Object key) {
    return number(key) >= 0;
  }

  /** Returns whether an object is there and marked as written; any thread. */
  boolean isWritten(Object key) {
    int number = number(key);
    return number >= 0 && number < (int) WRITTEN.getAcquire(this);
  }

  /**
   * Takes all objects out, some at a time. The memory is kept, if a part of it was used.
   *
   * @return whether the table is empty now
   */
  public boolean clear() {
    peak = Math.max(peak, size);
    filling = null;
    if (size > 0) {
      int from = Math.max(size - 1 & -CLEARED_AT_ONCE, 0);
      int last = size - 1 & ObjectNumbers.PART - 1;
      Part part = parts[from >> ObjectNumbers.PART_BITS];
      Arrays.fill(part.objects, from & ObjectNumbers.PART - 1, last + 1, null);
      size = from;
      return false;
    }
    Page[] directory = this.directory;
    int end = Math.min(cleared + 1, directory.length);
    for (; cleared < end; cleared++) {
      Page page = directory[cleared];
      if (page.size > 0) {
        Arrays.fill(page.slots, 0);
        page.size = 0;
      }
    }
    written = 0;
    hasUnnumbered = false;
    if (cleared < directory.length) {
      return false;
    }
    cleared = 0;
    if (partCount > FIRST_PARTS && peak < (long) partCount * ObjectNumbers.PART / KEPT_PART) {
      parts = new Part[FIRST_PARTS];
      partCount = 0;
      this.directory = new Page[] {new Page(FIRST_SLOTS, 0)};
      depth = 0;
    }
    peak = 0;
    return true;
  }
}
