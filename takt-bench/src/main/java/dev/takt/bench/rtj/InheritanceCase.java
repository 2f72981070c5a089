package dev.takt.bench.rtj;

import dev.takt.bench.rtj.inversion.Exclusion;
import dev.takt.bench.rtj.inversion.InversionExperiment;
import dev.takt.bench.rtj.inversion.InversionResult;
import dev.takt.bench.rtj.inversion.InversionSetup;
import dev.takt.rtsj.monitor.Monitor;
import java.util.Arrays;

/**
 * 3.3.2: the three threads of priority inheritance, and how long boost and unboost take; then the
 * same three threads with work to do, which forces the inversion: with the inheriting monitor, and
 * with the language's own.
 */
final class InheritanceCase implements Case {
  /** The forced inversion is no test of the paper: it need not be as slow. */
  private static final long FORCED_PERIOD_NS = 20_000_000;

  @Override
  public void measure(CaseRunner runner) throws Exception {
    InversionSetup latency = InversionSetup.latency(runner.cpu());
    InversionSetup forced = InversionSetup.forced(runner.cpu());
    Exclusion inheriting = Exclusion.of(Monitor.inheritance("inheriting"));
    Exclusion plain = Exclusion.synchronizedBlock();
    runner.warmUp(
        (_, frames, _) -> InversionExperiment.warmUp(latency, frames.count(), inheriting, plain));
    runner.measure(
        new CaseRunner.Variant(
            "latency.",
            "inheritance",
            (_, frames, into) -> latency(run(runner, inheriting, latency, frames), into)));
    runner.measure(
        FORCED_PERIOD_NS,
        new CaseRunner.Variant(
            "pi.",
            "inversion-pi",
            (_, frames, into) -> inversion(run(runner, inheriting, forced, frames), into)),
        new CaseRunner.Variant(
            "plain.",
            "inversion-plain",
            (_, frames, into) -> inversion(run(runner, plain, forced, frames), into)));
  }

  private static void latency(InversionResult result, Samples into) {
    into.add("boost", counted(result, result.boostNs()));
    into.add("unboost", counted(result, result.unboostNs()));
    into.add("both", counted(result, result.totalNs()));
  }

  private static void inversion(InversionResult result, Samples into) {
    into.add("excess", counted(result, result.excessNs()));
    into.add("inverted", result.invertedRounds());
  }

  private static InversionResult run(
      CaseRunner runner, Exclusion exclusion, InversionSetup setup, Frames frames)
      throws InterruptedException {
    InversionResult result =
        InversionExperiment.run(
            exclusion, setup, frames.count() + CaseRunner.LEAD_IN, frames.periodNs());
    result.grants().forEach(runner::granted);
    return result;
  }

  /**
   * Returns what counts: nothing without priorities, because then the threads come in any order.
   */
  private static long[] counted(InversionResult result, long[] values) {
    if (!result.isGranted()) {
      return new long[0];
    }
    return Arrays.stream(values).skip(CaseRunner.LEAD_IN).filter(each -> each >= 0).toArray();
  }
}
