package dev.takt.bench.host;

import dev.takt.bench.measure.LatenessRecorder;
import dev.takt.bench.pace.PacedRole;
import dev.takt.bench.pace.PacedRun;
import dev.takt.cli.report.Plot;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.HdrHistogram.Histogram;

/**
 * Puts what was found into the report.
 *
 * <p><b>Thread rule:</b> one thread.
 */
public final class HostReport {
  private static final double S = 1e9;

  /** What a write and a take are to need, in nanoseconds. */
  private static final int ROUND_LIMIT_NS = 1_000;

  /** How many events one client is to write, in events a second. */
  private static final int THROUGHPUT_TARGET = 1_000_000;

  /** How many times as late a task may be beside an application as it is alone. */
  private static final double BESIDE_LIMIT = 1.1;

  /** The 99.9th percentile of a turn by itself; of these the median. */
  private static final String TURN_P999 = "turn_p999_ns";

  private final Report report;

  /** Makes one. */
  public HostReport(Report report) {
    this.report = report;
  }

  private static long p50(Histogram ns) {
    return ns.getValueAtPercentile(50);
  }

  /** Adds the round trips of links both of whose sides spin. */
  public void addSpinning(RoundTripRun.Found found) {
    for (HostLink each : HostLink.PEERS) {
      RoundTripRun.Trip trip = found.trips().get(each.word());
      if (trip != null) {
        add("rtt-" + each.word(), trip);
      }
    }
    RoundTripRun.Trip shm = found.trips().get(HostLink.SHM.word());
    if (shm == null) {
      return;
    }
    Result result = addPairs("rtt-shm", shm).with("limit", ROUND_LIMIT_NS);
    for (HostLink each : HostLink.PEERS) {
      RoundTripRun.Trip peer = found.trips().get(each.word());
      if (peer != null) {
        if (each == HostLink.AERON_IPC) {
          result.withPeer("rtt-" + each.word(), p50(peer.roundNs()));
        }
        result.with(
            "times_" + each.word().replace('-', '_'),
            Result.rounded(p50(shm.roundNs()) / (double) Math.max(1, p50(peer.roundNs()))));
      }
    }
  }

  /** Adds the round trips whose sides sleep. */
  public void addSleeping(RoundTripRun.Found found) {
    RoundTripRun.Trip trip = found.trips().get(HostLink.SHM_WAKE.word());
    if (trip == null) {
      return;
    }
    Histogram writeNs = trip.partNs().getFirst();
    Result result =
        report
            .add("rtt-shm-wake", "ns", p50(writeNs))
            .withPercentiles(writeNs)
            .with("take_p50_ns", p50(trip.partNs().getLast()))
            .with("client_bytes", Result.rounded(trip.clientBytes()))
            .with("host_bytes", Result.rounded(trip.hostBytes()));
    Histogram floorNs = found.floorNs();
    if (floorNs != null) {
      report.add("futex", "ns", p50(floorNs)).withPercentiles(floorNs);
      result
          .withPeer("futex", p50(floorNs))
          .with("times_futex", Result.rounded(p50(writeNs) / (double) p50(floorNs)));
    }
  }

  private Result add(String name, RoundTripRun.Trip trip) {
    return report
        .add(name, "ns", p50(trip.roundNs()))
        .withPercentiles(trip.roundNs())
        .with("client_bytes", Result.rounded(trip.clientBytes()))
        .with("host_bytes", Result.rounded(trip.hostBytes()));
  }

  private Result addPairs(String name, RoundTripRun.Trip trip) {
    List<Histogram> parts = trip.partNs();
    return add(name, trip)
        .with("write_p50_ns", p50(parts.getFirst()))
        .with("write_p99_ns", parts.getFirst().getValueAtPercentile(99))
        .with("take_p50_ns", p50(parts.getLast()))
        .with("take_p99_ns", parts.getLast().getValueAtPercentile(99));
  }

