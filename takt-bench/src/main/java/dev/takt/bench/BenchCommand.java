package dev.takt.bench;

import dev.takt.bench.measure.ChildRun;
import dev.takt.cli.CommandLines;
import dev.takt.cli.Subcommand;
import dev.takt.cli.report.Machine;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code takt bench}: runs a suite and reports it. */
@Command(
    name = "bench",
    description = "Measures Takt beside its peers and published figures.",
    mixinStandardHelpOptions = false,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:everything was measured",
      "1:a measurement failed, or the output could not be written",
      "2:bad usage",
      "130:interrupted; what was measured until then is reported"
    })
public final class BenchCommand implements Subcommand {
  private static final List<Suite> SUITES =
      List.of(
          SpaceSuite.SUITE,
          ChainSuite.SUITE,
          MemorySuite.SUITE,
          GcSuite.SUITE,
          AtomicSuite.SUITE,
          RtjSuite.SUITE,
          PredictSuite.SUITE);

  /** How long the end of an interrupted run may take. */
  private static final long END_S = 20;

  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "SUITE",
      completionCandidates = SuiteNames.class,
      description = "What to measure: ${COMPLETION-CANDIDATES}.")
  private String suiteName;

  @Option(names = "--quick", description = "End within 45 seconds, with less certain figures.")
  private boolean quick;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the figures as JSON.")
  private Path json;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write a page with tables and plots.")
  private Path html;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  private boolean help;

  /** Made by the command line. */
  public BenchCommand() {}

  /** The names of all suites, for the help. */
  static final class SuiteNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return SUITES.stream().map(Suite::name).iterator();
    }
  }

  static CommandLine commandLine() {
    return CommandLines.of(new BenchCommand());
  }

  @Override
  public Integer call() throws InterruptedException {
    Suite suite =
        SUITES.stream()
            .filter(each -> each.name().equals(suiteName))
            .findFirst()
            .orElseThrow(this::noSuite);
    check(json);
    check(html);
    SuiteRunner runner = new SuiteRunner(quick ? RunProfile.QUICK : RunProfile.FULL, System.err);
    CountDownLatch finished = new CountDownLatch(1);
    Thread hook = interrupter(Thread.currentThread(), runner, finished);
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      Report report = run(suite, runner);
      report.setting("quick", quick);
      PrintWriter out = spec.commandLine().getOut();
      out.print(report.toTable(Terminal.ofStdout()));
      out.flush();
      return write(report) && runner.failures().isEmpty() && !runner.isCancelled()
          ? CommandLine.ExitCode.OK
          : CommandLine.ExitCode.SOFTWARE;
    } finally {
      finished.countDown();
      remove(hook);
    }
  }

  /** Ctrl-C: ends what is measured, and waits until what was measured before is written. */
  private static Thread interrupter(Thread measuring, SuiteRunner runner, CountDownLatch finished) {
    return new Thread(
        () -> {
          runner.cancel();
          measuring.interrupt();
          try {
            if (!finished.await(END_S, TimeUnit.SECONDS)) {
              System.err.println("takt bench: did not end within " + END_S + " s");
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        },
        "takt-bench-shutdown");
  }

  private static void remove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // the process is ending already, and the hook runs
    }
  }

  static Report run(Suite suite, SuiteRunner runner) throws InterruptedException {
    Machine machine =
        Machine.detect().with("measuring_jvm_flags", String.join(" ", ChildRun.JVM_FLAGS));
    SuiteRunner plan = SuiteRunner.plan(runner.profile());
    suite.body().run(plan, new Report(suite.name(), suite.title(), machine));
    runner.follow(plan);
    Report report = new Report(suite.name(), suite.title(), machine);
    suite.body().run(runner, report);
    suite.notes().forEach(report::note);
    runner.failures().forEach(report::fail);
    if (runner.isCancelled()) {
      report.interrupted();
    }
    if (report.hasNoVerdict()) {
      report.verdict(runner.failures().isEmpty(), verdict(report));
    }
    return report;
  }

  /** What can be said of any suite: what it compares with, and how that came out. */
  private static String verdict(Report report) {
    long compared = report.results().stream().filter(each -> each.get("ratio") != null).count();
    long better =
        report.results().stream()
            .filter(each -> each.get("ratio") instanceof Number n && n.doubleValue() >= 1)
            .count();
    String failed =
        report.failures().isEmpty()
            ? ""
            : " " + report.failures().size() + " could not be measured.";
    return report.results().size()
        + " figures were measured."
        + (compared == 0
            ? ""
            : " Of the "
                + compared
                + " with a peer beside them, Takt is ahead or level in "
                + better
                + " (ratio 1 or more).")
        + failed;
  }

  private ParameterException noSuite() {
    String names =
        SUITES.stream()
            .map(Suite::name)
            .sorted(Comparator.naturalOrder())
            .collect(Collectors.joining(", "));
    return new ParameterException(
        spec.commandLine(), "no suite " + suiteName + " (expected: one of " + names + ")");
  }

  /** Before the work, not after it. */
  private void check(Path file) {
    try {
      if (file != null) {
        Report.checkFile(file);
      }
    } catch (IOException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private boolean write(Report report) {
    try {
      if (json != null) {
        report.writeJson(json);
      }
      if (html != null) {
        report.writeHtml(html);
      }
      return true;
    } catch (IOException e) {
      System.err.println("takt bench: " + e.getMessage());
      return false;
    }
  }
}
