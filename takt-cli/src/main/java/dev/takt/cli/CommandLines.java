package dev.takt.cli;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** How all commands of {@code takt} show their help and refuse what they do not understand. */
public final class CommandLines {
  /** Fits any terminal. */
  private static final int HELP_COLUMNS = 80;

  private CommandLines() {}

  /** Returns a command line for a command, with the subcommands that it has so far. */
  public static CommandLine of(Object command) {
    return new CommandLine(command)
        .setUsageHelpWidth(HELP_COLUMNS)
        .setParameterExceptionHandler(CommandLines::refuse);
  }

  /** One line: what is wrong, what was perhaps meant, and where to read more. */
  private static int refuse(ParameterException e, String[] arguments) {
    CommandLine line = e.getCommandLine();
    String name = line.getCommandSpec().qualifiedName();
    String program = line.getCommandSpec().root().name();
    String help = name.equals(program) && line.getParent() == null ? "" : " --help";
    List<String> meant =
        e instanceof UnmatchedArgumentException unmatched
            ? unmatched.getSuggestions().stream().map(String::strip).toList()
            : List.of();
    PrintWriter err = line.getErr();
    err.println(
        name
            + ": "
            + e.getMessage().strip()
            + (meant.isEmpty() ? "" : "; did you mean " + String.join(" or ", meant) + "?")
            + " (./"
            + (help.isEmpty() ? "takt help" : name + help)
            + " tells more)");
    err.flush();
    return CommandLine.ExitCode.USAGE;
  }
}