  /** Adds clients all of which write. */
  public void addThroughput(WritesRun run, WritesRun.Found found) {
    Result result =
        report
            .add("throughput-shm-" + run.clients(), "events/s", eventsPerSecond(found))
            .withTimes(found.writeNs())
            .with("events_a_transaction", run.link().events());
    if (run.clients() == 1) {
      result.with("target", THROUGHPUT_TARGET);
    }
  }

  /** Adds clients of which one writes; that of one client has the one way, too. */
  public void addClients(WritesRun run, WritesRun.Found found) {
    report
        .add("clients-" + run.clients(), "ns", p50(found.writeNs()))
        .withPercentiles(found.writeNs())
        .with("writes_per_s", eventsPerSecond(found));
    if (run.clients() == 1) {
      report.add("oneway-shm", "ns", p50(found.wayNs())).withPercentiles(found.wayNs());
    }
  }

  private static double eventsPerSecond(WritesRun.Found found) {
    return Result.rounded(found.events() * S / found.elapsedNs());
  }

  /** Adds the task beside an application: the value is the 99.9th percentile of its gaps. */
  public void addBeside(Map<String, BesideRun.Found> found) {
    Plot plot =
        Plot.histogram("From one release of a 100 us task to the next", "ns")
            .mark("period", PacedRun.PERIOD_NS);
    found.forEach(
        (name, each) -> {
          Result result =
              add(name, each.pace())
                  .with("other_mb_s", Math.round(each.otherBytesPerSecond() / 1e6));
          compareWithAlone(result);
          plot.histogram(name, each.pace().gaps().batchNs());
        });
    report.add(plot);
  }

  private Result add(String name, PacedRole.Found pace) {
    Histogram gapNs = pace.gaps().batchNs();
    Result result =
        report
            .add(name, "ns", gapNs.getValueAtPercentile(99.9))
            .withPercentiles(gapNs)
            .with(TURN_P999, Math.round(pace.gaps().count(LatenessRecorder.BLOCK_P999)))
            .with("misses", Math.round(pace.gaps().count("late")))
            .with("periods", Math.round(pace.gaps().count("periods")))
            .with("collections", pace.collections());
    return pace.granted().isEmpty() ? result : result.with("granted", pace.granted());
  }

  /** Adds the task beside hostile clients: the value is the 99.9th percentile of its gaps. */
  public void addHostile(Map<String, HostileRun.Found> found) {
    Plot plot =
        Plot.histogram("From one release of a 1 kHz task to the next", "ns")
            .mark("period", ServingRole.PERIOD_NS);
    found.forEach(
        (name, each) -> {
          HostileRole.Sent sent = each.sent();
          Result result =
              add(name, each.pace())
                  .with("messages", sent.all())
                  .with("messages_shm", sent.memory())
                  .with("messages_tcp", sent.tcp())
                  .with("messages_lines", sent.lines())
                  .with("messages_websocket", sent.webSocket());
          Result quiet = report.result(HostileRun.QUIET);
          if (quiet != null && result != quiet && !name.startsWith(HostileRun.FLOOR)) {
            compare(result, quiet, "quiet");
          }
          plot.histogram(name, each.pace().gaps().batchNs());
        });
    report.add(plot);
  }

  private void compareWithAlone(Result result) {
    Result alone = report.result(BesideRun.ALONE);
    if (alone == null || result == alone || result.name().startsWith(BesideRun.FLOOR)) {
      return;
    }
    compare(result, alone, "alone");
    if (result.name().startsWith("host-")) {
      result.with("limit_times_alone", BESIDE_LIMIT);
    }
  }

  private static Number times(Object value, Object of) {
    return Result.rounded(number(value) / number(of));
  }

  private static double number(Object value) {
    return ((Number) Objects.requireNonNull(value)).doubleValue();
  }

  private static void compare(Result result, Result peer, String word) {
    result
        .withPeer(peer.name(), (Number) peer.value())
        .with("times_" + word, times(result.value(), peer.value()))
        .with("turn_times_" + word, times(result.get(TURN_P999), peer.get(TURN_P999)))
        .with("misses_" + word, Objects.requireNonNull(peer.get("misses")));
  }
}
