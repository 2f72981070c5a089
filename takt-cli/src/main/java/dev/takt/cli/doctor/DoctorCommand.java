package dev.takt.cli.doctor;

import dev.takt.cli.report.Report;
import dev.takt.cli.report.ReportFile;
import dev.takt.cli.report.Terminal;
import dev.takt.realtime.OperatingSystems;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code doctor}: looks, measures, prints and writes, and changes nothing. */
@Command(name = "doctor", sortOptions = false, mixinStandardHelpOptions = true)
public final class DoctorCommand implements Callable<Integer> {
  private static final int USUAL_SECONDS = 20;
  private static final int QUICK_SECONDS = 3;
  private static final int MAX_SECONDS = 3_600;

  /** In place of a file name: the terminal. */
  private static final Path STDOUT = Path.of("-");

  @Option(names = "--quick", description = "measure for " + QUICK_SECONDS + " s only")
  private boolean quick;

  @Option(
      names = "--duration",
      paramLabel = "SECONDS",
      description =
          "measure for that long, 0 to " + MAX_SECONDS + "; 0: only look; usually " + USUAL_SECONDS)
  private Integer duration;

  @Option(
      names = "--json",
      arity = "0..1",
      fallbackValue = "-",
      paramLabel = "FILE",
      description = "write the report as JSON; without FILE, print it instead of the tables")
  private Path json;

  @Option(names = "--html", paramLabel = "FILE", description = "write it as a page with plots")
  private Path html;

  @Option(
      names = "--tune",
      paramLabel = "DIR",
      description =
          "write systemd, sysctl and limits files that mend what was found, and a note on how to"
              + " install them")
  private Path tune;

  @Option(names = "--force", description = "with --tune: replace files that are there")
  private boolean force;

  @Spec private CommandSpec spec;

  private final FileSystemRoot root;

  /** Made by the command line: for this machine. */
  public DoctorCommand() {
    this(new FileSystemRoot(Path.of("/")));
  }

  DoctorCommand(FileSystemRoot root) {
    this.root = root;
  }

  @Override
  public Integer call() {
    int seconds = seconds();
    boolean toStdout = STDOUT.equals(json);
    Path jsonFile = toStdout ? null : json;
    PrintWriter err = spec.commandLine().getErr();
    try {
      checkFiles(jsonFile);
    } catch (IOException e) {
      err.println("takt doctor: " + e.getMessage());
      return CommandLine.ExitCode.USAGE;
    }
    Doctor doctor = new Doctor(root, OperatingSystems.current());
    doctor.look();
    if (seconds > 0) {
      err.println("takt doctor: measuring for about " + seconds + " s");
      doctor.measure(
          TimeUnit.SECONDS.toNanos(seconds),
          Cyclictest.installed(),
          next -> err.println("  " + next));
    }
    try {
      write(doctor.report(), doctor.findings(), jsonFile, toStdout);
      return CommandLine.ExitCode.OK;
    } catch (IOException e) {
      err.println("takt doctor: " + e.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  private int seconds() {
    if (duration == null) {
      return quick ? QUICK_SECONDS : USUAL_SECONDS;
    }
    if (quick) {
      throw bad("--quick and --duration exclude each other; give one of them");
    }
    if (duration < 0 || duration > MAX_SECONDS) {
      throw bad("--duration=" + duration + " (expected: 0 to " + MAX_SECONDS + " seconds)");
    }
    return duration;
  }

  private CommandLine.ParameterException bad(String message) {
    return new CommandLine.ParameterException(spec.commandLine(), message);
  }

  /** Before a measurement that takes a while, not after it. */
  private void checkFiles(Path jsonFile) throws IOException {
    if (force && tune == null) {
      throw bad("--force is for --tune DIR");
    }
    ReportFile.check(jsonFile, html);
    if (tune != null) {
      TuneFiles.check(tune, force);
    }
  }

  private void write(Report report, List<DoctorFinding> findings, Path jsonFile, boolean toStdout)
      throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (toStdout) {
      out.print(report.toJson());
    } else {
      Terminal terminal = Terminal.ofStdout();
      out.print(report.toTable(terminal, FindingTable.of(findings, terminal) + "\n"));
    }
    report.write(jsonFile, html);
    if (tune != null) {
      TuneFiles.write(tune, force, Tuning.of(root, findings));
      if (!toStdout) {
        out.println("Wrote files that mend what can be mended: read " + tune.resolve("README.txt"));
      }
    }
    out.flush();
  }
}
