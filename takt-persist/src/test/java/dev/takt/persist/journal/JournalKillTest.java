package dev.takt.persist.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.NanoClock;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.space.EventSpace;
import dev.takt.testkit.Seeds;
import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed at any moment loses nothing that had returned, and nothing is twice. */
class JournalKillTest {
  @TempDir private Path folder;

  private final Random random = new Random(Seeds.seed());

  /** The folder or jar that a class comes from; of a module that is patched by tests, too. */
  private static String pathOf(Class<?> type) {
    String name = type.getName().replace('.', '/') + ".class";
    String found = type.getResource("/" + name).toString();
    String root = found.substring(0, found.length() - name.length() - 1);
    return Path.of(URI.create(root.replaceFirst("^jar:", "").replaceFirst("!$", ""))).toString();
  }

  private Process start() throws Exception {
    String classes =
        Stream.of(
                Journal.class,
                JournalKillTest.class,
                EventSpace.class,
                NanoClock.class,
                ReflexRuntime.class,
                Assertions.class)
            .map(JournalKillTest::pathOf)
            .distinct()
            .collect(Collectors.joining(File.pathSeparator));
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            classes,
            KilledProgram.class.getName(),
            folder.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  @Test
  void shouldHaveEachCommitThatHadReturnedWhenTheProcessIsKilledAtAnyMoment() throws Exception {
    int[] done = new int[KilledProgram.THREADS];
    int warm = 0;
    for (int round = Seeds.size(8, 300); round > 0; round--) {
      Process program = start();
      try (var lines = program.inputReader()) {
        if (random.nextInt(4) > 0) {
          note(lines.readLine(), done); // else perhaps while it is opened
        }
        program.waitFor(random.nextInt(400), TimeUnit.MILLISECONDS);
        program.toHandle().destroyForcibly(); // that of the process closes its output
        lines.lines().forEach(line -> note(line, done));
      }
      assertThat(program.waitFor()).isEqualTo(128 + 9);
      EventSpace space = EventSpace.create();
      try (Journal journal = Journal.open(folder, space)) {
        for (int t = 0; t < done.length; t++) {
          String what = "round %d, thread %d, %s".formatted(round, t, Seeds.replay(Seeds.seed()));
          int n = Steps.recovered(space, t, what);
          assertThat(n).as(what).isBetween(done[t], done[t] + 1);
          done[t] = n;
        }
        warm += journal.recovered().isWarm() ? 1 : 0;
      }
    }
    assertThat(warm).isPositive();
    assertThat(done[0]).isPositive();
  }

  /** A line that the kill has cut counts for nothing. */
  private static void note(String line, int[] done) {
    if (line != null) {
      String[] numbers = line.split(" ");
      done[Integer.parseInt(numbers[0])] = Integer.parseInt(numbers[1]);
    }
  }
}
