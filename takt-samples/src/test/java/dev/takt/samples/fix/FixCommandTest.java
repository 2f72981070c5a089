package dev.takt.samples.fix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cli.CommandLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

  @Test
  void shouldRefuseAPriceThatIsNoneOrWasGivenAlready() {
    String data = folder.resolve("data").toString();

    for (String wrong : List.of("=5", "ACME", "ACME=", "ACME=-1", "ACME=0", "A B=1")) {
      assertThat(run("--data", data, "--price", wrong)).isEqualTo(2);
      assertThat(err.toString())
          .contains("--price " + wrong + " (expected: SYMBOL=PRICE", "the price more than 0");
      err.getBuffer().setLength(0);
    }
    assertThat(run("--data", data, "--price", "ACME=1", "--price", "ACME=2")).isEqualTo(2);
    assertThat(err.toString()).contains("--price ACME=2: ACME has a price already");
    assertThat(Files.exists(folder.resolve("data"))).isFalse();
  }

  @Test
  void shouldNameAPortInUseAndTouchNothing() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = String.valueOf(taken.getLocalPort());

      assertThat(run("--data", folder.resolve("data").toString(), "--port", port)).isEqualTo(1);

      assertThat(err.toString()).contains("port " + port + ": ", "choose another with --port");
    }
    assertThat(Files.exists(folder.resolve("data"))).isFalse();
  }
}
