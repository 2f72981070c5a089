package dev.takt.bench.rtj.inversion;

import dev.takt.realtime.os.Grant;
import java.util.Arrays;
import java.util.List;

/**
 * What an {@link InversionExperiment} saw; the arrays have an element for each round, in
 * nanoseconds.
 *
 * @param grants what the low, the medium and the high thread were granted
 * @param boostNs from when the high thread asked to come in until the low one ran again inside
 * @param unboostNs from the low thread's last instruction inside until the high one was inside
 * @param waitNs from when the high thread asked to come in until it was inside
 * @param sectionNs how long the low thread worked inside meanwhile, in processor time
 * @param invertedRounds in how many the medium thread had done its work before the high one was
 *     inside, if it had any: inversion without a bound
 */
public record InversionResult(
    List<Grant> grants,
    long[] boostNs,
    long[] unboostNs,
    long[] waitNs,
    long[] sectionNs,
    int invertedRounds) {
  /** Returns whether all three threads were scheduled as asked. */
  public boolean isGranted() {
    return grants.stream().allMatch(Grant::isComplete);
  }

  /** Returns boost and unboost together, for each round. */
  public long[] totalNs() {
    long[] totals = new long[boostNs.length];
    Arrays.setAll(totals, i -> boostNs[i] + unboostNs[i]);
    return totals;
  }

  /** Returns how much longer than the section the high thread waited, for each round. */
  public long[] excessNs() {
    long[] excesses = new long[waitNs.length];
    Arrays.setAll(excesses, i -> waitNs[i] - sectionNs[i]);
    return excesses;
  }
}
