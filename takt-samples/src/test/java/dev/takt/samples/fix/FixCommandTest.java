package dev.takt.samples.fix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cli.CommandLines;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code takt fix} with what it refuses; what it does is in {@link FixKillTest}. */
class FixCommandTest {
  @TempDir private Path folder;

  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine line = CommandLines.of(new FixCommand());
    line.setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }

  @Test
  void shouldRefuseBadUsageAndTouchNothing() {
    String data = folder.resolve("data").toString();

    assertThat(run("--port", "1")).isEqualTo(2);
    assertThat(run("--data", data, "--port", "65536")).isEqualTo(2);
    assertThat(run("--data", data, "--id", "A B")).isEqualTo(2);
    assertThat(run("--data", data, "--price", "ACME=0")).isEqualTo(2);
    assertThat(run("--data", data, "--price", "ACME=1.00001")).isEqualTo(2);
    assertThat(err.toString())
        .contains("--data", "--port 65536 (expected: 0 to 65535)", "--id A B", "ACME=1.00001");
    assertThat(Files.exists(folder.resolve("data"))).isFalse();
  }
}
