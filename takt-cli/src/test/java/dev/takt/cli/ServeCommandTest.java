package dev.takt.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.client.ClientSettings;
import dev.takt.client.RemoteSpace;
import dev.takt.client.Takt;
import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.SpaceSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** {@code takt serve} serves a space until it is told to end, and names what it cannot use. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServeCommandTest {
  private static final ClientSettings PATIENT =
      new ClientSettings(ClientSettings.DEFAULTS.wire(), 0, 60_000_000_000L);

  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void endAll() throws InterruptedException {
    for (Process each : started) {
      each.destroyForcibly().waitFor();
    }
  }

  private Process start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-cp");
    String path = System.getProperty("java.class.path");
    String modules = System.getProperty("jdk.module.path", "");
    command.add(modules.isEmpty() ? path : modules + ":" + path);
    command.add(Main.class.getName());
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    started.add(process);
    return process;
  }

  @Test
  void shouldServeASpaceUntilItIsTerminated() throws Exception {
    Process serve = start("serve", "--listen", "tcp://127.0.0.1:0", "--drain", "0");
    BufferedReader lines = serve.inputReader();
    String line = lines.readLine();
    assertThat(line).startsWith("takt serve: listening at tcp://127.0.0.1:");
    URI address = URI.create(line.substring(line.lastIndexOf(' ') + 1));
    try (RemoteSpace client = Takt.connect(address, "", PATIENT);
        RemoteSpace other = Takt.connect(address, "", PATIENT)) {
      client.write(new Event("x", 1));
      assertThat(other.take(new Event("x", 1), new Event())).isTrue();
      serve.destroy(); // SIGTERM
      assertThat(serve.waitFor()).isZero();
    }
  }

  @Test
  void shouldHaveTheLimitsThatItsOptionsSay() throws Exception {
    Process serve =
        start(
            "serve",
            "--listen=tcp://127.0.0.1:0",
            "--max-event=8016",
            "--max-keys=2",
            "--transaction-time=0.05");
    String line = serve.inputReader().readLine();
    URI address = URI.create(line.substring(line.lastIndexOf(' ') + 1));
    Event x = new Event("x", 1);
    try (RemoteSpace client = Takt.connect(address, "", PATIENT)) {
      client.write(new Event("x", new double[1_000]));
      assertThatThrownBy(() -> client.write(new Event("x", new double[1_100])))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("limit=8016", "(of ./takt serve: --max-event)");
      client.write(new Event("x", 1).add("y", 1));
      assertThatThrownBy(() -> client.write(new Event("x", 1).add("z", 1)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContainingAll("one of the 2", "--max-keys");
      assertThatThrownBy(
              () ->
                  client.transact(
                      transaction -> {
                        while (transaction.test(x)) {
                          // until its time is over
                        }
                      }))
          .isInstanceOf(Abort.class)
          .hasMessageContainingAll("after 50 ms", "(of ./takt serve: --transaction-time)");
    }
    serve.destroy(); // SIGTERM
    assertThat(serve.waitFor()).isZero();
  }

  private static int run(StringWriter out, StringWriter err, String... words) {
    return Main.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(words);
  }

  private static String awaitCheck(int exitCode, String... listen) {
    List<String> words = new ArrayList<>(List.of("serve", "--check"));
    words.addAll(List.of(listen));
    StringWriter told;
    do { // its counters are there, or old, soon
      told = new StringWriter();
    } while (run(new StringWriter(), told, words.toArray(new String[0])) != exitCode);
    return told.toString();
  }

  private static void signal(Process process, String name) throws Exception {
    String pid = Long.toString(process.pid());
    assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
  }

  @Test
  void shouldSayWhetherItIsReadyAndNotSoWhileItStandsStillOrWhenItHasEnded() throws Exception {
    Process serve =
        start("serve", "--listen", "tcp://127.0.0.1:0", "--listen", "lines://127.0.0.1:0");
    BufferedReader lines = serve.inputReader();
    String tcp = lines.readLine().replaceAll(".* ", "");
    String[] all = {"--listen", tcp, "--listen", lines.readLine().replaceAll(".* ", "")};
    String is = "takt serve: %s, process %d, is ready; clients: 0\n";

    assertThat(awaitCheck(0, all))
        .isEqualTo(is.formatted(all[1], serve.pid()) + is.formatted(all[3], serve.pid()));
    StringWriter shown = new StringWriter();
    assertThat(run(shown, shown, "top", tcp, "--once", "--interval", "0.1")).isZero();
    assertThat(shown.toString())
        .contains(serve.pid() + " takt serve: ", "server-1: 0 sessions", "space of server-1: 0 of ")
        .contains(all[1] + ": ready, 0 of ", all[3] + ": ready, 0 of ");

    signal(serve, "STOP");
    assertThat(awaitCheck(1, all)).contains(all[1] + ", process ", "has written nothing for ");
    signal(serve, "CONT");
    awaitCheck(0, all);

    serve.destroy();
    assertThat(serve.waitFor()).isZero();
    assertThat(awaitCheck(1, all))
        .contains("no process of this user listens at " + tcp, "./takt serve --listen " + tcp);
  }

  @Test
  void shouldServeLinesAndWebSocketsToo() throws Exception {
    Process serve =
        start("serve", "--listen", "lines://127.0.0.1:0", "--listen", "ws://127.0.0.1:0");
    BufferedReader lines = serve.inputReader();
    try (Socket client = connect(lines.readLine(), "lines");
        Socket web = connect(lines.readLine(), "ws")) {
      client.getOutputStream().write("write {\"x\":1}\ncount\n".getBytes(UTF_8));
      assertThat(client.getInputStream().readNBytes(8)).asString().isEqualTo("ok\nok 1\n");
      web.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8));
      assertThat(web.getInputStream().readNBytes(12)).asString().isEqualTo("HTTP/1.1 426");
    }
    serve.destroy(); // SIGTERM
    assertThat(serve.waitFor()).isZero();
  }

  private static Socket connect(String line, String scheme) throws IOException {
    assertThat(line).startsWith("takt serve: listening at " + scheme + "://127.0.0.1:");
    return new Socket("127.0.0.1", Integer.parseInt(line.substring(line.lastIndexOf(':') + 1)));
  }

  @Test
  void shouldSayWhatItCannotUse() {
    refused(2, "clients need TLS and tokens", "--listen", "tcp://0.0.0.0:0");
    refused(2, "clients need TLS and tokens", "--listen", "ws://0.0.0.0:0");
    refused(2, "needs the key of the host", "--listen", "lines+tls://127.0.0.1:0");
    refused(2, "expected: tcp://HOST:PORT", "--listen", "ftp://127.0.0.1:0");
    refused(2, "--drain=11 (expected: 0 to 10 seconds)", "--drain", "11");
    refused(2, "capacity", "--capacity", "0");
    refused(2, "--max-event=7 (expected: 8 to 32768 bytes; what is longer", "--max-event", "7");
    refused(2, "--max-event=32769 (expected: 8 to 32768", "--max-event", "32769");
    refused(2, "--max-keys=0 (expected: 1 to 65536; put what varies into", "--max-keys", "0");
    refused(2, "--transaction-time=0.0 (expected: 0.001 to 3600", "--transaction-time", "0");
    refused(2, "--transaction-time=NaN (expected: 0.001", "--transaction-time", "NaN");
    refused(1, "--tokens=/no/such/file does not exist", "--tokens", "/no/such/file");
    refused(1, "--tokens=/ is a folder (expected: a file)", "--tokens", "/");
    String tls = "--listen=tls://127.0.0.1:0";
    String word = "/no/such/word";
    refused(1, "--tls-password=" + word, tls, "--tls", "/no/such/key", "--tls-password", word);
    refused(
        1, "--tls=/no/such/key does", tls, "--tls", "/no/such/key", "--tls-password", "/dev/null");
    refused(2, "no address has TLS: tcp://127", "--tls", "host.p12", "--tls-password", "word");
    refused(2, "--tls KEYSTORE is missing", "--tls-password", "word");
    refused(2, "host.p12: --tls-password FILE is missing", "--tls", "host.p12");
    refused(2, "--listen=127.0.0.1:0 is no address (exp", "--listen", "127.0.0.1:0");
    refused(2, "(expected: the port that", "--check", "--listen", "tcp://127.0.0.1:0");
    refused(2, "expected: tcp://HOST:PORT", "--check", "--listen", "ftp://127.0.0.1:7400");
  }

  @Test
  void shouldRefuseACapacityForWhichTheHeapHasNoRoom() {
    SpaceSettings space = SpaceSettings.DEFAULTS.withCapacity(60_000_000);
    assertThatThrownBy(() -> ServeCommand.fitting(space, 473L << 20, Assertions::fail))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--capacity=60000000 takes ")
        .hasMessageContaining("(limit: half of the JVM's heap, 236 MB); give fewer, or more ");
    assertThat(ServeCommand.fitting(SpaceSettings.DEFAULTS, 473L << 20, Assertions::fail))
        .isEqualTo(SpaceSettings.DEFAULTS);
  }

  @Test
  void shouldHaveAsManyIndexesAsHalfOfTheHeapHasRoomForAndSayWhatGivesMore() {
    SpaceSettings asked = SpaceSettings.DEFAULTS.withCapacity(1_000_000);
    List<String> told = new ArrayList<>();

    SpaceSettings fitting = ServeCommand.fitting(asked, 1 << 30, told::add);

    assertThat(fitting).isEqualTo(asked.withMaxIndexes(fitting.maxIndexes()));
    long left = (1 << 29) - asked.leastHeapBytes() - fitting.maxIndexes() * asked.indexHeapBytes();
    assertThat(left).isBetween(0L, asked.indexHeapBytes() - 1);
    Matcher notice =
        Pattern.compile(
                "%d of 32 sets of template keys have room: --capacity=1000000 takes .*-Xmx(\\d+)m\""
                    .formatted(fitting.maxIndexes()))
            .matcher(told.getFirst());
    assertThat(notice.matches()).as(told.toString()).isTrue();
    long enough = Long.parseLong(notice.group(1)) << 20;
    assertThat(ServeCommand.fitting(asked, enough, Assertions::fail)).isEqualTo(asked);
  }

  private static void refused(int exitCode, String part, String... arguments) {
    StringWriter err = new StringWriter();
    CommandLine takt = Main.commandLine().setErr(new PrintWriter(err));
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add(0, "serve");
    assertThat(takt.execute(all.toArray(new String[0]))).as(err.toString()).isEqualTo(exitCode);
    assertThat(err.toString()).contains(part);
  }
}
