package dev.takt.bench;

/**
 * When the batches of iterations of a task ended: the clock is read once in a batch. It refers to
 * nothing that changes, so a task may keep it; what is noted stays when a release is undone.
 *
 * <p><b>Thread rule:</b> {@link #tick} and {@link #skip} for the measured task; the rest for any
 * thread.
 */
public final class Ticks {
  private final int batch;
  private final long[] marksNs;
  private volatile int marks;
  private long skippedNs;

  Ticks(int batch, int batches) {
    this.batch = batch;
    this.marksNs = new long[batches];
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
    if (iteration % batch == 0 && iteration <= total()) {
      int count = (int) (iteration / batch);
      marksNs[count - 1] = System.nanoTime() - skippedNs;
      marks = count;
    }
    return iteration < total();
  }

  /** Leaves out the time that the task spent on something else than iterations. */
  public void skip(long durationNs) {
    skippedNs += durationNs;
  }

  /** Returns how many batches have ended. */
  int marks() {
    return marks;
  }

  /** Returns when a batch that has ended did. */
  long markNs(int index) {
    return marksNs[index];
  }

  /** Returns how many batches there are to be. */
  int batches() {
    return marksNs.length;
  }
}
