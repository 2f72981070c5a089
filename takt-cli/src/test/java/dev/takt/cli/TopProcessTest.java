package dev.takt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.takt.realtime.counters.CounterFolder;
import dev.takt.realtime.counters.CounterReader;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code takt top} beside programs that know nothing of it, with tasks that are woven. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TopProcessTest {
  private static final String PROGRAM =
      """
      package app;

      import dev.takt.cpu.*;
      import dev.takt.reflex.*;
      import dev.takt.space.*;

      public final class Main {
        static final class Feed extends ReflexTask {
          private long count;

          @Override
          public void execute() {
            write(new Event("count", ++count));
          }
        }

        static final class Reader extends ReflexTask {
          private Handle counts;

          @Override
          public void initialize() {
            counts = subscribe(new Event("count", null));
          }

          @Override
          public void execute() {
            for (Event each : counts) {
              if (each.getLong("count") < 0) {
                abort();
              }
            }
          }
        }

        public static void main(String[] arguments) throws Exception {
          AuthenticationClass vip = new AuthenticationClass(
              "vip", 1, 1_000_000_000, 1_000_000_000, 0.5, false, OverrunPolicy.COUNT, 5_000_000);
          try (CpuManager manager = CpuManager.start(ManagerSettings.defaults());
              ReflexRuntime runtime =
                  ReflexRuntime.create(
                      EventSpace.create(),
                      RuntimeSettings.DEFAULTS.withAdmission(manager.admission(vip)))) {
            runtime.active("feed", new Feed(), Schedule.of(
                dev.takt.realtime.Periodic.ofNs(5_000_000).withBudgetNs(1_000_000)));
            runtime.passive("reader", new Reader(), 10);
            runtime.start();
            manager.register(Profile.of("plain", 50_000_000).withBudgetNs(1_000_000), () -> {});
            System.out.println("started");
            System.in.read();
          }
        }
      }
      """;

  @TempDir private static Path compiled;
  private static Path jar;

  @TempDir private Path temporary;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final List<Process> started = new ArrayList<>();

  @BeforeAll
  static void compile() throws IOException {
    Path classes = UserProgram.compile(compiled, PROGRAM);
    jar = UserProgram.jar(classes, compiled.resolve("watched.jar"));
  }

  @AfterEach
  void end() throws InterruptedException {
    for (Process each : started) {
      each.destroyForcibly().waitFor();
    }
  }

  private static List<String> java(Path temporary, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djava.io.tmpdir=" + temporary);
    String classPath = System.getProperty("java.class.path") + File.pathSeparator + modulePath();
    command.addAll(List.of("-cp", classPath, "dev.takt.cli.Main"));
    command.addAll(List.of(arguments));
    return command;
  }

  private static String modulePath() {
    return System.getProperty("jdk.module.path", "");
  }

  private Process start(String... arguments) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(java(temporary, arguments));
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    Process process = builder.start();
    started.add(process);
    return process;
  }

  private static int tasksOf(Object processor) {
    Map<?, ?> row = (Map<?, ?>) processor;
    assertThat(row.get("name").toString()).startsWith("any");
    return (int) row.get("tasks");
  }

  private Process startProgram() throws IOException {
    Process process = start("run", jar.toString());
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    assertThat(reader.readLine()).isEqualTo("started");
    return process;
  }

  private Path folder() throws IOException {
    try (Stream<Path> all = Files.list(temporary)) {
      return all.filter(each -> each.getFileName().toString().startsWith("takt-"))
          .findFirst()
          .orElse(temporary.resolve("none"));
    }
  }

  private void awaitFiles(long count) throws IOException {
    while (files() != count) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private long files() throws IOException {
    if (!Files.isDirectory(folder())) {
      return 0;
    }
    try (Stream<Path> files = Files.list(folder())) {
      return files.count();
    }
  }

  private int top(String... options) throws IOException {
    out.getBuffer().setLength(0);
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(List.of("--folder", folder().toString(), "--interval", "0.3", "--once"));
    return CommandLines.of(new TopCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments.toArray(String[]::new));
  }

  @SuppressWarnings("unchecked")
  private static Optional<Map<String, Object>> find(
      Map<String, Object> line, String kind, String name) {
    return ((List<Map<String, Object>>) line.get(kind))
        .stream().filter(each -> each.get("name").equals(name)).findFirst();
  }

  private static Map<String, Object> row(Map<String, Object> line, String kind, String name) {
    return find(line, kind, name).orElseThrow();
  }

  @Test
  void shouldShowTasksSpaceAndManagerOfAProgramThatWasNotPrepared() throws Exception {
    Process program = startProgram();
    awaitFiles(1);
    Map<String, Object> line;
    do {
      assertThat(top("--json")).as(err.toString()).isZero();
      line = JSON.std.mapFrom(out.toString());
    } while (find(line, "tasks", "feed") // until it is released, and was looked at twice
        .filter(each -> each.keySet().containsAll(List.of("cost_ns", "releases_per_s")))
        .isEmpty());

    assertThat(line).containsEntry("program", "takt run").containsKeys("time", "interval_s");
    assertThat(((Number) line.get("pid")).longValue()).isEqualTo(program.pid());
    Map<String, Object> feed = row(line, "tasks", "feed");
    assertThat(feed)
        .containsEntry("owner", "runtime-1")
        .containsEntry("type", "active")
        .containsEntry("class", "vip")
        .containsEntry("basis", "budget")
        .containsEntry("period_ns", 5_000_000)
        .containsEntry("budget_ns", 1_000_000)
        .containsEntry("cost_ns", 1_000_000)
        .containsEntry("utilization_ppm", 200_000)
        .containsKeys("releases_per_s", "misses", "overruns", "state");
    assertThat(row(line, "tasks", "reader"))
        .containsEntry("type", "passive")
        .containsEntry("class", "vip")
        .containsEntry("state", "served")
        .containsEntry("period_ns", 0)
        .doesNotContainKey("utilization_ppm");
    assertThat(row(line, "tasks", "server of reader"))
        .containsEntry("type", "server")
        .containsEntry("state", "admitted");
    assertThat(row(line, "tasks", "plain"))
        .containsEntry("type", "plain")
        .containsEntry("state", "admitted");
    assertThat((List<?>) line.get("tasks")).as("one row for each task").hasSize(4);
    assertThat((int) row(line, "spaces", "space").get("commits")).isPositive();
    assertThat(row(line, "managers", "manager-1")).containsEntry("tasks", 4);
    assertThat(((List<?>) line.get("processors")).stream().mapToInt(TopProcessTest::tasksOf).sum())
        .as("tasks of all processors: %s", line.get("processors"))
        .isEqualTo(3);

    assertThat(top()).isZero();
    assertThat(out.toString().lines()).allMatch(each -> each.length() <= 200);
    assertThat(out.toString())
        .contains("takt run: 3 tasks", "space of runtime-1", " of 70.0 % admitted, ")
        .containsPattern("(?m)^feed .*vip.* 5 ms .*20\\.0 %");
  }

  @Test
  void shouldForgetAProcessThatIsKilledAndKnowWhenAllHaveEnded() throws Exception {
    Process killed = startProgram();
    Process ended = startProgram();
    awaitFiles(2);
    assertThat(top()).isZero();
    assertThat(out.toString()).contains(killed.pid() + " takt", ended.pid() + " takt", "process");
    assertThat(top(Long.toString(ended.pid()))).isZero();
    assertThat(out.toString()).contains(ended.pid() + " takt").doesNotContain(killed.pid() + " t");

    killed.destroyForcibly().waitFor(); // kill -9
    assertThat(folder().resolve(Long.toString(killed.pid()))).exists();
    assertThat(top()).isZero();
    assertThat(out.toString()).contains(ended.pid() + " takt").doesNotContain(killed.pid() + " t");
    assertThat(folder().resolve(Long.toString(killed.pid())))
        .as("a folder that is named is left as it is")
        .exists();
    CounterReader.removeEnded(new CounterFolder(folder()));
    assertThat(folder().resolve(Long.toString(killed.pid()))).doesNotExist();

    ended.getOutputStream().close();
    assertThat(ended.waitFor()).isZero();
    assertThat(files()).as("it has removed its file itself").isZero();
    assertThat(top()).isEqualTo(1);
    assertThat(err.toString()).contains("no Takt process of this user runs", "./takt demo");
    assertThat(top("77")).isEqualTo(1);
    assertThat(err.toString()).contains("process 77 runs no Takt");
  }

  @Test
  void shouldEndWellByAnInterrupt() throws Exception {
    startProgram();
    awaitFiles(1);
    Process top = start("top", "--interval", "0.1", "--json");
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(top.getInputStream(), StandardCharsets.UTF_8));
    assertThat(lines.readLine()).startsWith("{\"time\":");
    assertThat(lines.readLine()).as("another interval").startsWith("{\"time\":");
    Process kill = new ProcessBuilder("kill", "-INT", Long.toString(top.pid())).start();
    assertThat(kill.waitFor()).isZero();
    assertThat(top.waitFor()).isZero();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      assertThat(line).startsWith("{\"time\":").endsWith("}");
    }
  }
}
