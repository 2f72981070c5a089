package dev.takt.samples.trading;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.takt.client.Takt;
import dev.takt.samples.TaktProcess;
import dev.takt.samples.market.MarketReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code takt demo --host}: the tasks in a process of their own. */
@Timeout(240)
class DemoHostTest {
  private static final long END_S = 60;

  @TempDir private Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void shouldFindTheSameFiguresAsInOneProcess() throws Exception {
    Path one = folder.resolve("one.json");
    assertThat(run("--speed", "max", "--repeat", "1", "--json", one.toString())).isZero();
    Path hosted = folder.resolve("hosted.json");
    assertThat(run("--host", "--speed", "max", "--repeat", "2", "--json", hosted.toString()))
        .as(this::said)
        .isZero();

    Map<String, Object> results = results(hosted);
    for (String each :
        List.of(
            "lines", "trades", "quantity", "vwap", "rising_runs", "longest_run", "count-trade")) {
      assertThat(value(results, each)).as(each).isEqualTo(value(results(one), each));
    }
    assertThat(value(results, "trades")).isEqualTo("100000");
    assertThat(value(results, "host-passes")).isEqualTo("2");
    assertThat(value(results, "here-passes")).isEqualTo("2");
    for (String each : List.of("host-response", "here-response", "host-response-statistics")) {
      assertThat(results.get(each).toString()).contains("p50=", "p99=", "p999=", "max=");
    }
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("Both find the same figures");
  }

  @Test
  void shouldSayThatTheHostHasEnded() throws Exception {
    Path input = Files.writeString(folder.resolve("slow"), "1,10,1\n2,11,1\n9000,12,1\n");
    TradersInHost traders = new TradersInHost(1_024, false);
    try (TradingFloor floor =
        new TradingFloor(() -> MarketReader.open(input), Excerpt.ALL, 1, 1, traders, false)) {
      Thread killer =
          Thread.startVirtualThread(
              () -> {
                while (host(ProcessHandle.current()) == null || !isReady()) {
                  Thread.yield();
                }
                floor.cancel(); // or it waits for the line that is due in hours
                host(ProcessHandle.current()).destroyForcibly();
              });
      TradingResult result = floor.run(progress());
      killer.join();
      assertThat(result.problem()).containsPattern("host|link");
    }
    assertThat(Takt.folder("demo-" + ProcessHandle.current().pid())).doesNotExist();
  }

  @Test
  void shouldEndTheHostWhenTheDemoIsKilled() throws Exception {
    Process demo = start();
    ProcessHandle host = awaitHost(demo);
    demo.destroyForcibly();
    assertThat(host.onExit().get(END_S, TimeUnit.SECONDS).isAlive()).isFalse();
    assertThat(Takt.folder("demo-" + demo.pid())).doesNotExist();
  }

  @Test
  void shouldReportAndEndTheHostAfterCtrlC() throws Exception {
    Process demo = start();
    ProcessHandle host = awaitHost(demo);
    signal("INT", host.pid()); // as a terminal sends it to both
    signal("INT", demo.pid());
    assertThat(demo.waitFor(END_S, TimeUnit.SECONDS)).as(this::output).isTrue();
    assertThat(demo.exitValue()).as(this::output).isEqualTo(130);
    assertThat(host.onExit().get(END_S, TimeUnit.SECONDS).isAlive()).isFalse();
    assertThat(output())
        .contains("The run was interrupted.", "host-response")
        .doesNotContain("The work failed");
  }

  @Test
  void shouldRefuseToKeepState() {
    assertThat(run("--host", "--data", folder.toString())).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("--host keeps no state");
  }

  /** The options are there twice: the launcher, a script, cannot ask a class. */
  @Test
  void shouldStartTheHostAsTheLauncherDoes() throws Exception {
    String launcher = Files.readString(Path.of("..", "takt"));
    assertThat(launcher)
        .contains(String.join(" ", TradersInHost.JVM_OPTIONS.subList(1, 6)))
        .contains(TradersInHost.JVM_OPTIONS.getFirst());
  }

  private static void signal(String name, long pid) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start();
    assertThat(kill.waitFor(END_S, TimeUnit.SECONDS)).isTrue();
  }

  private Process start() throws IOException {
    Path input = Files.writeString(folder.resolve("slow"), "1,10,1\n2,11,1\n9000,12,1\n");
    return TaktProcess.of(
            "--enable-native-access=ALL-UNNAMED",
            "demo",
            "--host",
            "--speed",
            "1x",
            "--repeat",
            "1",
            "--input",
            input.toString())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("output").toFile())
        .start();
  }

  /** Waits until the demo replays: its host has answered then. */
  private ProcessHandle awaitHost(Process demo) {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_S);
    while (!output().contains("replaying") || host(demo.toHandle()) == null) {
      assertThat(demo.isAlive()).as(this::output).isTrue();
      assertThat(System.nanoTime() - endNs).as(this::output).isNegative();
      Thread.onSpinWait();
    }
    return host(demo.toHandle());
  }

  private static ProcessHandle host(ProcessHandle of) {
    try (Stream<ProcessHandle> children = of.children()) {
      return children
          .filter(each -> each.info().command().orElse("").endsWith("java"))
          .findFirst()
          .orElse(null);
    }
  }

  private boolean isReady() {
    return err.toString(StandardCharsets.UTF_8).contains("replaying");
  }

  private Progress progress() {
    return new Progress(new PrintStream(err, true, StandardCharsets.UTF_8), false);
  }

  private String output() {
    try {
      return Files.readString(folder.resolve("output"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private int run(String... args) {
    return DemoCommand.run(
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        args);
  }

  private String said() {
    return err.toString(StandardCharsets.UTF_8) + out.toString(StandardCharsets.UTF_8);
  }

  private static String value(Map<String, Object> results, String name) {
    return ((Map<?, ?>) results.get(name)).get("value").toString();
  }

  private static Map<String, Object> results(Path json) throws IOException {
    Map<String, Object> results = new TreeMap<>();
    Map<String, Object> report =
        JSON.std.with(JSON.Feature.USE_BIG_DECIMAL_FOR_FLOATS).mapFrom(Files.readString(json));
    for (Object each : (List<?>) report.get("results")) {
      results.put((String) ((Map<?, ?>) each).get("name"), each);
    }
    return results;
  }
}
