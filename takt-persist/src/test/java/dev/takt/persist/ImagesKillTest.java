package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.kept.Teller;
import dev.takt.persist.journal.FsyncPolicy;
import dev.takt.persist.journal.Journal;
import dev.takt.space.EventSpace;
import dev.takt.testkit.Seeds;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fields of a task agree with the events when its process is killed at any moment. */
class ImagesKillTest {
  @TempDir private Path folder;

  private final Random random = new Random(Seeds.seed());

  @Test
  void shouldAgreeWithTheEventsWhenTheProcessIsKilledAtAnyMoment() throws Exception {
    long count = 0;
    for (int round = Seeds.size(6, 200); round > 0; round--) {
      FsyncPolicy policy = FsyncPolicy.values()[random.nextInt(3)];
      long least = count;
      Process program = JavaProgram.start(KilledTeller.class, folder, policy);
      try {
        BufferedReader lines = program.inputReader();
        if (random.nextInt(4) > 0) {
          assertThat(lines.readLine()).isEqualTo(Long.toString(count));
          for (int i = random.nextInt(5); i > 0; i--) {
            least = Long.parseLong(lines.readLine());
          }
        }
        program.waitFor(random.nextInt(100), TimeUnit.MILLISECONDS);
      } finally {
        program.toHandle().destroyForcibly();
      }
      assertThat(program.waitFor()).isEqualTo(128 + 9);
      String what = "round %d, %s, %s".formatted(round, policy, Seeds.replay(Seeds.seed()));
      EventSpace space = EventSpace.create();
      Teller teller = new Teller(Tellers.SEED);
      try (Persistence persistence = KilledTeller.persistence(folder);
          Journal journal = KilledTeller.open(folder, space, policy);
          Recovery recovery = persistence.recover(journal)) {
        recovery.recover("teller", teller);
        Tellers.check(space, teller, what);
        assertThat(teller.count())
            .as(what)
            .isGreaterThanOrEqualTo(policy == FsyncPolicy.EVERY ? least : count);
        count = teller.count();
      }
    }
    assertThat(count).isPositive();
  }
}
