package dev.takt.bench;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.rtj.BaselineProgram;
import dev.takt.bench.session.BesideEchoRun;
import dev.takt.bench.session.BesideMailRun;
import dev.takt.bench.session.BusyRun;
import dev.takt.bench.session.DepthRun;
import dev.takt.bench.session.EchoPeer;
import dev.takt.bench.session.EchoRole;
import dev.takt.bench.session.EchoRun;
import dev.takt.bench.session.MailPeer;
import dev.takt.bench.session.MailRun;
import dev.takt.bench.session.OverloadRun;
import dev.takt.bench.session.PacedTask;
import dev.takt.bench.session.SessionReport;
import dev.takt.bench.session.SuspendedRun;
import dev.takt.bench.session.SwitchPeer;
import dev.takt.bench.session.SwitchRun;
import dev.takt.bench.session.WaitingRun;
import dev.takt.cli.report.Report;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The mail's experiment, and what sessions cost beside threads, continuations and callbacks. */
final class SessionSuite {
  static final Suite SUITE =
      new Suite("session", "Takt: sessions beside threads and callbacks", SessionSuite::run);

  /** The same for all: no heap that grows, and what the stepped sessions stand on. */
  private static final List<String> FLAGS =
      List.of("-Xms1g", "-Xmx1g", "--add-exports", "java.base/jdk.internal.vm=ALL-UNNAMED");

  /** A million sessions with their stacks. */
  private static final List<String> LARGE = List.of("-Xms4g", "-Xmx4g");

  /** The same, and each call that is to be deep stays one. */
  private static final List<String> DEEP =
      Stream.concat(FLAGS.stream(), SwitchRun.FLAGS.stream()).toList();

  /** How many calls are between the begin of a session and the place where it waits. */
  private static final List<Integer> DEPTHS = List.of(1, 10, 30);

  /** The least that can be told in batches. */
  private static final int DEEP_TURNS = 4_000;

  private static final long LIMIT_S = 180;
  private static final int SYNC_ALONE = 1;

  /** How many times what a stage can do it gets. */
  private static final double OVERLOAD = 10;

  private static final long MILLI_NS = 1_000_000;

  /** Transactions with delays mostly wait: so much longer it takes until all is compiled. */
  private static final int DELAYED_WARMUP = 4;

  /**
   * Without threads: of 10,000 that are ready the one that is to start the task is a 10,000th, and
   * has not started it after minutes.
   */
  static final List<EchoPeer> BESIDE =
      List.of(EchoPeer.NETTY, EchoPeer.VIRTUAL, EchoPeer.SESSION, EchoPeer.TIMED);

  private SessionSuite() {}

  private static void run(SuiteRunner runner, Report report) throws InterruptedException {
    report.machine().with("session_jvm_flags", String.join(" ", FLAGS));
    SessionReport rows = new SessionReport(report);
    RunProfile.Session profile = runner.profile().session();
    mail(runner, rows, profile);
    switches(runner, rows, profile);
    memory(runner, rows, profile);
    echo(runner, report, rows, profile);
    try (BaselineProgram floor =
        runner.isPlan() ? BaselineProgram.none() : BaselineProgram.compile()) {
      floor
          .problem()
          .ifPresent(
              why ->
                  runner.warn(
                      report,
                      "No floor is measured beside the tasks of 1 kHz, because there is no C"
                          + " compiler (apt-get install gcc): "
                          + why));
      overload(runner, rows, profile, floor);
      tasks(runner, rows, profile, floor);
    } catch (IOException e) {
      runner.fail("floor", e.getMessage());
    }
    rows.addTasks();
  }

  /** A task of 1 kHz, alone and beside sessions, transactions and echo servers. */
  private static void tasks(
      SuiteRunner runner, SessionReport rows, RunProfile.Session profile, BaselineProgram floor)
      throws InterruptedException {
    PacedTask task = task(profile, profile.taskMs(), floor);
    for (int sessions : profile.busy()) {
      BusyRun run = new BusyRun(sessions, task);
      paced(runner, "" + sessions, run, BusyRun.Found.class)
          .ifPresent(found -> rows.add(run, found));
    }
    PacedTask beside = task(profile, profile.besideMs(), floor);
    int all = profile.transactions();
    boolean peers = profile.besidePeers();
    for (MailPeer each : peers ? MailPeer.values() : new MailPeer[] {MailPeer.SESSION}) {
      int parallel = each == MailPeer.SYNC ? SYNC_ALONE : all;
      BesideMailRun run = new BesideMailRun(each, all, parallel, beside);
      paced(runner, "mail-" + each.word(), run, BesideMailRun.Found.class)
          .ifPresent(found -> rows.add(run, found));
    }
    RunProfile.Echo most = profile.echoes().getLast();
    int clients = most.connections();
    for (EchoPeer each : peers ? BESIDE : List.of(EchoPeer.SESSION)) {
      EchoRole echo = new EchoRole(each, clients, runner.profile().forked());
      BesideEchoRun run = new BesideEchoRun(echo, most.warmupMs(), beside);
      paced(runner, "echo-" + clients + each.suffix(), run, BesideEchoRun.Found.class)
          .ifPresent(found -> rows.add(run, found));
    }
  }

  private static PacedTask task(RunProfile.Session profile, int measureMs, BaselineProgram floor) {
    int turns = profile.taskTurns();
    return new PacedTask(measureMs / 5 / turns, measureMs, turns, floor.path());
  }

