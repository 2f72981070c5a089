package dev.takt.cli.doctor;

/**
 * How finely and how cheaply this JVM reads the time.
 *
 * @param stepNs the smallest step other than zero
 * @param callNs what one call costs on average, in the batch that was disturbed least
 */
record ClockMeter(long stepNs, double callNs) {
  private static final int BATCHES = 10;
  private static final int READS = 100_000;

  static ClockMeter measure() {
    long stepNs = Long.MAX_VALUE;
    double callNs = Double.MAX_VALUE;
    for (int batch = 0; batch < BATCHES; batch++) {
      long beginNs = System.nanoTime();
      long lastNs = beginNs;
      for (int i = 0; i < READS; i++) {
        long nowNs = System.nanoTime();
        if (nowNs > lastNs) {
          stepNs = Math.min(stepNs, nowNs - lastNs);
        }
        lastNs = nowNs;
      }
      callNs = Math.min(callNs, (double) (lastNs - beginNs) / READS);
    }
    return new ClockMeter(stepNs, callNs);
  }
}
