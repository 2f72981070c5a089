package dev.takt.bench;

import dev.takt.cli.CommandLines;
import dev.takt.cli.Subcommand;
import dev.takt.cli.report.Machine;
import dev.takt.cli.report.Report;
import java.io.IOException;
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
    description = "Measures Takt beside its peers and the figures of the papers.",
    mixinStandardHelpOptions = false,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:everything was measured", "1:a measurement failed", "2:bad usage"})
public final class Bench implements Subcommand {
  private static final List<Suite> SUITES =
      List.of(
          new SpaceSuite(),
          new ChainSuite(),
          new MemorySuite(),
          new GcSuite(),
          new AtomicSuite(),
          new RtjSuite(),
          new PredictSuite());

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
  public Bench() {}

  /** The names of all suites, for the help. */
  static final class SuiteNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return SUITES.stream().map(Suite::name).iterator();
    }
  }

  static CommandLine commandLine() {
    return CommandLines.of(new Bench());
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
    Runs runs = new Runs(quick ? Effort.QUICK : Effort.FULL, System.err);
    Report report = run(suite, runs);
    System.out.print(report.toTable());
    System.out.flush();
    for (String failure : runs.failures()) {
      System.err.println("takt bench: " + failure);
    }
    return write(report) && runs.failures().isEmpty()
        ? CommandLine.ExitCode.OK
        : CommandLine.ExitCode.SOFTWARE;
  }

  static Report run(Suite suite, Runs runs) throws InterruptedException {
    Machine machine =
        Machine.detect().with("measuring_jvm_flags", String.join(" ", ChildRun.JVM_FLAGS));
    Report report = new Report(suite.name(), suite.title(), machine);
    suite.run(runs, report);
    return report;
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
