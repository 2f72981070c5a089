package dev.takt.cli;

import dev.takt.cli.report.ReportFile;
import dev.takt.safety.load.Checker;
import dev.takt.safety.load.WeaveResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks the tasks of an application against the safety rules, by its bytecode. */
@Command(name = "check", sortOptions = false, mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {
  @Parameters(
      arity = "1..*",
      paramLabel = "JAR|DIR",
      description = "what to check, as one application")
  private List<Path> applications;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text for people, json for scripts, sarif for other tools; ${DEFAULT-VALUE}")
  private FindingReport.Format format;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "where the findings go instead of the terminal")
  private Path output;

  @Option(
      names = "--class-path",
      paramLabel = "PATH",
      defaultValue = "",
      description = "what the application uses, beside takt and what its manifest names")
  private String classPath;

  @Option(names = "--strict", description = "warnings count as errors")
  private boolean strict;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter err = spec.commandLine().getErr();
    try {
      ReportFile.check(output);
      Applications.existing(applications);
      List<Path> libraries = new ArrayList<>(Applications.libraries(applications, classPath));
      libraries.addAll(Applications.takt());
      WeaveResult checked;
      try (WaitNotice _ = WaitNotice.on(err, "checking " + applications + " ...")) {
        checked = Checker.check(applications, libraries);
      }
      String text = FindingReport.of(format, checked, Main.Version.ofTakt());
      if (output == null) {
        spec.commandLine().getOut().print(text);
        spec.commandLine().getOut().flush();
      } else if (!write(text, err)) {
        return CommandLine.ExitCode.SOFTWARE;
      }
      if (checked.classes() == 0) {
        err.println(
            "takt check: warning: there is no class in " + applications + "; nothing was checked");
        return strict ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.OK;
      }
      boolean bad = strict ? !checked.findings().isEmpty() : !checked.isClean();
      return bad ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    } catch (IOException e) {
      err.println("takt check: " + CommandLines.reason(e));
      return CommandLine.ExitCode.USAGE;
    }
  }

  private boolean write(String text, PrintWriter err) {
    try {
      ReportFile.write(output, text);
      return true;
    } catch (IOException e) {
      err.println("takt check: " + CommandLines.reason(e));
      return false;
    }
  }
}
