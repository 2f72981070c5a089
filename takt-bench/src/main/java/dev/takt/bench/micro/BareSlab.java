package dev.takt.bench.micro;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The floor that the space is measured against: a slab of 64-byte events found by a hash of two
 * words, without transactions, for one thread. Each write and take of the pair does what no
 * concurrent space can do without: copy the event in, link it, find it, compare it, copy it out,
 * unlink it, and four compare-and-sets without contention.
 */
final class BareSlab {
  /** The words of an event: 64 bytes. */
  static final int WORDS = 8;

  private static final int NONE = -1;

  private final int mask;
  private final long[] slab;
  private final int[] heads;
  private final int[] next;
  private final AtomicLong word = new AtomicLong();
  private int free;

  /** Makes an empty slab for {@code capacity} events, a power of two. */
  BareSlab(int capacity) {
    mask = capacity - 1;
    slab = new long[capacity * WORDS];
    heads = new int[capacity];
    next = new int[capacity];
    Arrays.fill(heads, NONE);
    for (int slot = 0; slot < capacity; slot++) {
      next[slot] = slot + 1 < capacity ? slot + 1 : NONE;
    }
  }

  /** Writes the eight words of the event; the first two are what it is found by. */
  void write(long[] event) {
    int slot = free;
    free = next[slot];
    synchronise();
    System.arraycopy(event, 0, slab, slot * WORDS, WORDS);
    int bucket = bucket(event[0], event[1]);
    next[slot] = heads[bucket];
    heads[bucket] = slot;
    synchronise();
  }

  /** Takes an event with these first two words into {@code out}; false if there is none. */
  boolean take(long first, long second, long[] out) {
    int bucket = bucket(first, second);
    int before = NONE;
    for (int slot = heads[bucket]; slot != NONE; slot = next[slot]) {
      if (slab[slot * WORDS] == first && slab[slot * WORDS + 1] == second) {
        synchronise();
        System.arraycopy(slab, slot * WORDS, out, 0, WORDS);
        if (before == NONE) {
          heads[bucket] = next[slot];
        } else {
          next[before] = next[slot];
        }
        next[slot] = free;
        free = slot;
        synchronise();
        return true;
      }
      before = slot;
    }
    return false;
  }

  /** One compare-and-set without contention, as publishing, claiming and committing need one. */
  private void synchronise() {
    long seen = word.get();
    if (!word.compareAndSet(seen, seen + 1)) {
      throw new IllegalStateException("the slab is for one thread");
    }
  }

  private int bucket(long first, long second) {
    return (int) mix(second ^ mix(first)) & mask;
  }

  private static long mix(long word) {
    long mixed = word * 0x9E3779B97F4A7C15L;
    return mixed ^ mixed >>> 32;
  }
}
