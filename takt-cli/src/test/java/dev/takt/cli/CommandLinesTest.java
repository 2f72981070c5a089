package dev.takt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** What holds for each command, whoever adds one. */
class CommandLinesTest {
  @TempDir private Path folder;
  private final StringWriter err = new StringWriter();
  private Writer out = new StringWriter();

  /** An empty path is the current folder to Java, and an unset variable to a script. */
  @Test
  void shouldRefuseAnEmptyPathWhereverACommandTakesOne() {
    List<List<String>> lines = new ArrayList<>();
    for (CommandLine each : Main.commandLine().getSubcommands().values()) {
      for (ArgSpec argument : each.getCommandSpec().args()) {
        if (argument.typeInfo().getType() == Path.class
            || argument.auxiliaryTypes()[0] == Path.class) {
          List<String> line = new ArrayList<>(List.of(each.getCommandName()));
          if (argument instanceof PositionalParamSpec positional) {
            line.addAll(Collections.nCopies(positional.index().min(), "any"));
            line.add("");
          } else {
            line.add(((OptionSpec) argument).longestName() + "=");
          }
          lines.add(line);
        }
      }
    }
    assertThat(lines)
        .contains(
            List.of("weave", ""),
            List.of("check", ""),
            List.of("run", ""),
            List.of("new", ""),
            List.of("snapshot", "any", ""),
            List.of("weave", "--output="),
            List.of("doctor", "--json="),
            List.of("doctor", "--tune="));

    for (List<String> each : lines) {
      assertThat(execute(each.toArray(String[]::new))).as("%s", each).isEqualTo(2);
      assertThat(err.toString())
          .as("%s", each)
          .startsWith("takt " + each.getFirst() + ": ")
          .contains("the path is empty")
          .hasLineCount(1);
    }
  }

  /** What the JDK says is often the name of the file alone. */
  @Test
  void shouldSayWhyAFileCannotBeWritten() throws IOException {
    Path classes = UserProgram.compile(folder.resolve("good"), UserProgram.COUNTER);
    Path jar = UserProgram.jar(classes, folder.resolve("good.jar"));
    Path file = Files.createFile(folder.resolve("file"));
    Path proc = Files.createDirectories(folder.resolve("proc"));
    Files.setPosixFilePermissions(proc, PosixFilePermissions.fromString("r-xr-xr-x"));
    // For root, who may write everywhere, and for all others.
    String closed = Files.isWritable(proc) ? "/proc" : proc.toString();

    assertThat(execute("weave", jar.toString(), "--output=" + closed + "/x.jar")).isEqualTo(1);
    assertThat(err.toString()).contains("/x.jar: nothing can be written in " + closed);
    assertThat(execute("weave", classes.toString(), "--output=" + closed + "/x")).isEqualTo(1);
    assertThat(err.toString()).containsPattern("/x: [a-z]").hasLineCount(1);
    assertThat(execute("weave", classes.toString(), "--output=" + file)).isEqualTo(1);
    assertThat(err.toString()).contains(file + ": it is there already");
    assertThat(execute("new", closed + "/x")).isEqualTo(1);
    assertThat(err.toString()).containsPattern("/x: [a-z]").hasLineCount(1);
    assertThat(execute("check", jar.toString(), "--output=" + closed + "/x.txt")).isEqualTo(1);
    assertThat(err.toString()).contains("no permission to write in " + closed);
  }

  @Test
  void shouldSayWhatIsWrongWithANameThatNoFileCanHave() {
    assertThat(execute("check", "a\0b")).isEqualTo(2);

    assertThat(err.toString()).contains("Nul character").hasLineCount(1);
  }

  /** Scripts go by the exit code: nothing printed is not the same as nothing found. */
  @Test
  void shouldEndWithOneAndSaySoWhenWhatACommandPrintsIsLost() throws IOException {
    Path jar =
        UserProgram.jar(
            UserProgram.compile(folder.resolve("good"), UserProgram.COUNTER),
            folder.resolve("good.jar"));
    List<List<String>> lines =
        List.of(
            List.of("check", jar.toString()),
            List.of("check", jar.toString(), "--format=json"),
            List.of("weave", jar.toString()),
            List.of("doctor", "--duration=0"),
            List.of("doctor", "--duration=0", "--json"),
            List.of("new", folder.resolve("app").toString()),
            List.of("check", "--help"),
            List.of("--version"));

    for (List<String> each : lines) {
      out = new Full();
      assertThat(execute(each.toArray(String[]::new))).as("%s", each).isEqualTo(1);
      assertThat(err.toString()).as("%s", each).contains("cannot write to standard output");
    }
    out = new Full();
    assertThat(execute("check", "--nonsense")).as("what else is wrong counts more").isEqualTo(2);
  }

  private int execute(String... arguments) {
    err.getBuffer().setLength(0);
    CommandLine commandLine = Main.commandLine();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    return commandLine.execute(arguments);
  }

  /** As /dev/full, on any system. */
  private static final class Full extends Writer {
    @Override
    public void write(char[] characters, int from, int length) throws IOException {
      throw new IOException("No space left on device");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
