package dev.takt.reflex.woven;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers for the attempts of all releases in this JVM; no two are equal.
 *
 * <p>A number marks what an attempt has saved ({@code $takt$stamp}) and was given (pools). Both
 * outlive the attempt, may pass from a task to another one or even to another runtime, and must
 * never be taken for marks of a later attempt. So numbers are unique in the JVM: each memory draws
 * a block of them, with one atomic addition, and counts inside it.
 *
 * <p><b>Thread rule:</b> any thread.
 *
 * <p><b>Limits:</b> 2^43 blocks of 2^20 numbers. If every release drew a block, a block a
 * microsecond would last 280 years.
 */
final class Epochs {
  private static final int BLOCK_BITS = 20;
  private static final long IN_BLOCK = (1L << BLOCK_BITS) - 1;

  /** Block 0 is not used, so that 0 is no number: it marks what was never saved or given. */
  private static final AtomicLong BLOCKS = new AtomicLong(1);

  private Epochs() {}

  /** Returns the first number of a fresh block. */
  static long first() {
    return BLOCKS.getAndIncrement() << BLOCK_BITS;
  }

  /** Returns the number to use after another one. */
  static long next(long epoch) {
    long next = epoch + 1;
    return (next & IN_BLOCK) == 0 ? first() : next;
  }
}
