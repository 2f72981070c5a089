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
            Locale.ROOT, "smallest step %d ns, one call %.0f ns", clock.stepNs(), clock.callNs()));
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
                measured(
                    isPrompt(best),
                    p99Ns(best) > HIDDEN_NS ? "lateness" : "lateness/seldom",
                    when,
                    figures(best)
                        + peer.map(each -> "; cyclictest p99 " + Math.round(each.us(99)) + " us")
                            .orElse(""),
                    peer.map(Thresholds::blame).orElse("")));
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
                measured(
                    isPrompt(best),
                    p99Ns(best) > HIDDEN_NS ? "hand-over" : "hand-over/seldom",
                    when,
                    figures(best),
                    ""));
  }

  private Optional<DoctorFinding> gaps(String when) {
    return Optional.ofNullable(measurements.get("gaps-" + when))
        .map(
            gaps ->
                measured(
                    gaps.ns().getMaxValue() <= LONG_GAP_NS,
                    "gaps",
                    when,
                    String.format(
                        Locale.ROOT, "at most %.0f us in a thread that only spins", gaps.maxUs()),
                    ""));
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

  /** What mends it depends on when it was measured; its probe has that in its name. */
  private static DoctorFinding measured(
      boolean good, String key, String when, String found, String blame) {
    String mend =
        when.equals(MeasurementRun.IDLE)
            ? "load, steal time, idle states, real-time policy"
            : "real-time policy, collector, isolated cpus";
    DoctorFinding finding = DoctorFinding.of(good, key, found, blame, mend, HIDDEN_NS / 1_000);
    return finding.named(finding.probe() + ", " + when);
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
        String.format(Locale.ROOT, "%.3g %% of the time of the measurement", percent));
  }
}
