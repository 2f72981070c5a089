package dev.takt.bench;

import dev.takt.bench.measure.Measurement;
import dev.takt.bench.memory.BarrierBenchmark;
import dev.takt.bench.persist.BarrierRun;
import dev.takt.bench.persist.GraphRun;
import dev.takt.bench.persist.IncrementRun;
import dev.takt.bench.persist.JournalRun;
import dev.takt.bench.persist.PersistReport;
import dev.takt.bench.persist.RecoverRun;
import dev.takt.bench.persist.RestartRun;
import dev.takt.bench.persist.StoreProgram;
import dev.takt.bench.persist.StoreRun;
import dev.takt.bench.persist.TaskRun;
import dev.takt.bench.persist.TemporaryFolder;
import dev.takt.bench.programs.EmptyUpdates;
import dev.takt.bench.programs.PlainGraph;
import dev.takt.cli.report.Report;
import dev.takt.persist.journal.FsyncPolicy;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Persistence 5: how long graphs take to be stored and loaded, beside peers of today. */
final class PersistSuite {
  static final Suite SUITE =
      new Suite("persist", "Takt: persistence beside serializers and a store", PersistSuite::run);

  /** The same for all: no heap that grows while something is measured. */
  private static final List<String> FLAGS = List.of("-Xms1536m", "-Xmx1536m", "-Xss8m");

  private static final long LIMIT_S = 600;

  /** With so many sizes there is time to see a task beside each peer. */
  private static final int FULL_SIZES = 5;

  /** The paper has 500 us every 3 ms; 43 KB are stored in less than that today. */
  private static final long PAUSE_NS = 20_000;

  private static final long PERIOD_NS = 6 * PAUSE_NS;

  /** How many times the target pause the period of increments is, there and here. */
  private static final int INCREMENT_PERIODS = 4;

  /** How many threads commit at once to a space with a journal. */
  private static final int COMMITTERS = 2;

  private PersistSuite() {}

  private static void run(SuiteRunner runner, Report report) throws InterruptedException {
    report.machine().with("persist_jvm_flags", String.join(" ", FLAGS));
    RunProfile.Persist profile = runner.profile().persist();
    PersistReport rows = new PersistReport(report, profile.sizes());
    for (StoreProgram each : StoreProgram.values()) {
      StoreRun run =
          new StoreRun(
              each, profile.sizes(), profile.warmupMs(), profile.measureMs(), profile.rounds());
      runner
          .work(
              "tree and array, " + each.word(),
              () -> runner.measure(SuiteRunner.woven(FLAGS), run, StoreRun.Stored.class, LIMIT_S))
          .ifPresent(stored -> rows.add(each, stored));
    }
    rows.addStored();
    application(runner, rows, profile);
    increments(runner, rows, profile);
    beside(runner, rows, profile);
    rows.addTasks();
    recover(runner, rows, profile);
    journal(runner, rows, profile);
  }

  /** Commits with a journal, by when they are forced to the disk; and without one. */
  private static void journal(SuiteRunner runner, PersistReport rows, RunProfile.Persist profile)
      throws InterruptedException {
    journal(runner, rows, profile, null);
    for (FsyncPolicy each : FsyncPolicy.values()) {
      journal(runner, rows, profile, each);
    }
  }

  private static void journal(
      SuiteRunner runner, PersistReport rows, RunProfile.Persist profile, FsyncPolicy policy)
      throws InterruptedException {
    String word = policy == null ? "none" : policy.name().toLowerCase(Locale.ROOT);
    String name = "journal-" + word;
    int measureMs = profile.measureMs();
    runner
        .work(
            name,
            () ->
                TemporaryFolder.with(
                    folder ->
                        runner.measure(
                            FLAGS,
                            new JournalRun(
                                folder.toString(), policy, COMMITTERS, measureMs / 2, measureMs),
                            JournalRun.Found.class,
                            LIMIT_S)))
        .ifPresent(found -> rows.add(name, found));
  }

  /** Persistence 5.2 with a million objects, and with a tenth of its target. */
  private static void increments(SuiteRunner runner, PersistReport rows, RunProfile.Persist profile)
      throws InterruptedException {
    for (long targetUs : List.of(500L, 50L)) {
      String name = "increment-" + targetUs + "us";
      IncrementRun run =
          new IncrementRun(
              targetUs * 1_000,
              INCREMENT_PERIODS * targetUs * 1_000,
              profile.largest(),
              1,
              profile.increments(),
              false);
      runner
          .work(name, () -> runner.measure(FLAGS, run, IncrementRun.Found.class, LIMIT_S))
          .ifPresent(found -> rows.add(name, run, found));
    }
  }

  /** A program that starts from what another one has stored. */
  private static void recover(SuiteRunner runner, PersistReport rows, RunProfile.Persist profile)
      throws InterruptedException {
    Optional<long[]> fory =
        runner.work("recover-lazy, fory beside", () -> firstByFory(runner, profile));
    runner
        .work("recover-lazy", () -> lazy(runner, profile))
        .ifPresent(found -> rows.addLazy(found, fory.orElse(new long[0])));
    for (StoreProgram each : List.of(StoreProgram.FORY, StoreProgram.TAKT)) {
      String name = "recover-eager" + (each == StoreProgram.TAKT ? "" : "-" + each.word());
      runner
          .work(name, () -> eager(runner, profile, each))
          .ifPresent(found -> rows.add(name, found));
    }
  }

