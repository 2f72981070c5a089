package dev.takt.bench.handover;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A counter of one thread that another one reads, alone on its cache line. Beside other objects it
 * would slow down a hand-over by half in one run of four, by where the heap puts it.
 *
 * <p><b>Thread rule:</b> one thread sets, any thread reads.
 */
final class PaddedLong {
  private static final int PADDING = 16;

  private final AtomicLongArray words = new AtomicLongArray(2 * PADDING);

  long getAcquire() {
    return words.getAcquire(PADDING);
  }

  void setRelease(long value) {
    words.setRelease(PADDING, value);
  }
}
