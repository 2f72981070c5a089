package dev.takt.bench.measure;

import java.util.Arrays;

/**
 * When the batches of iterations of a task ended: the clock is read once in a batch. It refers to
 * nothing that changes, so a task may keep it; what is noted stays when a release is undone.
 *
 * <p><b>Thread rule:</b> {@link #tick} and {@link #skip} for the measured task; the rest for any
 * thread.
 */
public final class Ticks {
  private final int batch;
  private final int warmupMarks;
  private final long[] marksNs;
  private volatile int marks;
  private long skippedNs;

  /**
   * Makes it.
   *
   * @param batch the iterations between two looks at the clock
   * @param warmup how many iterations come before those that count; rounded up to whole batches,
   *     one at least
   * @param iterations how many iterations count; rounded up to whole batches, one at least
   */
  Ticks(int batch, int warmup, int iterations) {
    this.batch = batch;
    warmupMarks = batches(warmup);
    marksNs = new long[warmupMarks + batches(iterations)];
  }

  private int batches(int iterations) {
    return Math.max(1, (iterations + batch - 1) / batch);
  }

  /** Returns how many iterations it takes until everything is measured. */
  public long total() {
    return marksNs.length * (long) batch;
  }

  /**
   * An iteration has come this far.
   *
   * @param iteration its number, 1 and up; the number of one that was undone comes again with the
   *     next one, and then the later moment counts
   * @return false from the last one on
   */
  public boolean tick(long iteration) {
    if (endsBatch(iteration)) {
      int count = (int) (iteration / batch);
      marksNs[count - 1] = System.nanoTime() - skippedNs;
      marks = count;
    }
    return iteration < total();
  }

  boolean endsBatch(long iteration) {
    return iteration % batch == 0 && iteration <= total();
  }

  /** Leaves out the time that the task spent on something else than iterations. */
  public void skip(long durationNs) {
    skippedNs += durationNs;
  }

  /** Returns how many batches have ended. */
  int marks() {
    return marks;
  }

  /** Returns how many batches there are to be. */
  int batches() {
    return marksNs.length;
  }

  /** Returns whether the warm-up is over. */
  boolean isWarm() {
    return marks >= warmupMarks;
  }

  /**
   * Returns the mark from which on batches count: the end of the warm-up, or, where the time was
   * over before there were any more, the middle.
   */
  int firstMark() {
    int first = marks > warmupMarks ? warmupMarks - 1 : marks / 2;
    if (marks - first < 2) {
      throw new IllegalStateException(
          "only %d batches of %d were measured; is the machine overloaded?"
              .formatted(marks, marksNs.length));
    }
    return first;
  }

  /**
   * Returns the measurement of the batches that count.
   *
   * @param divisor how many iterations of the figure one iteration of the task stands for
   * @param batchBytes what was allocated in a batch
   */
  Measurement figure(int divisor, double batchBytes) {
    long iterations = (long) batch * divisor;
    return Measurement.of(
        Arrays.copyOfRange(marksNs, firstMark(), marks), iterations, batchBytes / iterations);
  }
}
