package dev.takt.cli;

import dev.takt.cli.doctor.DoctorCommand;
import dev.takt.cli.report.Machine;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The entry point of all commands; those of other modules come as services. The launcher {@code
 * takt} starts it; exit codes are 0 good, 1 the work failed or its output could not be written, 2
 * bad usage.
 */
@Command(
    name = "takt",
    header = "Takt: time-critical Java tasks, on time, on a stock JVM.",
    synopsisHeading = "%nUsage: ",
    customSynopsis = "./takt COMMAND [OPTION...]",
    commandListHeading = "%nCommands:%n",
    versionProvider = Main.Version.class,
    exitCodeListHeading = "%nExit codes:%n",
    footerHeading = "%nEnvironment:%n")
public final class Main implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @CommandLine.Option(
      names = {"-h", "--help"},
      usageHelp = true,
      hidden = true)
  private boolean help;

  @CommandLine.Option(
      names = {"-V", "--version"},
      versionHelp = true,
      hidden = true)
  private boolean version;

  private Main() {}

  /**
   * Runs one command and ends the process with its exit code. After a program that {@code run} has
   * started the process ends when its last thread does, as with {@code java}.
   */
  public static void main(String[] arguments) {
    int exitCode = commandLine().setOut(stdout()).execute(arguments);
    boolean program = arguments.length > 0 && arguments[0].equals("run");
    if (!program || exitCode != CommandLine.ExitCode.OK) {
      System.exit(exitCode);
    }
  }

  /** Takt's own writer, apart from that of a program that it runs: it knows of its errors. */
  private static PrintWriter stdout() {
    FileOutputStream stream = new FileOutputStream(FileDescriptor.out);
    return new PrintWriter(
        new BufferedWriter(new OutputStreamWriter(stream, System.out.charset())), true);
  }

  static CommandLine commandLine() {
    Map<String, CommandLine> found = new TreeMap<>();
    for (Subcommand each : ServiceLoader.load(Subcommand.class, Main.class.getClassLoader())) {
      CommandLine line = CommandLines.of(each);
      found.put(line.getCommandName(), line);
    }
    CommandLine takt = CommandLines.of(new Main());
    addIfThere(takt, found.remove("demo")); // what a newcomer wants first
    for (Object each :
        List.of(
            new CheckCommand(),
            new WeaveCommand(),
            new RunCommand(),
            new HostCommand(),
            new DoctorCommand(),
            new ScheduleCommand(),
            new TopCommand(),
            new ServeCommand(),
            new SnapshotCommand(),
            new NewCommand())) {
      takt.addSubcommand(CommandLines.of(each));
    }
    found.values().forEach(takt::addSubcommand);
    for (Object each :
        List.of(
            new LauncherCommands.InstallCommand(),
            new LauncherCommands.TestCommand(),
            new LauncherCommands.FormatCommand(),
            new LauncherCommands.CompletionCommand(),
            new LauncherCommands.HelpCommand(),
            new LauncherCommands.VersionCommand(),
            new HelpFiles())) {
      takt.addSubcommand(CommandLines.of(each));
    }
    takt.getSubcommands().get("run").setStopAtPositional(true);
    takt.setExecutionExceptionHandler(Main::explain);
    return takt;
  }

  private static void addIfThere(CommandLine takt, CommandLine subcommand) {
    if (subcommand != null) {
      takt.addSubcommand(subcommand);
    }
  }

  /** What a user can mend is one line; what only Takt's developers can has its stack trace. */
  private static int explain(Exception e, CommandLine line, CommandLine.ParseResult parsed)
      throws Exception {
    if (!(e instanceof IOException error)) {
      throw e;
    }
    PrintWriter err = line.getErr();
    err.println(line.getCommandSpec().qualifiedName() + ": " + CommandLines.reason(error));
    err.flush();
    return CommandLine.ExitCode.SOFTWARE;
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getOut());
    return CommandLine.ExitCode.OK;
  }

  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String jvm = Machine.jdk() + ", " + System.getProperty("java.home");
      return new String[] {"Takt " + ofTakt(), jvm};
    }

    static String ofTakt() {
      return Machine.taktVersion();
    }
  }
}
