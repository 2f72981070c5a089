package dev.takt.cli.doctor;

import dev.takt.realtime.os.OperatingSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.HdrHistogram.Histogram;

/** Measures the machine in one way after the other: idle first, then under load. */
final class MeasurementRun {
  static final String IDLE = "idle";
  static final String LOAD = "load";

  /** What each kind of measurement gets of the whole time, together 100 with all of them. */
  private static final int LATENESS_PERCENT = 7;

  private static final int HANDOVER_PERCENT = 5;
  private static final int SPIN_PERCENT = 7;

  /** So that the measured code is compiled before it is measured; not part of the duration. */
  private static final long WARM_UP_NS = 30_000_000;

  private final OperatingSystem system;
  private final int fifoPriority;
  private final Optional<Cyclictest> cyclictest;
  private final Consumer<String> progress;
  private final long durationNs;
  private final List<TimeMeasurement> measurements = new ArrayList<>();
  private GarbageCollections underLoad = new GarbageCollections(0, 0);

  /**
   * Prepares it.
   *
   * @param system the services to measure
   * @param fifoPriority the priority that FIFO gets here; 0: not granted
   * @param cyclictest what to measure beside it
   * @param durationNs how long all of it takes, in nanoseconds, about
   * @param progress gets what is measured next
   */
  MeasurementRun(
      OperatingSystem system,
      int fifoPriority,
      Optional<Cyclictest> cyclictest,
      long durationNs,
      Consumer<String> progress) {
    this.system = system;
    this.fifoPriority = fifoPriority;
    this.cyclictest = cyclictest;
    this.durationNs = durationNs;
    this.progress = progress;
  }

  List<TimeMeasurement> run() {
    progress.accept("warming up");
    for (SleepMethod way : ways()) {
      LatenessMeter.measure(bench(way), WARM_UP_NS);
      HandoverMeter.measure(bench(way), WARM_UP_NS);
    }
    SpinMeter.measure(bench(SleepMethod.PARK), WARM_UP_NS);
    measureAll(IDLE);
    GarbageCollections before = GarbageCollections.soFar();
    try (BackgroundLoad _ = new BackgroundLoad(Runtime.getRuntime().availableProcessors())) {
      measureAll(LOAD);
    }
    underLoad = GarbageCollections.soFar().since(before);
    return List.copyOf(measurements);
  }

  /** What the collector did under load: it stops the threads of this JVM, but not cyclictest. */
  GarbageCollections collectionsUnderLoad() {
    return underLoad;
  }

  private GrantedSleep bench(SleepMethod way) {
    return new GrantedSleep(system, way, fifoPriority);
  }

  private List<SleepMethod> ways() {
    return fifoPriority > 0
        ? List.of(SleepMethod.values())
        : List.of(SleepMethod.PARK, SleepMethod.SLEEPER);
  }

  private void measureAll(String when) {
    for (SleepMethod way : ways()) {
      measure(
          "lateness-" + way.word() + "-" + when,
          "timer lateness, " + way.label() + ", " + when,
          LATENESS_PERCENT,
          ns -> LatenessMeter.measure(bench(way), ns));
    }
    if (fifoPriority > 0 && cyclictest.isPresent()) {
      measure(
          "cyclictest-" + when,
          "timer lateness, cyclictest, FIFO, " + when,
          LATENESS_PERCENT,
          ns ->
              cyclictest.get().measure(ns, fifoPriority).orElse(TimeMeasurement.emptyHistogram()));
    }
    for (SleepMethod way : ways()) {
      measure(
          "handover-" + way.word() + "-" + when,
          "hand-over to a sleeping thread, " + way.label() + ", " + when,
          HANDOVER_PERCENT,
          ns -> HandoverMeter.measure(bench(way), ns));
    }
    SleepMethod spinner = fifoPriority > 0 ? SleepMethod.FIFO : SleepMethod.PARK;
    measure(
        "gaps-" + when,
        "gaps of a spinning thread" + (fifoPriority > 0 ? ", FIFO, " : ", ") + when,
        SPIN_PERCENT,
        ns -> SpinMeter.measure(bench(spinner), ns));
  }

  private void measure(String name, String what, int percent, LongFunction<Histogram> meter) {
    progress.accept(what);
    Histogram ns = meter.apply(durationNs / 100 * percent);
    if (ns.getTotalCount() > 0) {
      measurements.add(new TimeMeasurement(name, what, ns));
    }
  }
}
