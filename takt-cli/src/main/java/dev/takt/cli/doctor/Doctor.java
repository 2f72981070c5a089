package dev.takt.cli.doctor;

import dev.takt.cli.report.Machine;
import dev.takt.cli.report.Plot;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import dev.takt.realtime.os.OperatingSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Looks at a machine, measures it, and puts both into one report. */
final class Doctor {
  private final FileSystemRoot root;
  private final OperatingSystem system;
  private final List<Probe> probes;
  private final List<DoctorFinding> findings = new ArrayList<>();
  private final Report report =
      new Report("doctor", "Takt: what makes tasks late here", Machine.detect());

  Doctor(FileSystemRoot root, OperatingSystem system) {
    this.root = root;
    this.system = system;
    this.probes =
        List.of(
            new HostProbe(),
            new CpuProbe(),
            new PowerProbe(),
            new SchedulerProbe(),
            new PrivilegeProbe(),
            new GrantProbe(system),
            new MemoryProbe(),
            new CgroupProbe(Runtime.getRuntime().maxMemory()),
            JvmProbe.ofThisJvm());
  }

  /** Looks at everything that can be read. */
  void look() {
    for (Probe probe : probes) {
      findings.addAll(probe.examine(root));
    }
  }

  /**
   * Measures.
   *
   * @param durationNs for how long, in nanoseconds, about
   * @param cyclictest what to measure beside it, if it is installed
   * @param progress gets what is measured next
   */
  void measure(long durationNs, Optional<Cyclictest> cyclictest, Consumer<String> progress) {
    ClockMeter clock = ClockMeter.measure();
    report.add("nanotime-step", "ns", clock.stepNs());
    report.add("nanotime-call", "ns", Result.rounded(clock.callNs()));
    findings.add(Thresholds.clock(clock));
    int fifoPriority = GrantProbe.fifoPriority(system);
    Optional<CpuTimes> before = CpuTimes.of(root);
    MeasurementRun examination =
        new MeasurementRun(system, fifoPriority, cyclictest, durationNs, progress);
    List<TimeMeasurement> measurements = examination.run();
    Optional<CpuTimes> after = CpuTimes.of(root);
    measurements.forEach(this::add);
    report
        .add("collections-load", "ms", examination.collectionsUnderLoad().ms())
        .with("samples", examination.collectionsUnderLoad().count());
    addPeers(measurements);
    addPlots(measurements);
    findings.addAll(new Thresholds(measurements).findings());
    if (before.isPresent() && after.isPresent()) {
      report.add("steal", "%", Result.rounded(after.get().stolenPercentSince(before.get())));
      findings.add(Thresholds.steal(before.get(), after.get()));
    }
    report.note(
        "Times are how late a thread woke up, or for how long it stood still; value is p99, of gaps"
            + " the maximum. "
            + (fifoPriority > 0
                ? "FIFO is with priority " + fifoPriority + ". "
                : "No real-time policy was granted, so none was measured. ")
            + beside(measurements, cyclictest.isPresent()));
  }

  private static String beside(List<TimeMeasurement> measurements, boolean installed) {
    if (measurements.stream().anyMatch(each -> each.name().startsWith("cyclictest-"))) {
      return "cyclictest counts whole microseconds.";
    }
    return installed
        ? "cyclictest cannot be run without a real-time policy."
        : "With cyclictest installed, the machine's own share would stand beside.";
  }

  private void add(TimeMeasurement each) {
    // Nearly all looks at the clock are one step apart; what counts is the rest.
    boolean gaps = each.name().startsWith("gaps-");
    report
        .add(each.name(), "us", Result.rounded(gaps ? each.maxUs() : each.us(99)))
        .with("p50", Result.rounded(each.us(50)))
        .with("p99", Result.rounded(each.us(99)))
        .with("p999", Result.rounded(each.us(99.9)))
        .with("max", Result.rounded(each.maxUs()))
        .with("samples", each.ns().getTotalCount());
  }

  private void addPeers(List<TimeMeasurement> measurements) {
    Map<String, TimeMeasurement> byName =
        measurements.stream().collect(Collectors.toMap(TimeMeasurement::name, Function.identity()));
    for (String when : List.of(MeasurementRun.IDLE, MeasurementRun.LOAD)) {
      TimeMeasurement peer = byName.get("cyclictest-" + when);
      TimeMeasurement mine = byName.get("lateness-" + SleepMethod.FIFO.word() + "-" + when);
      if (peer != null && mine != null && peer.us(99) > 0 && mine.us(99) > 0) {
        report.result(mine.name()).withPeer("cyclictest", Result.rounded(peer.us(99)));
      }
    }
  }

  private void addPlots(List<TimeMeasurement> measurements) {
    for (String when : List.of(MeasurementRun.IDLE, MeasurementRun.LOAD)) {
      addPlot("Timer lateness, " + when, "(lateness-.*|cyclictest)-" + when, measurements);
      addPlot("Hand-over to a sleeping thread, " + when, "handover-.*-" + when, measurements);
    }
    addPlot("Gaps of a thread that spins", "gaps-.*", measurements);
  }

  private void addPlot(String title, String names, List<TimeMeasurement> measurements) {
    Plot plot = Plot.histogram(title, "ns");
    for (TimeMeasurement each : measurements) {
      if (each.name().matches(names)) {
        plot.histogram(series(each.name()), each.ns());
      }
    }
    report.add(plot);
  }

  /** The way of sleeping, which has one name in all plots; of gaps, when they were measured. */
  private static String series(String name) {
    return name.replaceAll("^(lateness|handover|gaps)-", "").replaceAll("-(idle|load)$", "");
  }

  List<DoctorFinding> findings() {
    return List.copyOf(findings);
  }

  /** The report with all findings. */
  Report report() {
    report.put(
        "findings", FindingTable.sorted(findings).stream().map(DoctorFinding::members).toList());
    report.verdict(
        findings.stream().noneMatch(DoctorFinding::isBad), FindingTable.summary(findings));
    return report;
  }
}
