package dev.takt.bench;

import dev.takt.bench.measure.ChildRun;
import dev.takt.cli.CommandLines;
import dev.takt.cli.InterruptHook;
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
    exitCodeListHeading = "%nExit codes:%n")
public final class BenchCommand implements Subcommand {
  private static final List<Suite> SUITES =
      List.of(
          SpaceSuite.SUITE,
          ChainSuite.SUITE,
          MemorySuite.SUITE,
          GcSuite.SUITE,
          AtomicSuite.SUITE,
          RtjSuite.SUITE,
          CpuSuite.SUITE,
          PersistSuite.SUITE,
          SessionSuite.SUITE,
          HostSuite.SUITE,
          PredictSuite.SUITE);

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
    CommandLines.checkFiles(spec.commandLine(), json, html);
    SuiteRunner runner = new SuiteRunner(quick ? RunProfile.QUICK : RunProfile.FULL, System.err);
    Thread measuring = Thread.currentThread();
    Runnable cancel =
        () -> {
          runner.cancel();
          measuring.interrupt();
        };
    try (InterruptHook _ = new InterruptHook("takt bench", cancel)) {
      Report report = run(suite, runner);
      report.setting("quick", quick);
      PrintWriter out = spec.commandLine().getOut();
      out.print(report.toTable(Terminal.ofStdout()));
      out.flush();
      return write(report) && runner.failures().isEmpty() && !runner.isCancelled()
          ? CommandLine.ExitCode.OK
          : CommandLine.ExitCode.SOFTWARE;
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
    StringBuilder text = new StringBuilder(report.results().size() + " figures were measured.");
    if (compared > 0) {
      text.append(
          " Of the %d with a peer beside them, Takt is ahead or level in %d (ratio 1 or more)."
              .formatted(compared, better));
    }
    if (!report.failures().isEmpty()) {
      text.append(" " + report.failures().size() + " could not be measured.");
    }
    return text.toString();
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

  private boolean write(Report report) {
    try {
      report.write(json, html);
      return true;
    } catch (IOException e) {
      System.err.println("takt bench: " + e.getMessage());
      return false;
    }
  }
}
