package dev.takt.cli.doctor;

import dev.takt.realtime.LeadBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What to think of measurements. */
final class Thresholds {
  /** What a release timer can hide, because it asks to be woken that much earlier, and spins. */
  static final long HIDDEN_NS = LeadBounds.DEFAULT_MAX_LEAD_NS;

  /** A thread of the highest priority that stands still for longer than this loses deadlines. */
  static final long LONG_GAP_NS = 1_000_000;

  /** A clock coarser than this cannot tell releases apart that are microseconds long. */
  private static final long COARSE_NS = 1_000;

  private final Map<String, TimeMeasurement> measurements;

  Thresholds(List<TimeMeasurement> measurements) {
    this.measurements =
        measurements.stream().collect(Collectors.toMap(TimeMeasurement::name, Function.identity()));
  }

  static DoctorFinding clock(ClockMeter clock) {
    return DoctorFinding.of(
        clock.stepNs() <= COARSE_NS,
        "nanoTime",
        String.format(
            Locale.ROOT, "smallest step %d ns, one call %.0f ns", clock.stepNs(), clock.callNs()),
        "nothing can be timed more finely than this step",
        "see clock source");
  }

  /** One finding for each thing that was measured, from the best way that was granted. */
  List<DoctorFinding> findings() {
    List<DoctorFinding> findings = new ArrayList<>();
    for (String when : List.of(MeasurementRun.IDLE, MeasurementRun.LOAD)) {
      lateness(when).ifPresent(findings::add);
      handover(when).ifPresent(findings::add);
      gaps(when).ifPresent(findings::add);
    }
    return findings;
  }

  private Optional<DoctorFinding> lateness(String when) {
    Optional<TimeMeasurement> peer = Optional.ofNullable(measurements.get("cyclictest-" + when));
    return best("lateness-", when)
        .map(
            best ->
                DoctorFinding.of(
                    isPrompt(best),
                    "lateness, " + when,
                    figures(best)
                        + peer.map(each -> "; cyclictest p99 " + Math.round(each.us(99)) + " us")
                            .orElse(""),
                    p99Ns(best) > HIDDEN_NS
                        ? "one release in a hundred begins more than "
                            + HIDDEN_NS / 1_000
                            + " us late"
                        : "now and then a release begins more than "
                            + LONG_GAP_NS / 1_000_000
                            + " ms late",
                    peer.map(Thresholds::blame).orElse("") + remedy(when)));
  }

  /** Whether next to all is in time, and nothing is very late. */
  private static boolean isPrompt(TimeMeasurement measurement) {
    return p99Ns(measurement) <= HIDDEN_NS && measurement.ns().getMaxValue() <= LONG_GAP_NS;
  }

  /** What a C program of the same priority suffers, too, is the machine's. */
  private static String blame(TimeMeasurement peer) {
    return !isPrompt(peer)
        ? "the machine's share, as cyclictest shows: "
        : "the JVM's share, as cyclictest does not have it: ";
  }

  private Optional<DoctorFinding> handover(String when) {
    return best("handover-", when)
        .map(
            best ->
                DoctorFinding.of(
                    isPrompt(best),
                    "hand-over, " + when,
                    figures(best),
                    p99Ns(best) > HIDDEN_NS
                        ? "one event in a hundred reaches a waiting task that much later"
                        : "now and then an event reaches a waiting task that much later",
                    remedy(when)));
  }

  private Optional<DoctorFinding> gaps(String when) {
    return Optional.ofNullable(measurements.get("gaps-" + when))
        .map(
            gaps ->
                DoctorFinding.of(
                    gaps.ns().getMaxValue() <= LONG_GAP_NS,
                    "gaps, " + when,
                    String.format(
                        Locale.ROOT, "at most %.0f us in a thread that only spins", gaps.maxUs()),
                    "something stopped a thread that wanted to run: the host, an interrupt, or a"
                        + " thread of higher priority",
                    remedy(when)));
  }

  private Optional<TimeMeasurement> best(String prefix, String when) {
    for (SleepMethod way : List.of(SleepMethod.FIFO, SleepMethod.SLEEPER, SleepMethod.PARK)) {
      TimeMeasurement measurement = measurements.get(prefix + way.word() + "-" + when);
      if (measurement != null) {
        return Optional.of(measurement);
      }
    }
    return Optional.empty();
  }

  private static String remedy(String when) {
    return when.equals(MeasurementRun.IDLE)
        ? "mend what is marked above: load, steal time, idle states, real-time policy"
        : "mend what is marked above: real-time policy, collector, isolated cpus";
  }

  private static long p99Ns(TimeMeasurement measurement) {
    return measurement.ns().getValueAtPercentile(99);
  }

  private static String figures(TimeMeasurement measurement) {
    return String.format(
        Locale.ROOT,
        "p50 %.0f us, p99 %.0f us, max %.0f us",
        measurement.us(50),
        measurement.us(99),
        measurement.maxUs());
  }

  /** What the host took while it was measured. */
  static DoctorFinding steal(CpuTimes before, CpuTimes after) {
    double percent = after.stolenPercentSince(before);
    return DoctorFinding.of(
        percent == 0,
        "steal, measured",
        String.format(Locale.ROOT, "%.3g %% of the time of the measurement", percent),
        "the host gave this machine's processors to others just now",
        "see steal time");
  }
}
