package dev.takt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void shouldPrintVersionsOfTaktAndOfTheJvm() {
    assertThat(execute("--version")).isZero();

    assertThat(out.toString())
        .containsPattern("Takt \\d+\\.\\d+\\.\\d+")
        .contains(System.getProperty("java.home"));
  }

  @Test
  void shouldEndWithTwoAndAHintWhenTheCommandIsUnknown() {
    assertThat(execute("docter")).isEqualTo(2);

    assertThat(err.toString()).contains("docter").contains("doctor");
  }

  @Test
  void shouldEndWithTwoWhenAnOptionIsUnknown() {
    assertThat(execute("doctor", "--quik")).isEqualTo(2);

    assertThat(err.toString())
        .as("one line, so that it is the last")
        .isEqualToIgnoringNewLines(
            "takt doctor: Unknown option: '--quik'; did you mean --quick? (./takt doctor --help tells more)");
  }

  @Test
  void shouldTakeBackWhatTookAWhile() {
    PrintWriter terminal = new PrintWriter(err, true);
    WaitNotice.show(terminal, "checking ...").close();
    WaitNotice.show(terminal, "").close();

    assertThat(err.toString()).isEqualTo("checking ...\r            \r");
  }

  private int execute(String... arguments) {
    CommandLine commandLine = Main.commandLine();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    return commandLine.execute(arguments);
  }
}
