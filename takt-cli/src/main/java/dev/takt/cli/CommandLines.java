package dev.takt.cli;

import dev.takt.cli.report.ReportFile;
import dev.takt.safety.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.PropertyResourceBundle;
import java.util.ResourceBundle;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * How all commands of {@code takt} show their help, read paths, refuse what they do not understand,
 * and end when their output cannot be written.
 */
public final class CommandLines {
  /** Fits any terminal. */
  private static final int HELP_COLUMNS = 80;

  private CommandLines() {}

  /** Returns a command line for a command, with the subcommands that it has so far. */
  public static CommandLine of(Object command) {
    CommandLine line = new CommandLine(command);
    line.setResourceBundle(texts(command.getClass(), line.getCommandName()));
    return line.setUsageHelpWidth(HELP_COLUMNS)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .registerConverter(Path.class, CommandLines::path)
        .setExecutionStrategy(CommandLines::execute)
        .setParameterExceptionHandler(CommandLines::refuse);
  }

  /** What a command says about itself; what its options say stands with them. */
  private static ResourceBundle texts(Class<?> command, String name) {
    try (InputStream in = command.getResourceAsStream("/META-INF/takt/" + name + ".properties")) {
      return in == null
          ? null
          : new PropertyResourceBundle(new InputStreamReader(in, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Refuses report files that cannot be written, before the work and not after it.
   *
   * @param files those that the user has named; null: none
   */
  public static void checkFiles(CommandLine line, Path... files) {
    try {
      ReportFile.check(files);
    } catch (IOException e) {
      throw new ParameterException(line, e.getMessage(), e);
    }
  }

  /** To Java an empty path is the current folder; who types one means another. */
  static Path path(String text) {
    if (text.isEmpty()) {
      throw new TypeConversionException("the path is empty");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  /** A writer keeps its errors to itself; a script must not take nothing printed for good. */
  private static int execute(ParseResult parsed) {
    int exitCode = new CommandLine.RunLast().execute(parsed);
    ParseResult last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    CommandLine line = last.commandSpec().commandLine();
    if (!line.getOut().checkError()) {
      return exitCode;
    }
    PrintWriter err = line.getErr();
    err.println(
        last.commandSpec().qualifiedName()
            + ": cannot write to standard output; what was printed is not complete");
    err.flush();
    return exitCode == CommandLine.ExitCode.OK ? CommandLine.ExitCode.SOFTWARE : exitCode;
  }

  /** What an error says, with the reason that the JDK often leaves to the name of its class. */
  static String reason(IOException e) {
    boolean bare = e instanceof FileSystemException file && file.getReason() == null;
    String why =
        switch (e) {
          case AccessDeniedException _ -> "permission denied";
          case NoSuchFileException _ -> "it does not exist, or its folder does not";
          case FileAlreadyExistsException _ -> "it is there already";
          default -> e.getClass().getSimpleName();
        };
    return Printable.of(bare ? e.getMessage() + ": " + why : String.valueOf(e.getMessage()));
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
        "%s: %s%s (./%s tells more)"
            .formatted(
                name,
                e.getMessage().strip(),
                meant.isEmpty() ? "" : "; did you mean " + String.join(" or ", meant) + "?",
                help.isEmpty() ? "takt help" : name + help));
    err.flush();
    return CommandLine.ExitCode.USAGE;
  }
}