  private static PersistReport.Lazy lazy(SuiteRunner runner, RunProfile.Persist profile)
      throws Exception {
    return TemporaryFolder.with(
        folder -> {
          String place = folder.toString();
          restart(runner, new RestartRun(place, profile.largest(), false, 1));
          RestartRun.Start[] first = new RestartRun.Start[profile.firstStarts()];
          for (int i = 0; i < first.length; i++) {
            first[i] = restart(runner, new RestartRun(place, 0, true, 1)).first();
          }
          RestartRun again = new RestartRun(place, 0, true, profile.starts());
          return new PersistReport.Lazy(List.of(first), restart(runner, again).last());
        });
  }

  private static RestartRun.Found restart(SuiteRunner runner, RestartRun run) throws Exception {
    return runner.measure(FLAGS, run, RestartRun.Found.class, LIMIT_S);
  }

  /** With Fory, the first answer comes when all is there. */
  private static long[] firstByFory(SuiteRunner runner, RunProfile.Persist profile)
      throws Exception {
    return TemporaryFolder.with(
        folder -> {
          String place = folder.toString();
          eager(runner, new RecoverRun(StoreProgram.FORY, place, profile.largest(), 1));
          long[] ns = new long[profile.firstStarts()];
          for (int i = 0; i < ns.length; i++) {
            ns[i] = eager(runner, new RecoverRun(StoreProgram.FORY, place, 0, 1)).firstNs();
          }
          return ns;
        });
  }

  private static RecoverRun.Found eager(SuiteRunner runner, RecoverRun run) throws Exception {
    return runner.measure(SuiteRunner.woven(FLAGS), run, RecoverRun.Found.class, LIMIT_S);
  }

  private static RecoverRun.Found eager(
      SuiteRunner runner, RunProfile.Persist profile, StoreProgram program) throws Exception {
    return TemporaryFolder.with(
        folder -> {
          String place = folder.toString();
          eager(runner, new RecoverRun(program, place, profile.largest(), 1));
          return eager(runner, new RecoverRun(program, place, 0, profile.starts()));
        });
  }

  /** A task of 1 kHz while the largest tree is stored. */
  private static void beside(SuiteRunner runner, PersistReport rows, RunProfile.Persist profile)
      throws InterruptedException {
    List<StoreProgram> programs =
        profile.sizes().size() < FULL_SIZES
            ? List.of(StoreProgram.TAKT, StoreProgram.FORY, StoreProgram.ECLIPSESTORE)
            : List.of(StoreProgram.values());
    task(runner, rows, profile, null);
    for (StoreProgram each : programs) {
      task(runner, rows, profile, each);
    }
  }

  private static void task(
      SuiteRunner runner, PersistReport rows, RunProfile.Persist profile, StoreProgram program)
      throws InterruptedException {
    String name = "task-1khz-" + (program == null ? "none" : program.word());
    TaskRun run = new TaskRun(program, profile.largest(), profile.taskMs() / 5, profile.taskMs());
    runner
        .work(
            name, () -> runner.measure(SuiteRunner.woven(FLAGS), run, TaskRun.Found.class, LIMIT_S))
        .ifPresent(found -> rows.add(name, found));
  }

  /** Tables 1 and 2, and the barrier without a cycle. */
  private static void application(
      SuiteRunner runner, PersistReport rows, RunProfile.Persist profile)
      throws InterruptedException {
    for (boolean marking : List.of(false, true)) {
      String scheme = marking ? "-marking" : "";
      graph(runner, rows, "stw" + scheme, new GraphRun(marking, 0, 0, 1, profile.cycles()));
      graph(
          runner,
          rows,
          "preemptible" + scheme,
          new GraphRun(marking, PAUSE_NS, PERIOD_NS, 1, profile.cycles()));
      graph(
          runner,
          rows,
          "three-threads" + scheme,
          new GraphRun(marking, PAUSE_NS, PERIOD_NS, 3, profile.cycles()));
    }
    BarrierRun barrier = new BarrierRun(profile.pairs());
    runner
        .work(
            "barrier-idle",
            () -> runner.measure(SuiteRunner.woven(FLAGS), barrier, BarrierRun.Cost.class, LIMIT_S))
        .ifPresent(rows::add);
    Optional<Measurement> plain =
        update(runner, "barrier-idle-plain, as it is", "plain", PlainGraph.UPDATES);
    Optional<Measurement> woven =
        update(runner, "barrier-idle-plain", "update", PlainGraph.UPDATES);
    Optional<Measurement> gate =
        update(runner, "barrier-idle-plain, the gate", "gate", EmptyUpdates.UPDATES);
    if (plain.isPresent() && woven.isPresent() && gate.isPresent()) {
      rows.addPlain(woven.get().p50(), plain.get().p50(), gate.get().p50());
    }
  }

  /** An update of a plain thread; an invocation has so many. */
  private static Optional<Measurement> update(
      SuiteRunner runner, String name, String method, int updates) throws InterruptedException {
    return runner.jmh(name, BarrierBenchmark.class, method, Map.of(), updates);
  }

  private static void graph(SuiteRunner runner, PersistReport rows, String name, GraphRun run)
      throws InterruptedException {
    runner
        .work(
            name,
            () -> runner.measure(SuiteRunner.woven(FLAGS), run, GraphRun.Found.class, LIMIT_S))
        .ifPresent(found -> rows.add(name, found));
  }
}
