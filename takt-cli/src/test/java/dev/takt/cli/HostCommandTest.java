package dev.takt.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.client.ClientSettings;
import dev.takt.client.RemoteSpace;
import dev.takt.client.Takt;
import dev.takt.client.link.LinkException;
import dev.takt.space.Event;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code takt host} in a process of its own, and clients in this one. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostCommandTest {
  private static final String PROGRAM =
      """
      package app;

      import dev.takt.reflex.*;
      import dev.takt.space.*;

      public final class Main implements HostedTasks {
        static final class Counter extends ReflexTask {
          private Handle asked;
          private long count;

          @Override
          public void initialize() {
            asked = subscribe(new Event("ask", null));
          }

          @Override
          public void execute() {
            for (Event each : asked) { // a text is an event that it cannot bear
              write(new Event("answer", each.getLong("ask")).add("count", ++count));
            }
          }
        }

        @Override
        public void register(ReflexRuntime runtime) {
          if (System.getenv("FAIL_AT_THE_END") != null) {
            fail();
          }
          if (System.getenv("REGISTER_NOTHING") != null) {
            return;
          }
          if (System.getenv("USE_THE_HEAP_UP") != null) {
            java.util.List<long[]> kept = new java.util.ArrayList<>();
            while (true) {
              kept.add(new long[100_000]);
            }
          }
          long[] sum = new long[1];
          runtime
              .space()
              .subscribe(new Event("litter", null), () -> sum[0] += new long[1_000_000].length);
          runtime.passive("counter", new Counter(), 10);
        }

        private static void fail() {
          java.util.concurrent.CountDownLatch asked = new java.util.concurrent.CountDownLatch(1);
          Runtime.getRuntime().addShutdownHook(new Thread(asked::countDown));
          System.err.println("registers");
          try {
            asked.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          throw new NumberFormatException("as told");
        }
      }
      """;

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String NAME = "test-" + ProcessHandle.current().pid();

  @TempDir private static Path compiled;
  private static Path program;

  @TempDir private Path folder;
  private final HostRuns hosts = new HostRuns(NAME);

  @BeforeAll
  static void compileProgram() throws IOException {
    program = HostRuns.compile(compiled, PROGRAM);
  }

  @AfterEach
  void endHosts() throws IOException {
    hosts.close();
  }

  private Process start(Map<String, String> environment, String... words) throws IOException {
    String[] all =
        Stream.concat(Stream.of(program.toString()), Stream.of(words)).toArray(String[]::new);
    return hosts.start(environment, List.of(), all);
  }

  private static BufferedReader said(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
  }

  /** A host that has said that it is ready, and what it says after that. */
  private final class Host {
    private final Process process;
    private final BufferedReader said;
    private final String ready;

    Host(String... words) throws IOException {
      process = start(Map.of(), words);
      said = said(process);
      List<String> before = new ArrayList<>();
      String line = said.readLine();
      while (line != null && !line.contains(" is ready")) {
        before.add(line);
        line = said.readLine();
      }
      assertThat(line).as("%s", before).isNotNull();
      ready = line;
    }

    String end() throws IOException, InterruptedException {
      return end(0);
    }

    String end(int code) throws IOException, InterruptedException {
      process.toHandle().destroy(); // the other destroy closes what is read here, too
      String rest = String.join("\n", said.lines().toList());
      assertThat(process.waitFor()).as(rest).isEqualTo(code);
      return rest;
    }
  }

  private static long ask(RemoteSpace space, long what) throws InterruptedException {
    space.write(new Event("ask", what));
    Event answer = space.take(new Event("answer", what).add("count", null), LONG);
    assertThat(answer).as("answer to %s", what).isNotNull();
    return answer.getLong("count");
  }

  private static void writeForEver(RemoteSpace space) {
    while (true) {
      space.write(new Event("more", 1));
    }
  }

  private static int execute(StringWriter err, String... words) {
    return Main.commandLine().setErr(new PrintWriter(err)).execute(words);
  }

  private static int check(StringWriter err) {
    return execute(err, "host", NAME, "--check");
  }

  @Test
  void shouldServeClientsWithoutACollectionAndEndWhenItIsAskedTo() throws Exception {
    Host host = new Host();
    assertThat(host.ready).contains(NAME, "tasks 1", "MB committed", "collections since ready: 0");

    StringWriter told = new StringWriter();
    ClientSettings once = ClientSettings.DEFAULTS.withReconnectNs(0);
    try (RemoteSpace space = Takt.connect(Takt.folder(NAME), once)) {
      for (int i = 0; i < 100; i++) {
        assertThat(ask(space, i)).isEqualTo(i + 1);
      }
      while (check(told) != 0) { // its counters are there within half a second
        ask(space, 0);
      }
      assertThat(host.end())
          .contains(NAME + " ends; collections since ready: 0", NAME + " has ended");
      assertThatThrownBy(() -> space.write(new Event("ask", 1)))
          .isInstanceOf(RuntimeException.class);
    }

    assertThat(told.toString()).contains(NAME + ", process", "collections since ready: 0");
    assertThatThrownBy(() -> Takt.connect(NAME)).isInstanceOf(LinkException.class);
    assertThat(check(told)).isEqualTo(1);
    assertThat(told.toString()).contains("there is no host " + NAME);
    assertThat(Takt.folder(NAME)).doesNotExist();
  }

  /** The heap has 128 MB, and each event has a subscriber make 8 MB of garbage. */
  @Test
  void shouldRaiseTheAlarmWhenTheApplicationAllocates() throws Exception {
    Host host = new Host();
    try (RemoteSpace space = Takt.connect(NAME)) {
      String line = "";
      for (int i = 0; i < 40; i++) {
        space.write(new Event("litter", i));
      }
      while (line != null && !line.contains("ALARM")) {
        line = host.said.readLine();
      }
      assertThat(line).containsPattern("ALARM: collections since ready: [1-9]");
      StringWriter told = new StringWriter();
      assertThat(check(told)).as("the health of the host").isEqualTo(1);
    }
    assertThat(host.end(1)).containsPattern("ends; collections since ready: [1-9]");
  }

  @Test
  void shouldNotBeWellOnceAnEventHasStoppedATask() throws Exception {
    Host host = new Host("--max-failures", "2");
    StringWriter told = new StringWriter();
    try (RemoteSpace space = Takt.connect(NAME)) {
      while (check(told) != 0) { // its counters are there within half a second
        ask(space, 0);
      }
      space.write(new Event("ask", "no number"));
      while (check(told) == 0) {
        space.count(new Event("ask", "no number"));
      }
      assertThat(space.take(new Event("ask", "no number"), new Event())).as("a way out").isTrue();
    }

    assertThat(told.toString().lines().toList().getLast())
        .contains(NAME + ", process", "is ready; ", "stopped, and not released again")
        .contains("started anew: counter (its log says why)");
    StringWriter shown = new StringWriter();
    assertThat(Main.commandLine().setOut(new PrintWriter(shown)).execute("top", NAME, "--once"))
        .isZero();
    assertThat(shown.toString()).contains("takt host " + NAME + ": 1 task\n", "1 task stopped");
    assertThat(host.end()).contains("after 2 failed releases", "--max-failures (2 in a row)");
  }

  @Test
  void shouldGoOnWithEventsAndStateAfterItWasKilled() throws Exception {
    String data = folder.resolve("data").toString();
    Host first = new Host("--data", data);
    try (RemoteSpace space = Takt.connect(NAME)) {
      for (int i = 0; i < 20; i++) {
        assertThat(ask(space, i)).isEqualTo(i + 1);
      }
      space.write(new Event("kept", 7));
      first.process.destroyForcibly().waitFor();
    }

    Host second = new Host("--data", data);
    assertThat(second.ready).contains("with what was kept in " + data);
    try (RemoteSpace space = Takt.connect(NAME)) {
      assertThat(space.count(new Event("kept", 7))).isEqualTo(1);
      assertThat(ask(space, 20)).isEqualTo(21);
    }
    second.end();
  }

  @Test
  void shouldEndAtOnceWithItsOwnExitCodeWhenItFailsAfterItWasAskedToEnd() throws Exception {
    Process process = start(Map.of("FAIL_AT_THE_END", "yes"));
    BufferedReader said = said(process);
    String line = said.readLine();
    while (line != null && !line.equals("registers")) {
      line = said.readLine();
    }
    process.toHandle().destroy();
    assertThat(String.join("\n", said.lines().toList()))
        .contains(
            "%s is not started: app.Main.register of %s failed: %s: as told"
                .formatted(NAME, program, NumberFormatException.class.getName()),
            "app.Main.fail(");
    assertThat(process.waitFor()).isEqualTo(1);
  }

  @Test
  void shouldSayThatTheHeapIsUsedUpAndHowToGiveMore() throws Exception {
    Process process = start(Map.of("USE_THE_HEAP_UP", "yes"));

    assertThat(String.join("\n", said(process).lines().toList()))
        .containsPattern(NAME + " is not started: the heap of \\d+ MB is used up; give it more: ")
        .contains("TAKT_JAVA_FLAGS=\"-Xms2g -Xmx2g -Xmn1500m\"")
        .doesNotContain("--help");
    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(Takt.folder(NAME)).doesNotExist();
  }

  @Test
  void shouldKnowAUsedUpHeapAlsoWhereTheErrorWasToBeAddedToItself() {
    OutOfMemoryError full = new OutOfMemoryError("Java heap space");
    AutoCloseable failing =
        () -> {
          throw full;
        };
    assertThatThrownBy(
            () -> {
              try (failing) {
                throw full;
              }
            })
        .isInstanceOf(IllegalArgumentException.class)
        .matches(HostCommand::isHeapUsedUp, "is a heap that is used up");
    assertThat(HostCommand.isHeapUsedUp(new IllegalArgumentException("a word"))).isFalse();
  }

  @Test
  void shouldWarnThatAnApplicationRegistersNoTask() throws Exception {
    Map<String, String> nothing = Map.of("REGISTER_NOTHING", "yes");
    BufferedReader said = said(start(nothing));
    String line = said.readLine();
    while (line != null && !line.contains("WARNING: ")) {
      line = said.readLine();
    }
    assertThat(line).contains("app.Main.register of " + program + " registers no task; is");

    Process strict = start(nothing, "--strict");
    assertThat(String.join("\n", said(strict).lines().toList()))
        .contains(NAME + " is not started: with --strict", "registers no task");
    assertThat(strict.waitFor()).isEqualTo(2);
  }

  /** As on a full disk: the system refuses to make a file longer. */
  @Test
  void shouldNotBeWellWhileCommitsCannotBeKept() throws Exception {
    Host host = new Host("--data", folder.resolve("data").toString());
    StringWriter told = new StringWriter();
    try (RemoteSpace space = Takt.connect(NAME)) {
      while (check(told) != 0) { // its counters are there within half a second
        ask(space, 0);
      }
      String pid = "--pid=" + host.process.pid();
      assertThat(new ProcessBuilder("prlimit", pid, "--fsize=1:").start().waitFor()).isZero();
      assertThatThrownBy(() -> writeForEver(space)).hasMessageContaining("commits are refused");
      while (check(told) == 0) {
        space.count(new Event("ask", 1));
      }
    }
    assertThat(told.toString().lines().toList().getLast()).contains(" is refusing commits; ");
  }

  @Test
  void shouldSayWhatIsWrongWhenThereIsNothingToHost() throws IOException {
    StringWriter err = new StringWriter();
    Path empty = Files.createDirectory(folder.resolve("empty"));

    assertThat(execute(err, "host", NAME)).isEqualTo(2);
    assertThat(err.toString()).contains("a jar with tasks is missing");
    assertThat(execute(err, "host", NAME, program.toString(), "--link-budget", "0")).isEqualTo(2);
    assertThat(err.toString()).contains("--link-budget=0.0 (expected: 0.1 to 10 milliseconds)");
    assertThat(execute(err, "host", NAME, program.toString(), "--client-priority", "-1"))
        .isEqualTo(2);
    assertThat(err.toString()).contains("--client-priority=-1 (expected: 0 to 1000000)");
    assertThat(execute(err, "host", "../x", empty.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("1 to 40 letters");
    assertThat(execute(err, "host", NAME, empty.toString())).isEqualTo(2);
    assertThat(err.toString())
        .contains("has no tasks for a host", "META-INF/services/dev.takt.reflex.HostedTasks");
    assertThat(execute(err, "host", NAME, folder.resolve("absent.jar").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("absent.jar does not exist");
    assertThat(execute(err, "host", NAME, "any.jar", "--check")).isEqualTo(2);
    assertThat(err.toString()).contains("takes the name of a host alone, so what is any.jar for?");
  }

  @Test
  void shouldSayWithoutAStackTraceWhatIsWrongWithAServicesFile() throws IOException {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.writeString(services.resolve("dev.takt.reflex.HostedTasks"), "com.example.Nope");
    StringWriter err = new StringWriter();
    assertThat(execute(err, "host", NAME, folder.toString())).isEqualTo(2);
    assertThat(err.toString())
        .contains(NAME + " is not started: " + folder, "com.example.Nope not found")
        .contains("name in that file, one a line")
        .doesNotContain("\tat ");
  }

  @Test
  void shouldSayWithoutAStackTraceWhereATaskIsRefused() throws Exception {
    Process twice = start(Map.of(), program.toString());
    String all = String.join("\n", said(twice).lines().toList());
    assertThat(all)
        .contains(NAME + " is not started: app.Main.register of " + program + ": ")
        .containsPattern("counter.* \\(at .*app\\.Main\\.register\\(.*\\)\\)")
        .doesNotContain("\tat ");
    assertThat(twice.waitFor()).isEqualTo(1);
  }
}
