package dev.takt.cpu;

import dev.takt.realtime.ThreadMeter;
import java.util.Arrays;

/**
 * The processor times of the releases of one task: each one in a trial, later one of {@value
 * #STRIDE}, because reading a thread's processor time costs more than all the rest of the
 * supervision. The first {@value #COLD} releases of a task, whose code is interpreted, are left
 * out.
 *
 * <p><b>Thread rule:</b> {@link #onBegin} and {@link #onEnd}: the thread that runs the releases.
 * {@link #full} and {@link #take}: one other thread. The array is the releases' until it is full,
 * and the other thread's from then until it has taken it.
 *
 * <p><b>Memory:</b> 8 bytes a sample. Nothing is allocated in a release.
 */
final class CostSamples {
  /** Of so many releases one is measured, after the trial. */
  static final int STRIDE = 64;

  /** So many releases are left out at the beginning. */
  static final int COLD = 20;

  private final ThreadMeter meter;
  private final long[] costsNs;
  private int size;
  private long countdown = COLD + 1;
  private int stride = 1;
  private long random = 88_172_645_463_325_252L; // of Marsaglia's example
  private long usedBeforeNs = ThreadMeter.UNKNOWN;
  private volatile boolean full;

  /** Makes samples for so many releases. */
  CostSamples(int capacity, ThreadMeter meter) {
    this.costsNs = new long[capacity];
    this.meter = meter;
  }

  /**
   * Called at the begin of each release.
   *
   * @param closely whether this one is measured in any case, but for the first {@value #COLD}
   */
  void onBegin(boolean closely) {
    if (--countdown == 0) {
      countdown = stride == 1 ? 1 : nextStride();
      usedBeforeNs = meter.usedNs();
    } else if (closely) {
      usedBeforeNs = meter.usedNs();
    }
  }

  /**
   * Returns how many releases come before the next one that is measured: {@value #STRIDE} on
   * average, and not always as many, because what a task does each second or fourth time would
   * otherwise never be seen, or always.
   */
  private int nextStride() {
    random ^= random << 13;
    random ^= random >>> 7;
    random ^= random << 17;
    return STRIDE / 2 + 1 + (int) (random & STRIDE - 1);
  }

  /**
   * Called at the end of each release.
   *
   * @return what it has used, in nanoseconds; {@link ThreadMeter#UNKNOWN}: it was not measured
   */
  long onEnd() {
    long beforeNs = usedBeforeNs;
    if (beforeNs == ThreadMeter.UNKNOWN) {
      return ThreadMeter.UNKNOWN;
    }
    usedBeforeNs = ThreadMeter.UNKNOWN;
    long usedNs = Math.max(0, meter.usedNs() - beforeNs);
    add(usedNs);
    return usedNs;
  }

  private void add(long costNs) {
    if (!full) {
      costsNs[size++] = costNs;
      if (size == costsNs.length) {
        full = true;
      }
    }
  }

  /** Returns whether the samples can be taken. */
  boolean full() {
    return full;
  }

  /** Returns the samples and begins anew, with one release of {@value #STRIDE}. */
  long[] take() {
    long[] taken = Arrays.copyOf(costsNs, costsNs.length);
    size = 0;
    stride = STRIDE;
    full = false;
    return taken;
  }
}
