package dev.takt.cli;

import dev.takt.cli.doctor.DoctorCommand;
import java.io.PrintWriter;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The entry point of the commands that are not an application of their own. The launcher {@code
 * takt} starts it; exit codes are 0 good, 1 the work failed, 2 bad usage.
 */
@Command(
    name = "takt",
    description = "Time-critical Java tasks, on time, on a stock JVM.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    subcommands = {
      CheckCommand.class,
      WeaveCommand.class,
      RunCommand.class,
      DoctorCommand.class,
      Main.CompletionCommand.class
    })
public final class Main implements Callable<Integer> {
  @Spec private CommandSpec spec;

  /**
   * Runs one command and ends the process with its exit code. After a program that {@code run} has
   * started the process ends when its last thread does, as with {@code java}.
   */
  public static void main(String[] arguments) {
    int exitCode = commandLine().execute(arguments);
    if (exitCode != CommandLine.ExitCode.OK) {
      System.exit(exitCode);
    }
  }

  static CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(new Main());
    commandLine.getSubcommands().get("run").setStopAtPositional(true);
    return commandLine;
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getOut());
    return CommandLine.ExitCode.OK;
  }

  @Command(
      name = "completion",
      description =
          "Prints a completion script for bash and zsh. Use it as: . <(./takt completion)",
      mixinStandardHelpOptions = true)
  static final class CompletionCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      PrintWriter out = spec.commandLine().getOut();
      out.print(AutoComplete.bash("takt", new CommandLine(LauncherCommands.spec())));
      out.flush();
      return CommandLine.ExitCode.OK;
    }
  }

  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String jvm =
          System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version");
      return new String[] {"Takt " + ofTakt(), jvm + ", " + System.getProperty("java.home")};
    }

    static String ofTakt() {
      // Maven writes the version into the module's descriptor, which is there on a class path too.
      Path place = Applications.place(Main.class);
      return ModuleFinder.of(place)
          .find("dev.takt.cli")
          .flatMap(module -> module.descriptor().rawVersion())
          .orElse("of unknown version: " + place);
    }
  }
}
