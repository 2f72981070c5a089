package dev.takt.samples.trading;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.takt.persist.inspect.SnapshotFile;
import dev.takt.persist.inspect.StoredObjects;
import dev.takt.persist.inspect.StoredValues;
import dev.takt.reflex.RuntimeScheduling;
import dev.takt.samples.TaktProcess;
import dev.takt.samples.market.MarketReader;
import dev.takt.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code takt demo --data}: what was killed goes on, and finds what an undisturbed run finds. */
class DemoDataTest {
  private static final String REPEAT = "10";
  private static final List<String> FIGURES =
      List.of("lines", "trades", "quantity", "vwap", "rising_runs", "longest_run", "count-trade");

  /** How many times the process is killed; the long evidence run has 1,000. */
  private static final int KILLS = Seeds.size(3, 1_000);

  private static final long END_S = 120;

  @TempDir private Path folder;

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... arguments) {
    err.reset();
    return DemoCommand.run(
        new PrintStream(new ByteArrayOutputStream()),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        arguments);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private static Map<String, String> figures(Path json) throws IOException {
    Map<String, String> figures = new TreeMap<>();
    List<?> results = (List<?>) JSON.std.mapFrom(Files.readString(json)).get("results");
    for (Object each : results) {
      Map<?, ?> result = (Map<?, ?>) each;
      String name = (String) result.get("name");
      if (FIGURES.contains(name)) {
        figures.put(name, result.get("value").toString());
      }
    }
    return figures;
  }

  // ---- the real process, killed

  private Process start(Path data, Path json) throws IOException {
    return start("max", data, json);
  }

  private Process start(String speed, Path data, Path json) throws IOException {
    return TaktProcess.of(
            "-XX:TieredStopAtLevel=1",
            "demo",
            "--speed",
            speed,
            "--repeat",
            REPEAT,
            "--data",
            data.toString(),
            "--json",
            json.toString())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("output").toFile())
        .start();
  }

  private void shouldEnd(Process process) throws IOException, InterruptedException {
    assertThat(process.waitFor(END_S, TimeUnit.SECONDS)).as(this::output).isTrue();
    assertThat(process.exitValue()).as(this::output).isZero();
  }

  private String output() {
    try {
      return Files.readString(folder.resolve("output"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void shouldFindTheSameFiguresWhenItIsKilledAtAnyMoment() throws Exception {
    Path json = folder.resolve("result.json");
    long startNs = System.nanoTime();
    shouldEnd(start(folder.resolve("undisturbed"), json));
    long durationMs = (System.nanoTime() - startNs) / 1_000_000;
    Map<String, String> expected = figures(json);
    assertThat(expected).containsEntry("trades", "100000").hasSize(FIGURES.size());
    Random random = new Random(Seeds.seed());
    Path data = folder.resolve("data");
    int resumed = 0;
    for (int kills = 0; kills < KILLS; ) {
      Process process = start(data, json);
      try {
        if (process.waitFor(random.nextLong(durationMs), TimeUnit.MILLISECONDS)) {
          shouldEnd(process);
          assertThat(figures(json)).as(Seeds.replay(Seeds.seed())).isEqualTo(expected);
          delete(data);
        } else {
          kills++;
          if (random.nextInt(3) == 0) { // Ctrl-C, and what it does until it is killed
            process.destroy();
            process.waitFor(random.nextLong(1_000), TimeUnit.MILLISECONDS);
          }
        }
      } finally {
        process.destroyForcibly().waitFor();
      }
      resumed += output().contains("it goes on there") ? 1 : 0;
    }
    shouldEnd(start(data, json));
    resumed += output().contains("it goes on there") ? 1 : 0;
    assertThat(figures(json)).as(Seeds.replay(Seeds.seed())).isEqualTo(expected);
    System.out.printf("demo: %d kills, %d starts went on%n", KILLS, resumed);
  }

  /** How many trades the newest snapshot has in it; 0: none. */
  private static long tradesKept(Path data) throws IOException {
    long[] read = new long[1];
    List<Path> snapshots;
    try (Stream<Path> files = Files.list(data)) {
      snapshots = files.filter(file -> file.toString().endsWith(".takt")).sorted().toList();
    }
    if (snapshots.isEmpty()) {
      return 0;
    }
    try (SnapshotFile file = SnapshotFile.open(snapshots.getLast())) {
      StoredObjects objects = file.objects(file.roots().indexOf("statistics"));
      objects.next();
      objects.read(
          new NoValues() {
            @Override
            public void primitive(String field, char type, long bits) {
              if (field.equals("read@1")) {
                read[0] = bits;
              }
            }
          });
    } catch (NoSuchFileException e) {
      return 0; // a newer one has replaced it
    }
    return read[0];
  }

  @Test
  void shouldGoOnInThePassThatWasBrokenOff() throws Exception {
    Path data = folder.resolve("data");
    Path input = Files.writeString(folder.resolve("trades"), "1,10,1\n1,11,1\n9000,12,1\n");
    MarketSource source = () -> MarketReader.open(input);
    TradingResult first = replay(source, data, 1, true);
    assertThat(first.cancelled()).isTrue();
    assertThat(first.problem()).isNull();
    assertThat(first.figures().lines()).isEqualTo(2);
    TradingResult second = replay(source, data, 0, false);
    assertThat(second.problem()).isNull();
    assertThat(second.figures().lines()).isEqualTo(3);
    assertThat(second.figures().trades().quantity()).isEqualByComparingTo("3");
  }

  private TradingResult replay(MarketSource source, Path data, int speed, boolean isBrokenOff)
      throws Exception {
    try (StateKeeper keeper = StateKeeper.open(data, "trades", _ -> {});
        TradingFloor floor =
            new TradingFloor(
                source,
                Excerpt.ALL,
                speed,
                1,
                new TradersHere(1_024, RuntimeScheduling.NONE, keeper),
                true)) {
      CompletableFuture<Void> breaker =
          CompletableFuture.runAsync(
              () -> {
                try {
                  while (isBrokenOff && tradesKept(data) < 2) {
                    Thread.yield();
                  }
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                } finally {
                  if (isBrokenOff) {
                    floor.cancel();
                  }
                }
              });
      TradingResult result = floor.run(new Progress(new PrintStream(err), false));
      breaker.get(END_S, TimeUnit.SECONDS);
      return result;
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  // ---- what else there is to be told

  @Test
  void shouldShowTheSameFiguresAgainWhenItHadComeToItsEnd() throws Exception {
    Path data = folder.resolve("data");
    Path first = folder.resolve("first.json");
    Path second = folder.resolve("second.json");
    assertThat(run("--repeat", "2", "--data", data.toString(), "--json", first.toString()))
        .as(this::err)
        .isZero();
    assertThat(err()).doesNotContain("goes on");
    assertThat(run("--repeat", "2", "--data", data.toString(), "--json", second.toString()))
        .as(this::err)
        .isZero();
    assertThat(err()).contains("has the state after pass 2, trade 100,000: it goes on there");
    assertThat(figures(second)).isEqualTo(figures(first));
    try (Stream<Path> files = Files.list(data)) {
      for (Path each : files.toList()) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
            .as("%s", each)
            .isEqualTo("rw-------");
      }
    }
  }

  @Test
  void shouldGoOnWithMorePasses() throws Exception {
    Path data = folder.resolve("data");
    Path json = folder.resolve("result.json");
    String trades = Files.writeString(folder.resolve("trades"), "1,10,1\n2,11,1\n").toString();
    assertThat(run("--input", trades, "--speed", "max", "--data", data.toString())).isZero();
    assertThat(
            run(
                "--input",
                trades,
                "--speed",
                "max",
                "--repeat",
                "3",
                "--data",
                data.toString(),
                "--json",
                json.toString()))
        .as(this::err)
        .isZero();
    assertThat(figures(json)).containsEntry("trades", "2").containsEntry("vwap", "10.5");
  }

  @Test
  void shouldRefuseTheStateOfAnotherInput() throws Exception {
    String data = folder.resolve("data").toString();
    String one = Files.writeString(folder.resolve("one"), "1,10,1\n").toString();
    String two = Files.writeString(folder.resolve("two"), "1,10,1\n2,11,1\n").toString();
    assertThat(run("--input", one, "--speed", "max", "--data", data)).isZero();
    assertThat(run("--input", two, "--speed", "max", "--data", data)).isOne();
    assertThat(err()).contains("state of another input", "one of 7 bytes", "another folder");
    Files.delete(Path.of(data, "demo.input"));
    assertThat(run("--input", one, "--speed", "max", "--data", data)).isOne();
    assertThat(err()).contains("demo.input", "cannot be read", "another folder");
    assertThat(run("--input", one, "--speed", "max", "--data", one)).isOne();
    assertThat(err()).contains(one + " is a file");
  }

  @Test
  void shouldRefuseAFolderThatAnotherDemoUsesForAsLongAsItDoes() throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    Path lock = Files.createFile(data.resolve("takt.lock"));
    Process other = start("1x", data, folder.resolve("result.json"));
    try {
      String pid = Long.toString(other.pid());
      while (other.isAlive() && !Files.readString(lock).equals(pid)) {
        Thread.onSpinWait();
      }
      assertThat(run("--speed", "max", "--data", data.toString())).as(this::output).isOne();
      assertThat(err()).contains("is written by another program (process " + pid + ")");
    } finally {
      other.destroyForcibly().waitFor();
    }
    String one = Files.writeString(folder.resolve("one"), "1,10,1\n").toString();
    Path free = folder.resolve("free");
    assertThat(run("--input", one, "--speed", "max", "--data", free.toString())).isZero();
  }

  @Test
  void shouldRefuseToBeginAnewWhereAllSnapshotsAreDamaged() throws Exception {
    Path data = folder.resolve("data");
    String input = Files.writeString(folder.resolve("trades"), "1,10,1\n").toString();
    assertThat(run("--input", input, "--speed", "max", "--data", data.toString())).isZero();
    try (Stream<Path> files = Files.list(data)) {
      for (Path each : files.filter(file -> file.toString().endsWith(".takt")).toList()) {
        byte[] bytes = Files.readAllBytes(each);
        bytes[bytes.length / 2]++;
        Files.write(each, bytes);
      }
    }
    assertThat(run("--input", input, "--speed", "max", "--data", data.toString())).isOne();
    assertThat(err()).contains("no snapshot can be used", "offset ", "./takt snapshot verify");
  }

  /** Takes values, and forgets them. */
  private static class NoValues implements StoredValues {
    @Override
    public void primitive(String field, char type, long bits) {}

    @Override
    public void reference(String field, long object) {}

    @Override
    public void text(String text) {}

    @Override
    public void length(int elements) {}

    @Override
    public void element(char type, long bits) {}

    @Override
    public void element(long object) {}
  }
}
