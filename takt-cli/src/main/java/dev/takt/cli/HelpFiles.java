package dev.takt.cli;

import dev.takt.cli.report.ReportFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Writes the help of all commands and the completion script into files, from which the script
 * {@code takt} answers without a build. A test holds the files against the commands.
 */
@Command(name = "write-help", hidden = true, description = "Writes the help into files.")
final class HelpFiles implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "the folder that gets them")
  private Path folder;

  @Spec private CommandSpec spec;

  /** The files by their paths. */
  static Map<String, String> of(CommandLine takt) {
    Map<String, String> files = new LinkedHashMap<>();
    files.put("help/takt.txt", takt.getUsageMessage(Ansi.OFF));
    takt.getSubcommands()
        .forEach(
            (name, command) -> {
              if (!command.getCommandSpec().usageMessage().hidden()) {
                files.put("help/" + name + ".txt", command.getUsageMessage(Ansi.OFF));
              }
            });
    files.put("completion", AutoComplete.bash("takt", takt));
    return files;
  }

  @Override
  public Integer call() throws IOException {
    Files.createDirectories(folder.resolve("help"));
    for (Map.Entry<String, String> each : of(spec.root().commandLine()).entrySet()) {
      ReportFile.write(folder.resolve(each.getKey()), each.getValue());
    }
    return CommandLine.ExitCode.OK;
  }
}
