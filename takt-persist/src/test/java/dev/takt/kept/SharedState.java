package dev.takt.kept;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What {@value #THREADS} plain threads change in an order of their own: its state follows from how
 * many changes each of them has made.
 */
public interface SharedState {
  /** How many threads change it. */
  int THREADS = 3;

  /** Returns how many changes a thread has made. */
  long step(int thread);

  /**
   * Makes a thread's next change, which is one update.
   *
   * @param clock tells a time when it is asked
   * @return a time within the update
   */
  long change(int thread, AtomicLong clock);

  /** Spreads the bits of a number. */
  static long mixed(long value) {
    long z = value * 0x9e3779b97f4a7c15L;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }
}
