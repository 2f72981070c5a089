package dev.takt.persist.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.persist.JavaProgram;
import dev.takt.space.EventSpace;
import dev.takt.testkit.Seeds;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed at any moment loses nothing that had returned, and nothing is twice. */
class JournalKillTest {
  @TempDir private Path folder;

  private final Random random = new Random(Seeds.seed());

  @Test
  void shouldHaveEachCommitThatHadReturnedWhenTheProcessIsKilledAtAnyMoment() throws Exception {
    int[] done = new int[KilledProgram.THREADS];
    int warm = 0;
    for (int round = Seeds.size(8, 300); round > 0; round--) {
      Process program = JavaProgram.start(KilledProgram.class, folder);
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
