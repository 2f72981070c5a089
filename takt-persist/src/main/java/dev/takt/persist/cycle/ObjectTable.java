package dev.takt.persist.cycle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of objects by identity: the paper's table MID2LID, with the mark of what is written in
 * the highest bit (Persistence 4).
 *
 * <pre>
 *   hash = identity hash, mixed:   | upper bits: directory | ...   | lower bits: slot in a page |
 *
 *   directory  [ p0 | p0 | p1 | p2 ]      several places lead to one page until it is split
 *   page       keys    [ a |   | b |  ]   linear probing, at most half full
 *              numbers [ 7 |   | 3 |  ]
 * </pre>
 *
 * <p>A page that is half full is split in two (extendible hashing), so an addition never moves more
 * than {@value #PAGE_ENTRIES} entries and copies the directory, 4 bytes for each 200 or so objects:
 * a table of millions grows without a long pause.
 *
 * <p><b>Thread rule:</b> one thread adds and marks; others may ask {@link #contains} and {@link
 * #isWritten} meanwhile. They may miss what is added at that moment, but not what was added before
 * something that they have seen with acquire; and what they find is true.
 *
 * <p><b>Memory:</b> 16 to 32 bytes an object, with compressed references.
 */
final class ObjectTable {
  private static final int FIRST_SLOTS = 16;
  private static final int PAGE_SLOTS = 1_024;
  private static final int PAGE_ENTRIES = PAGE_SLOTS / 2;

  /** Beyond this depth, which even hashes never reach, a page grows instead. */
  private static final int MAX_DEPTH = 20;

  private static final int WRITTEN = 1 << 31;
  private static final VarHandle KEY = MethodHandles.arrayElementVarHandle(Object[].class);
  private static final VarHandle NUMBER = MethodHandles.arrayElementVarHandle(int[].class);
  private static final VarHandle PAGE = MethodHandles.arrayElementVarHandle(Page[].class);

  /** A part of the table, found by the upper bits of the hash. */
  private static final class Page {
    final @Nullable Object[] keys;
    final int[] numbers;
    final int depth;
    int size;

    Page(int slots, int depth) {
      keys = new Object[slots];
      numbers = new int[slots];
      this.depth = depth;
    }

    /** Returns the slot of a key, or the complement of the free one where it would be. */
    int find(Object key, int hash) {
      int mask = keys.length - 1;
      int slot = hash & mask;
      while (true) {
        Object there = KEY.getAcquire(keys, slot);
        if (there == key) {
          return slot;
        }
        if (there == null) {
          return ~slot;
        }
        slot = slot + 1 & mask;
      }
    }

    void add(Object key, int hash, int number) {
      int slot = ~find(key, hash);
      numbers[slot] = number;
      KEY.setRelease(keys, slot, key);
      size++;
    }
  }

  private volatile Page[] directory = {new Page(FIRST_SLOTS, 0)};
  private int depth;
  private int size;

  ObjectTable() {}

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

  /** Returns how many objects there are. */
  int size() {
    return size;
  }

  /** Returns the number of an object, or -1. */
  int get(Object key) {
    int hash = hash(key);
    Page page = page(hash, directory);
    int slot = page.find(key, hash);
    return slot < 0 ? -1 : page.numbers[slot] & ~WRITTEN;
  }

  /**
   * Adds an object, unless it is there.
   *
   * @return the number it has now
   */
  int putIfAbsent(Object key, int number) {
    int hash = hash(key);
    Page page = page(hash, directory);
    int slot = page.find(key, hash);
    if (slot >= 0) {
      return page.numbers[slot] & ~WRITTEN;
    }
    while (page.size >= page.keys.length / 2) {
      split(page, hash);
      page = page(hash, directory);
    }
    page.add(key, hash, number);
    size++;
    return number;
  }

  private void split(Page page, int hash) {
    if (page.keys.length < PAGE_SLOTS || page.depth == MAX_DEPTH) {
      Page larger = new Page(2 * page.keys.length, page.depth);
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
    Page zero = new Page(page.keys.length, page.depth + 1);
    Page one = new Page(page.keys.length, page.depth + 1);
    move(page, zero, one, bit);
    replace(page, zero, one, hash);
  }

  private static void move(Page from, Page zero, Page one, int bit) {
    for (int slot = 0; slot < from.keys.length; slot++) {
      Object key = from.keys[slot];
      if (key != null) {
        int hash = hash(key);
        ((hash >>> bit & 1) == 0 ? zero : one).add(key, hash, from.numbers[slot]);
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

  /** Marks an object, which is there, as written. */
  void written(Object key) {
    int hash = hash(key);
    Page page = page(hash, directory);
    int slot = page.find(key, hash);
    NUMBER.setRelease(page.numbers, slot, page.numbers[slot] | WRITTEN);
  }

  /** Returns whether an object is there; any thread. */
  boolean contains(Object key) {
    int hash = hash(key);
    return page(hash, directory).find(key, hash) >= 0;
  }

  /** Returns whether an object is there and marked as written; any thread. */
  boolean isWritten(Object key) {
    int hash = hash(key);
    Page page = page(hash, directory);
    int slot = page.find(key, hash);
    return slot >= 0 && (int) NUMBER.getAcquire(page.numbers, slot) < 0;
  }
}
