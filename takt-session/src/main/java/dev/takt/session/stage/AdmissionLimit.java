package dev.takt.session.stage;

/**
 * How many items a stage may have at once so that 90 of 100 are handled within a target time.
 *
 * <p><b>How.</b> What a stage has, divided by what it handles in a second, is how long an item
 * takes (Little's law). So the limit is {@code target * workers / time of a worker for an item},
 * times a factor. The time is learned from each batch and forgets half of what it knows in 22. The
 * factor makes good what a mean does not tell: when {@value #SAMPLES} items were handled that were
 * accepted since the last change, it is multiplied by the root of target / measured p90; upwards
 * only if an item was shed meanwhile, since otherwise the limit was of no consequence.
 *
 * <p><b>Guarantees.</b> (1) The limit is never below the number of workers, so a stage whose target
 * is below what a single item takes still works. (2) Until the first batch was handled, only the
 * capacity bounds.
 *
 * <p><b>Thread rule.</b> One thread at a time. <b>Memory.</b> 3 KB; nothing is allocated after it
 * was made. <b>Complexity.</b> O(1); each {@value #SAMPLES} items some 700 steps.
 */
final class AdmissionLimit {
  /** How many items tell a percentile. */
  static final int SAMPLES = 64;

  private static final int PERCENT = 90;
  private static final double KEPT = 31.0 / 32;
  private static final double MIN_STEP = 0.5;
  private static final double MAX_STEP = 1.25;
  private static final double MIN_FACTOR = 1.0 / 16;
  private static final double MAX_FACTOR = 4;

  private final long targetNs;
  private final int workers;
  private final int max;
  private final TimeHistogram responses = new TimeHistogram();
  private double knownNs;
  private double knownItems;
  private double factor = 1;
  private long changedNs;
  private boolean isBound;
  private int limit;

  /**
   * Makes one.
   *
   * @param targetNs zero: the limit is {@code max}
   * @param max the most items that a stage can have
   */
  AdmissionLimit(long targetNs, int workers, int max, long nowNs) {
    this.targetNs = targetNs;
    this.workers = workers;
    this.max = max;
    limit = max;
    changedNs = nowNs;
  }

  int limit() {
    return limit;
  }

  /** An item was refused because of the limit. */
  void shed() {
    isBound = true;
  }

  /** A worker has handled items of a batch. */
  void served(int items, long serviceNs) {
    if (targetNs > 0) {
      knownNs = knownNs * KEPT + serviceNs;
      knownItems = knownItems * KEPT + items;
      compute();
    }
  }

  /** An item was handled. */
  void responded(long acceptedNs, long nowNs) {
    if (targetNs > 0 && acceptedNs - changedNs >= 0) {
      responses.add(nowNs - acceptedNs);
      if (responses.count() == SAMPLES) {
        adapt(responses.percentileNs(PERCENT));
        responses.clear();
        isBound = false;
        changedNs = nowNs;
      }
    }
  }

  private void adapt(long p90Ns) {
    if (isBound || p90Ns > targetNs) {
      double step = Math.sqrt(targetNs / (double) Math.max(1, p90Ns));
      factor = Math.clamp(factor * Math.clamp(step, MIN_STEP, MAX_STEP), MIN_FACTOR, MAX_FACTOR);
      compute();
    }
  }

  private void compute() {
    double items = factor * targetNs * workers * knownItems / Math.max(1, knownNs);
    limit = (int) Math.max(Math.min(workers, max), Math.min(items, max));
  }
}
