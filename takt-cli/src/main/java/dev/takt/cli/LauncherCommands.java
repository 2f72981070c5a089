package dev.takt.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The commands that the script {@code takt} does itself, with Maven or from files: here they have
 * their help and their completion, as all others have.
 */
final class LauncherCommands {
  private LauncherCommands() {}

  private abstract static class ByScript implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      PrintWriter err = spec.commandLine().getErr();
      err.println(spec.qualifiedName() + " is a command of the script ./takt of a checkout");
      err.flush();
      return CommandLine.ExitCode.USAGE;
    }
  }

  @Command(name = "test", mixinStandardHelpOptions = true)
  static final class TestCommand extends ByScript {
    @Option(names = "--full", description = "add the long evidence runs (hours)")
    private boolean full;

    @Option(
        names = "--seed",
        paramLabel = "N",
        description = "replay the random tests with the seed that a failed one has printed")
    private long seed;

    @Parameters(
        arity = "0..*",
        paramLabel = "MODULE|TEST",
        description = "modules, test classes, or both")
    private List<String> names;
  }

  @Command(name = "install", mixinStandardHelpOptions = true)
  static final class InstallCommand extends ByScript {
    @Option(names = "-D", paramLabel = "NAME=VALUE", description = "a property for Maven")
    private List<String> properties;
  }

  @Command(
      name = "format",
      description = "Formats the sources, as ./takt test wants them.",
      mixinStandardHelpOptions = true)
  static final class FormatCommand extends ByScript {}

  @Command(
      name = "help",
      description = "Shows this help, or that of a command.",
      mixinStandardHelpOptions = true)
  static final class HelpCommand extends ByScript {
    @Option(
        names = "--write",
        description = "regenerate the help of all commands and the completion (launcher/)")
    private boolean write;

    @Parameters(arity = "0..1", paramLabel = "COMMAND", description = "the command")
    private String command;
  }

  @Command(
      name = "version",
      description = "Shows the versions of Takt and of the JDK in use.",
      mixinStandardHelpOptions = true)
  static final class VersionCommand extends ByScript {}

  @Command(name = "completion", mixinStandardHelpOptions = true)
  static final class CompletionCommand extends ByScript {}
}
