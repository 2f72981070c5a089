package dev.takt.bench.cpu;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.programs.Logarithms;
import dev.takt.realtime.ThreadMeter;
import java.util.Arrays;

/**
 * Finds out how fast this machine calculates {@link Logarithms}, before anything else runs.
 *
 * @param batches how many times so many logarithms are timed
 */
public record Calibration(int batches) implements ChildRun.Body<Calibration.Speed> {
  private static final long BATCH = 10_000;

  /**
   * What it found.
   *
   * @param logarithmsPerMs how many logarithms a millisecond of processor time has, in the median
   */
  public record Speed(double logarithmsPerMs) {
    /** Returns how many logarithms take a time, at least 1. */
    long count(long timeNs) {
      return Math.max(1, Math.round(logarithmsPerMs * timeNs / 1e6));
    }
  }

  @Override
  public Speed run() {
    double[] ns = new double[batches];
    double sum = 0;
    for (int i = -batches / 2; i < batches; i++) {
      long beforeNs = ThreadMeter.system().usedNs();
      sum += Logarithms.sum(BATCH);
      if (i >= 0) {
        ns[i] = Math.max(1, ThreadMeter.system().usedNs() - beforeNs);
      }
    }
    if (Double.isNaN(sum)) {
      throw new IllegalStateException("no logarithm is a number");
    }
    Arrays.sort(ns);
    return new Speed(BATCH / ns[batches / 2] * 1e6);
  }
}
