package dev.takt.bench.session;

import dev.takt.bench.measure.Measurement;
import dev.takt.cli.report.Plot;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import java.util.Collections;

/**
 * Puts what was found into the report.
 *
 * <p><b>Thread rule:</b> one thread.
 */
public final class SessionReport {
  private static final String TURN_P99 = "turn_p99_ns";
  private static final String TURN_P999 = "turn_p999_ns";
  private static final double MS = 1e6;
  private static final double S = 1e9;

  /** What a suspended session may take beyond its stack. */
  private static final int BYTES_LIMIT = 1_024;

  /**
   * How much longer the task's gaps may be beside sessions than without, at their 99.9th percent.
   */
  private static final double TASK_LIMIT = 1.5;

  /** The transactions of the mail, which all figures are for. */
  private static final int TRANSACTIONS = 1_000;

  private final Plot gaps = plot("busy sessions");
  private final Plot besideMail = plot("the transactions of the mail");
  private final Plot besideEcho = plot("echo servers");

  private final Report report;

  /** Makes one. */
  public SessionReport(Report report) {
    this.report = report;
  }

  private static Plot plot(String what) {
    return Plot.histogram("From one release of a 1 kHz task to the next beside " + what, "ns")
        .mark("period", 1_000_000);
  }

  /** Adds the mail's transactions: the value is that of the most at the same time. */
  public void add(MailRun run, MailRun.Found found) {
    String suffix = run.delayNs() == 0 ? "" : "-1ms";
    String name = "mail-" + run.peer().word() + suffix;
    int most = run.parallel().getLast();
    MailRun.Figure figure = found.figure(most, false);
    Result result =
        report
            .add(name, "ms", ms(run, figure.p50Ns()))
            .with("parallel", most)
            .with("min", ms(run, figure.minNs()))
            .with("max", ms(run, figure.maxNs()))
            .with("transactions", run.transactions())
            .with("runs", run.runs());
    for (MailRun.Figure each : found.figures()) {
      if (each.called()) {
        result.with("called_n" + each.parallel() + "_ms", ms(run, each.p50Ns()));
      } else if (each.parallel() != most) {
        result.with("n" + each.parallel() + "_ms", ms(run, each.p50Ns()));
      }
    }
    compare(result, name, "mail-sync" + suffix);
    if (run.delayNs() > 0) {
      double delayMs = 2 * MailTransaction.ROUNDS * run.delayNs() / MS;
      double leastMs = delayMs * Math.ceilDiv(TRANSACTIONS, most);
      result
          .with("delay_ms", Result.rounded(leastMs))
          .with("times_delay", Result.rounded(ms(run, figure.p50Ns()) / leastMs));
    }
  }

  private void compare(Result result, String name, String other) {
    Result sync = report.result(other);
    if (sync == null || name.equals(other)) {
      return;
    }
    result.withPeer(other, (Number) sync.value()).with("times_sync", times(result, sync, "value"));
    if (result.get("called_n1_ms") != null && sync.get("called_n1_ms") != null) {
      result.with("times_sync_called", times(result, sync, "called_n1_ms"));
    }
  }

  private static double times(Result result, Result sync, String member) {
    return Result.rounded(
        ((Number) result.get(member)).doubleValue() / ((Number) sync.get(member)).doubleValue());
  }

  /** The time of as many transactions as the mail has. */
  private static double ms(MailRun run, long ns) {
    return Result.rounded(ns / MS * TRANSACTIONS / run.transactions());
  }

  /** Adds what suspending and resuming costs. */
  public void add(SwitchPeer peer, Measurement figure) {
    Result result =
        report
            .add("suspend-resume" + peer.suffix(), "ns", figure.p50())
            .with("mean", figure.mean())
            .with("p99", figure.percentile(99))
            .with("p999", figure.percentile(99.9))
            .with("max", figure.percentile(100))
            .with("batch", figure.iterations());
    if (peer.limitNs() > 0) {
      result.with("limit", peer.limitNs());
    }
    Result other = report.result("suspend-resume" + SwitchPeer.JAVAFLOW.suffix());
    if (other != null && other != result) {
      result.withPeer("javaflow", (Number) other.value());
    }
  }

  /** Adds what it costs deep in calls; the peer comes first. */
  public void add(DepthRun run, DepthRun.Found found) {
    for (int i = 0; i < run.depths().size(); i++) {
      String depth = "-depth-" + run.depths().get(i);
      Measurement staying = found.staying().get(i);
      Result result =
          report
              .add("suspend-resume" + run.peer().suffix() + depth, "ns", staying.p50())
              .with("p99", staying.percentile(99))
              .with("batch", staying.iterations())
              .with("returning", found.returning().get(i).p50());
      Result other = report.result("suspend-resume" + SwitchPeer.JAVAFLOW.suffix() + depth);
      if (other != null && other != result) {
        result
            .withPeer(other.name(), (Number) other.value())
            .with("times_peer_returning", times(result, other, "returning"));
      }
    }
  }

  /** Adds what a suspended session takes beyond its stack. */
  public void add(SuspendedRun run, SuspendedRun.Found found) {
    report
        .add("bytes-suspended", "bytes", Result.rounded(found.bytes() - found.stackBytes()))
        .with("limit", BYTES_LIMIT)
        .with("stack_bytes", Result.rounded(found.stackBytes()))
        .with("bare_bytes", Result.rounded(found.bareBytes() - found.bareStackBytes()))
        .with("bare_stack_bytes", Result.rounded(found.bareStackBytes()))
        .with("sessions", run.sessions());
  }

