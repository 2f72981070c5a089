package dev.takt.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BenchCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void shouldListTheSuitesWhenThereIsNoSuchSuite() {
    assertThat(execute("spade")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith(
            "bench: no suite spade (expected: one of atomic, chain, cpu, gc, host, memory,"
                + " persist, predict, rtj, session, space)");
  }

  @Test
  void shouldRefuseToRunWithoutASuite() {
    assertThat(execute()).isEqualTo(2);
    assertThat(err.toString()).contains("SUITE");
    assertThat(execute("space", "--fast")).isEqualTo(2);
  }

  @Test
  void shouldRefuseAReportFileWithoutAFolderBeforeItMeasures(@TempDir Path folder) {
    assertThat(execute("space", "--json", folder.resolve("missing").resolve("x.json").toString()))
        .isEqualTo(2);
    assertThat(err.toString()).contains("there is no folder " + folder.resolve("missing"));
    assertThat(execute("space", "--json", "")).isEqualTo(2);
    assertThat(err.toString()).contains("'--json': the path is empty");
  }

  @Test
  void shouldHelp() {
    assertThat(execute("--help")).isZero();
    assertThat(out.toString()).contains("bench", "--quick", "space, chain");
  }

  private int execute(String... arguments) {
    CommandLine command = BenchCommand.commandLine();
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    return command.execute(arguments);
  }
}
