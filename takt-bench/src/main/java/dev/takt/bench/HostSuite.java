package dev.takt.bench;

import static dev.takt.bench.host.HostLink.SHM_BATCHES;
import static dev.takt.bench.host.HostLink.SHM_WRITES;

import dev.takt.bench.host.BesideRun;
import dev.takt.bench.host.HostLink;
import dev.takt.bench.host.HostReport;
import dev.takt.bench.host.HostileRun;
import dev.takt.bench.host.MeetingFolder;
import dev.takt.bench.host.RoundTripRun;
import dev.takt.bench.host.WritesRun;
import dev.takt.bench.rtj.BaselineProgram;
import dev.takt.cli.report.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The space of a host process from outside, beside other links between processes. */
final class HostSuite {
  static final Suite SUITE =
      new Suite("host", "Takt: a host process and programs outside of it", HostSuite::run);

  /** Of all clients and hosts; what they allocate is counted, and hardly anything. */
  private static final List<String> FLAGS =
      Stream.concat(Stream.of("-Xms256m", "-Xmx256m"), HostLink.FLAGS.stream()).toList();

  private static final long LIMIT_S = 300;

  private HostSuite() {}

  private static void run(SuiteRunner runner, Report report) throws InterruptedException {
    try (BaselineProgram floor =
            runner.isPlan() ? BaselineProgram.none() : BaselineProgram.compile();
        MeetingFolder folder = MeetingFolder.create()) {
      floor
          .problem()
          .ifPresent(
              why ->
                  runner.warn(
                      report,
                      "No floor is measured, because there is no C compiler (apt-get install gcc): "
                          + why));
      HostReport rows = new HostReport(report);
      roundTrips(runner, rows, folder, floor);
      writes(runner, rows, folder);
      beside(runner, rows, floor);
      hostile(runner, rows, folder, floor);
    } catch (IOException e) {
      runner.fail("floor", e.getMessage());
    }
  }

  private static void roundTrips(
      SuiteRunner runner, HostReport rows, MeetingFolder folder, BaselineProgram floor)
      throws IOException, InterruptedException {
    RunProfile.Host profile = runner.profile().host();
    boolean forked = runner.profile().forked();
    List<HostLink> links = Stream.concat(Stream.of(HostLink.SHM), HostLink.PEERS.stream()).toList();
    RoundTripRun spinning =
        new RoundTripRun(
            folder.folder("spin").toString(),
            links,
            profile.turns(),
            profile.rounds(),
            profile.turnMs(),
            forked,
            BaselineProgram.NONE);
    measure(runner, "rtt-shm", spinning, rows::addSpinning);
    RoundTripRun sleeping =
        new RoundTripRun(
            folder.folder("sleep").toString(),
            List.of(HostLink.SHM_WAKE),
            profile.turns(),
            profile.wakes(),
            profile.turnMs(),
            forked,
            floor.path());
    measure(runner, "rtt-shm-wake", sleeping, rows::addSleeping);
  }

  private static void measure(
      SuiteRunner runner, String name, RoundTripRun run, Consumer<RoundTripRun.Found> add)
      throws InterruptedException {
    runner
        .work(name, () -> runner.measure(FLAGS, run, RoundTripRun.Found.class, LIMIT_S))
        .ifPresent(
            found -> {
              add.accept(found);
              found.failures().forEach((link, why) -> runner.fail("rtt-" + link, why));
            });
  }

  private static void writes(SuiteRunner runner, HostReport rows, MeetingFolder folder)
      throws IOException, InterruptedException {
    RunProfile.Host profile = runner.profile().host();
    for (int clients : profile.clients()) {
      WritesRun all =
          writes(runner, SHM_BATCHES, folder.folder("all-" + clients), clients, clients);
      runner
          .work("throughput-shm-" + clients, () -> found(runner, all))
          .ifPresent(found -> rows.addThroughput(all, found));
    }
    for (int clients : profile.clients()) {
      WritesRun one = writes(runner, SHM_WRITES, folder.folder("one-" + clients), clients, 1);
      runner
          .work("clients-" + clients, () -> found(runner, one))
          .ifPresent(found -> rows.addClients(one, found));
    }
  }

  private static WritesRun writes(
      SuiteRunner runner, HostLink link, Path folder, int clients, int active) {
    RunProfile.Host profile = runner.profile().host();
    return new WritesRun(
        link,
        folder.toString(),
        clients,
        active,
        profile.warmupMs(),
        profile.measureMs(),
        runner.profile().forked());
  }

  private static WritesRun.Found found(SuiteRunner runner, WritesRun run) throws Exception {
    return runner.measure(FLAGS, run, WritesRun.Found.class, LIMIT_S);
  }

  private static void beside(SuiteRunner runner, HostReport rows, BaselineProgram floor)
      throws InterruptedException {
    RunProfile.Host profile = runner.profile().host();
    BesideRun run =
        new BesideRun(
            profile.besideTurns(), profile.besideMs(), runner.profile().forked(), floor.path());
    runner.work("beside garbage", run).ifPresent(rows::addBeside);
  }

  private static void hostile(
      SuiteRunner runner, HostReport rows, MeetingFolder folder, BaselineProgram floor)
      throws IOException, InterruptedException {
    RunProfile.Host profile = runner.profile().host();
    HostileRun run =
        new HostileRun(
            profile.besideTurns(),
            profile.besideMs(),
            runner.profile().forked(),
            floor.path(),
            folder.folder("hostile").toString());
    runner.work("beside hostile clients", run).ifPresent(rows::addHostile);
  }
}