  private static <R> Optional<R> paced(
      SuiteRunner runner, String besideWhat, ChildRun.Body<R> run, Class<R> found)
      throws InterruptedException {
    return runner.work(
        "task-1khz-" + besideWhat,
        () -> runner.measure(SuiteRunner.woven(FLAGS), run, found, LIMIT_S));
  }

  private static void memory(SuiteRunner runner, SessionReport rows, RunProfile.Session profile)
      throws InterruptedException {
    SuspendedRun suspended = new SuspendedRun(profile.suspended());
    runner
        .work(
            "bytes-suspended",
            () -> runner.measure(LARGE, suspended, SuspendedRun.Found.class, LIMIT_S))
        .ifPresent(found -> rows.add(suspended, found));
    WaitingRun waiting = new WaitingRun(profile.waiting());
    runner
        .work(
            "waiting-" + profile.waiting(),
            () -> runner.measure(LARGE, waiting, WaitingRun.Found.class, LIMIT_S))
        .ifPresent(
            found -> {
              rows.add(waiting, found);
              if (found.delivered() < waiting.sessions() || found.doubled() > 0) {
                runner.fail(
                    "waiting-" + waiting.sessions(),
                    found.delivered() + " were delivered and " + found.doubled() + " twice");
              }
            });
  }

  private static void echo(
      SuiteRunner runner, Report report, SessionReport rows, RunProfile.Session profile)
      throws InterruptedException {
    boolean lowered = false;
    for (RunProfile.Echo each : profile.echoes()) {
      EchoRun run =
          new EchoRun(
              each.connections(),
              each.turns(),
              each.warmupMs(),
              each.measureMs(),
              FLAGS,
              runner.profile().forked());
      String name = "echo-" + each.connections();
      Optional<EchoRun.Found> found = runner.work(name + ", all peers in turns", run);
      found.ifPresent(
          figures -> {
            rows.add(run, figures);
            figures.failures().forEach((peer, why) -> runner.fail(name + peer.suffix(), why));
          });
      lowered |= found.isPresent() && found.get().isLowered(run);
    }
    if (lowered) {
      runner.warn(
          report,
          "There were fewer connections than asked for (lowered): a process may not open so many"
              + " files here; raise the limit (ulimit -n).");
    }
  }

  /** One worker with items of a millisecond gets ten times what it can do. */
  private static void overload(
      SuiteRunner runner, SessionReport rows, RunProfile.Session profile, BaselineProgram floor)
      throws InterruptedException {
    int measuredMs = profile.overloadMs();
    PacedTask task = new PacedTask(measuredMs / 10, measuredMs, profile.taskTurns(), floor.path());
    OverloadRun run = new OverloadRun(task, 1, MILLI_NS, 20 * MILLI_NS, OVERLOAD);
    runner
        .work(
            "overload",
            () -> runner.measure(SuiteRunner.woven(FLAGS), run, OverloadRun.Figures.class, LIMIT_S))
        .ifPresent(rows::add);
  }

  private static void mail(SuiteRunner runner, SessionReport rows, RunProfile.Session profile)
      throws InterruptedException {
    for (long delayNs : List.of(0L, MILLI_NS)) {
      for (MailPeer each : MailPeer.values()) {
        mail(runner, rows, mail(profile, each, delayNs));
      }
    }
  }

  private static MailRun mail(RunProfile.Session profile, MailPeer peer, long delayNs) {
    int all = profile.transactions();
    boolean alone = peer == MailPeer.SYNC;
    if (delayNs > 0) {
      int transactions = alone ? profile.delayedAlone() : all;
      return new MailRun(
          peer,
          transactions,
          List.of(alone ? SYNC_ALONE : all),
          delayNs,
          alone ? 0 : DELAYED_WARMUP * profile.warmupMs(),
          alone ? 1 : profile.delayedRuns());
    }
    List<Integer> parallel = alone ? List.of(SYNC_ALONE) : profile.parallel();
    return new MailRun(peer, all, parallel, 0, profile.warmupMs(), profile.runs());
  }

  private static void mail(SuiteRunner runner, SessionReport rows, MailRun run)
      throws InterruptedException {
    String name = "mail-" + run.peer().word() + (run.delayNs() == 0 ? "" : "-1ms");
    runner
        .work(name, () -> runner.measure(FLAGS, run, MailRun.Found.class, LIMIT_S))
        .ifPresent(found -> rows.add(run, found));
  }

  private static void switches(SuiteRunner runner, SessionReport rows, RunProfile.Session profile)
      throws InterruptedException {
    for (SwitchPeer each : SwitchPeer.values()) {
      SwitchRun run = new SwitchRun(each, profile.turns() / 2, profile.turns());
      runner
          .child("suspend-resume" + each.suffix(), FLAGS, run)
          .ifPresent(found -> rows.add(each, found));
    }
    for (SwitchPeer each : SwitchPeer.values()) {
      int turns = Math.max(DEEP_TURNS, profile.turns() / 10);
      DepthRun run = new DepthRun(each, DEPTHS, turns, turns);
      runner
          .work(
              "suspend-resume" + each.suffix() + "-depth",
              () -> runner.measure(DEEP, run, DepthRun.Found.class, LIMIT_S))
          .ifPresent(found -> rows.add(run, found));
    }
  }
}
