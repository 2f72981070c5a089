package dev.takt.cpu;

import dev.takt.realtime.ThreadMeter;
import java.util.Arrays;

/**
 * What the releases of one task took, by processor time and by the clock: each one in a trial,
 * later one of {@value #STRIDE}, because reading a thread's processor time costs more than all the
 * rest of the supervision. Where processor time is not measured, the time that passed stands for
 * it.
 *
 * <p><b>Cold code.</b> The first {@value #COLD} releases of a task are left out: they load and link
 * classes and bind lambdas, which happens once and takes milliseconds. What comes then is slow,
 * too: HotSpot interprets a method for some 200 calls (or 2,000 turns of its loops), and compiles
 * it in full after 5,000 calls and more (40,000 turns). That is not left out. It is what the task
 * costs until then, and again each time that compiled code meets an assumption that does not hold
 * any more. So a short trial overstates the cost of warm code, and the cost that it leads to is
 * never taken back by itself; a trial of 10,000 releases has a tail of warm code.
 *
 * <p><b>Thread rule:</b> {@link #onBegin} and {@link #onEnd}: the thread that runs the releases.
 * {@link #full} and {@link #take}: one other thread. The arrays are the releases' until they are
 * full, and the other thread's from then until it has taken them.
 *
 * <p><b>Memory:</b> 16 bytes a sample. Nothing is allocated in a release.
 */
final class CostSamples {
  /** Of so many releases one is measured, after the trial. */
  static final int STRIDE = 64;

  /** So many releases are left out at the beginning. */
  static final int COLD = 20;

  /**
   * What was measured.
   *
   * @param costsNs processor time
   * @param wallsNs from begin to end
   * @param late how many ended past their deadline
   */
  record Taken(long[] costsNs, long[] wallsNs, int late) {}

  private final ThreadMeter meter;
  private final long[] costsNs;
  private final long[] wallsNs;
  private int size;
  private int late;
  private long countdown = COLD + 1;
  private int stride;
  private long random = 88_172_645_463_325_252L; // of Marsaglia's example
  private boolean measuring;

  /** Whether what is measured is a sample: it was chosen by chance, and not because of its task. */
  private boolean sampling;

  private long usedBeforeNs;
  private volatile boolean full;

  /**
   * Makes samples for so many releases.
   *
   * @param trial whether each one is measured at first
   */
  CostSamples(int capacity, ThreadMeter meter, boolean trial) {
    this.costsNs = new long[capacity];
    this.wallsNs = new long[capacity];
    this.meter = meter;
    this.stride = trial ? 1 : STRIDE;
  }

  /**
   * Called at the begin of each release.
   *
   * @param closely whether this one is measured in any case. What is measured because of that alone
   *     is no sample: releases after a long one are longer than others
   */
  void onBegin(boolean closely) {
    if (--countdown == 0) {
      countdown = stride == 1 ? 1 : nextStride();
      begin(true);
    } else if (closely) {
      begin(false);
    }
  }

  private void begin(boolean sampling) {
    this.sampling = sampling;
    measuring = true;
    usedBeforeNs = meter.usedNs();
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
   * @param wallNs from its begin to its end
   * @param tardinessNs by how much it has missed its deadline; 0 or less: it has not
   * @return what it has used, in nanoseconds; {@link ThreadMeter#UNKNOWN}: it was not measured
   */
  long onEnd(long wallNs, long tardinessNs) {
    if (!measuring) {
      return ThreadMeter.UNKNOWN;
    }
    measuring = false;
    boolean known = usedBeforeNs != ThreadMeter.UNKNOWN;
    long usedNs = Math.max(0, known ? meter.usedNs() - usedBeforeNs : wallNs);
    if (sampling) {
      add(usedNs, wallNs, tardinessNs > 0);
    }
    return known ? usedNs : ThreadMeter.UNKNOWN;
  }

  private void add(long costNs, long wallNs, boolean isLate) {
    if (!full) {
      late += isLate ? 1 : 0;
      wallsNs[size] = Math.max(0, wallNs);
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
  Taken take() {
    Taken taken =
        new Taken(
            Arrays.copyOf(costsNs, costsNs.length), Arrays.copyOf(wallsNs, wallsNs.length), late);
    size = 0;
    late = 0;
    stride = STRIDE;
    full = false;
    return taken;
  }
}
