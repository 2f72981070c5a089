package dev.takt.bench.session;

import dev.takt.bench.measure.Measurement;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;

/**
 * Puts what was found into the report.
 *
 * <p><b>Thread rule:</b> one thread.
 */
public final class SessionReport {
  private static final double MS = 1e6;

  /** The transactions of the mail, which all figures are for. */
  private static final int TRANSACTIONS = 1_000;

  private final Report report;

  /** Makes one. */
  public SessionReport(Report report) {
    this.report = report;
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
    figure.addTo(report.add("suspend-resume" + peer.suffix(), "ns", figure.p50()));
  }
}