  /** Adds sessions that wait in an event space. */
  public void add(WaitingRun run, WaitingRun.Found found) {
    long allNs = found.startNs() + found.deliverNs() + found.endNs();
    report
        .add("waiting-" + run.sessions(), "s", Result.rounded(allNs / S))
        .with("start_s", Result.rounded(found.startNs() / S))
        .with("deliver_s", Result.rounded(found.deliverNs() / S))
        .with("end_s", Result.rounded(found.endNs() / S))
        .with("delivered", found.delivered())
        .with("doubled", found.doubled())
        .with("each_bytes", Result.rounded(found.bytes()));
  }

  /** Adds echo servers with as many clients; the peers come first. */
  public void add(EchoRun run, EchoRun.Found found) {
    String name = "echo-" + run.connections();
    EchoRun.Turns netty = found.turns().get(EchoPeer.NETTY);
    found.turns().forEach((peer, turns) -> add(run, name + peer.suffix(), turns, netty));
  }

  private void add(EchoRun run, String name, EchoRun.Turns turns, EchoRun.Turns netty) {
    EchoRole.Turn median = turns.median();
    Result result =
        report
            .add(name, "requests/s", Result.rounded(median.requestsPerS()))
            .withTimes(turns.ns())
            .with(TURN_P99, median.load().ns().getValueAtPercentile(99))
            .with("turns", turns.all().size())
            .with("server_cpu_ns", Result.rounded(turns.cpuNs()))
            .with("connections", turns.connections());
    if (turns.connections() < run.connections()) {
      result.with("lowered", true);
    }
    if (netty != null && netty != turns) {
      Result peer = report.result("echo-" + run.connections() + EchoPeer.NETTY.suffix());
      result
          .withPeer(peer.name(), (Number) peer.value())
          .with("turn_ratio", Result.rounded(turns.ratio(netty)))
          .with("times_peer_p99", times(result, peer, "p99"))
          .with("turn_times_peer_p99", times(result, peer, TURN_P99));
    }
  }

  /** Adds a stage that gets more than it can do, and the task beside it. */
  public void add(OverloadRun.Figures found) {
    PacedTask.Pace alone = found.alone().task();
    PacedTask.Pace beside = found.beside();
    Result result =
        report
            .add("overload", "ns", found.p90Ns())
            .with("target", found.targetNs())
            .with("limit", 2 * found.targetNs())
            .with("p50", found.p50Ns())
            .with("p99", found.p99Ns())
            .with("offered_per_s", Result.rounded(found.offeredPerS()))
            .with("accepted_per_s", Result.rounded(found.acceptedPerS()))
            .with("shed_per_s", Result.rounded(found.shedPerS()))
            .with("full_per_s", Result.rounded(found.fullPerS()))
            .with("heap_before_bytes", found.heapBytes().getFirst())
            .with("heap_after_bytes", found.heapBytes().getLast())
            .with("heap_most_bytes", Collections.max(found.heapStepBytes()))
            .with("task_misses", beside.late())
            .with("task_misses_alone", alone.late())
            .with("task_periods", beside.releases())
            .with("task_p999", beside.lateNs().getValueAtPercentile(99.9))
            .with("task_p999_alone", alone.lateNs().getValueAtPercentile(99.9))
            .with("task_granted", beside.granted());
    PacedTask.Pace floor = found.alone().floor();
    if (floor != null) {
      result
          .with("floor_misses", floor.late())
          .with("floor_p999", floor.lateNs().getValueAtPercentile(99.9));
    }
  }

  /** Adds a task beside busy sessions; the one without any comes first. */
  public void add(BusyRun run, BusyRun.Found found) {
    String name = "task-1khz-" + run.sessions();
    Result result = addTask(name, found.pace()).with("lines", found.lines());
    if (result.get("times_alone") != null) {
      result.with("limit", TASK_LIMIT);
    }
    addGaps(gaps, name, found.pace());
  }

  /** Adds a task beside the transactions of the mail. */
  public void add(BesideMailRun run, BesideMailRun.Found found) {
    String name = "task-1khz-mail-" + run.peer().word();
    addTask(name, found.pace()).with("runs", found.runs());
    addGaps(besideMail, name, found.pace());
  }

  /** Adds a task beside an echo server. */
  public void add(BesideEchoRun run, BesideEchoRun.Found found) {
    EchoRole echo = run.echo();
    String name = "task-1khz-echo-" + echo.connections() + echo.peer().suffix();
    addTask(name, found.pace()).with("connections", found.connections());
    addGaps(besideEcho, name, found.pace());
  }

  private Result addTask(String name, PacedTask.Found found) {
    PacedTask.Pace task = found.task();
    Result result =
        report
            .add(name, "ns", task.gapNs().getValueAtPercentile(99.9))
            .withPercentiles(task.gapNs())
            .with(TURN_P999, task.turnP999Ns())
            .with("misses", task.misses())
            .with("releases", task.releases())
            .with("granted", task.granted());
    if (found.floor() != null) {
      result
          .withPeer("floor", found.floor().gapNs().getValueAtPercentile(99.9))
          .with("floor_turn_p999_ns", found.floor().turnP999Ns())
          .with("floor_misses", found.floor().misses());
    }
    Result alone = report.result("task-1khz-0");
    if (alone != null && alone != result) {
      result
          .with("times_alone", times(result, alone, "p999"))
          .with("turn_times_alone", times(result, alone, TURN_P999));
    }
    return result;
  }

  private static void addGaps(Plot plot, String name, PacedTask.Found found) {
    plot.histogram(name, found.task().gapNs());
    if (found.floor() != null) {
      plot.histogram(name + ", floor", found.floor().gapNs());
    }
  }

  /** Adds the plots of all such tasks. */
  public void addTasks() {
    report.add(gaps);
    report.add(besideMail);
    report.add(besideEcho);
  }
}
