package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.kept.Grower;
import dev.takt.kept.Vault;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever step of a cycle a crash comes after, a complete snapshot is recovered. */
class CrashTest {
  private static final PersistSettings SETTINGS =
      PersistSettings.DEFAULTS.withBlockBytes(8_192).withGenerations(2);

  private final MemoryStorage storage = new MemoryStorage();
  private Persistence persistence = Persistence.open(storage, SETTINGS);
  private boolean incremental;
  private final Random random = new Random(Seeds.seed());

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void shouldRecoverACompleteGenerationWhateverStepACrashFollows(int fullEvery) throws IOException {
    persistence = Persistence.open(storage, SETTINGS.withFullEvery(fullEvery));
    try (GrowerRuntime grower = new GrowerRuntime(random.nextLong()).start()) {
      grower.advance(30);
      CycleStats first = persistence.begin(grower.runtime).run();
      int crashes = 0;
      boolean crashed = true;
      while (crashed) {
        crashes++;
        for (int disk = 0; disk < 8; disk++) {
          for (int i = random.nextInt(fullEvery); i > 0; i--) {
            grower.advance(2);
            assertThat(isStored(grower)).isTrue();
          }
          Grower before = recovered(grower);
          grower.advance(3);
          storage.steps = 0;
          storage.downAt = crashes;
          crashed = !isStored(grower);
          storage.restart(random);
          check(grower, before, crashed);
        }
      }
      // create, blocks, force, rename, force names, delete: each of them was the last one.
      assertThat(crashes).isGreaterThan(7);
      assertThat(first.generation()).isEqualTo(1);
      assertThat(incremental).isEqualTo(fullEvery > 1);
    }
  }

  private boolean isStored(GrowerRuntime grower) throws IOException {
    try (Cycle cycle = persistence.begin(grower.runtime)) {
      incremental |= cycle.run().base() > 0;
      return storage.steps < storage.downAt; // or older ones could not be deleted any more
    } catch (MemoryStorage.Down e) {
      return false;
    }
  }

  private Grower recovered(GrowerRuntime grower) throws IOException {
    try (Recovery recovery = persistence.recover()) {
      Grower recovered = new Grower(grower.model.seed(), new AtomicLong());
      assertThat(recovery.recover(GrowerRuntime.NAME, recovered)).isTrue();
      return recovered;
    }
  }

  /** The snapshot is that of before, or the new one; the new one if its cycle has ended. */
  private void check(GrowerRuntime grower, Grower before, boolean crashed) throws IOException {
    Grower after = recovered(grower);
    boolean isNew = after.step() == grower.model.step();
    assertThat(isNew || crashed).as(Seeds.replay(Seeds.seed())).isTrue();
    assertThat(Pictures.difference(after, isNew ? grower.model : before))
        .as(Seeds.replay(Seeds.seed()))
        .isNull();
  }

  @Test
  void shouldKeepTheLastSnapshotAndGoOnWhenTheDiskIsFull() throws IOException {
    try (GrowerRuntime grower = new GrowerRuntime(random.nextLong()).start()) {
      grower.advance(20);
      persistence.begin(grower.runtime).run();
      storage.room = 10_000;
      grower.limit.addAndGet(50);
      Cycle cycle = persistence.begin(grower.runtime); // and closed by nobody, as documents show it
      assertThatThrownBy(cycle::run).isInstanceOf(IOException.class).hasMessageContaining("space");
      assertThat(cycle.failure()).hasMessageContaining("No space left");
      try (Recovery recovery = persistence.recover()) {
        assertThat(recovery.generation()).isEqualTo(1);
        assertThat(grower.difference(recovery)).isNull();
      }
      storage.room = Long.MAX_VALUE;
      grower.advance(0);
      assertThat(persistence.begin(grower.runtime).run().generation()).isEqualTo(2);
      try (Recovery recovery = persistence.recover()) {
        assertThat(grower.difference(recovery)).isNull();
      }
      assertThat(grower.control.failure()).isNull();
      assertThat(storage.names()).hasSize(2);
    }
  }

  @Test
  void shouldLetTheNextCycleBeginWhenNobodyClosesTheOneThatHasFailed() {
    storage.room = 0;
    persistence.addRoot("vault", new Vault("anything"));
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> persistence.begin().run()).hasMessageContaining("No space left");
      assertThat(storage.names()).isEmpty();
    }
  }

  @Test
  void shouldTellOfASafeSnapshotThoughOlderOnesCannotBeDeleted() throws IOException {
    persistence.addRoot("vault", new Vault("anything"));
    for (int i = 0; i < 3; i++) {
      storage.deletes = i < 2;
      assertThat(persistence.begin().run().generation()).isEqualTo(i + 1);
    }
    assertThat(storage.names()).hasSize(3);
    storage.deletes = true;
    assertThat(persistence.begin().run().generation()).isEqualTo(4);
    assertThat(storage.names()).hasSize(2);
  }

  @Test
  void shouldKeepAsManyGenerationsAsAreAskedFor() throws IOException {
    try (GrowerRuntime grower = new GrowerRuntime(1).start()) {
      for (int i = 0; i < 4; i++) {
        persistence.begin(grower.runtime).run();
      }
      assertThat(storage.names())
          .containsExactly("snapshot-0000000000000003.takt", "snapshot-0000000000000004.takt");
    }
  }

  @Test
  void shouldLeaveNothingBehindWhenACycleIsClosedEarly() throws IOException {
    try (GrowerRuntime grower = new GrowerRuntime(1).start()) {
      try (Cycle cycle = persistence.begin(grower.runtime)) {
        assertThatThrownBy(() -> persistence.begin(grower.runtime))
            .isInstanceOf(IllegalStateException.class);
        cycle.step(0);
        cycle.write();
        assertThat(storage.names()).hasSize(1);
      }
      assertThat(storage.names()).isEmpty();
      try (Recovery recovery = persistence.recover()) {
        assertThat(recovery.isWarm()).isFalse();
        assertThat(recovery.rejected()).isEmpty();
      }
      assertThat(persistence.begin(grower.runtime).run().generation()).isEqualTo(1);
    }
  }

  @Test
  void shouldBeginAnewWithAFullSnapshotAfterACycleHasFailed() throws IOException {
    persistence = Persistence.open(storage, SETTINGS.withFullEvery(100));
    try (GrowerRuntime grower = new GrowerRuntime(random.nextLong()).start()) {
      for (int i = 0; i < Seeds.size(30, 1_000); i++) {
        grower.advance(random.nextInt(4));
        boolean fails = random.nextInt(4) == 0;
        storage.room = fails ? random.nextInt(32) : Long.MAX_VALUE;
        boolean isFull = i == 0 || !incremental;
        try (Cycle cycle = persistence.begin(grower.runtime)) {
          if (random.nextInt(8) == 0) {
            cycle.step(0);
            incremental = false;
          } else if (fails) {
            assertThatThrownBy(cycle::run).isInstanceOf(IOException.class);
            incremental = false;
          } else {
            assertThat(cycle.run().base() == 0 || !isFull).as(Seeds.replay(Seeds.seed())).isTrue();
            incremental = true;
            try (Recovery recovery = persistence.recover()) {
              assertThat(grower.difference(recovery)).isNull();
            }
          }
        }
      }
      persistence.stopTracking();
      grower.advance(3);
      storage.room = Long.MAX_VALUE;
      assertThat(persistence.begin(grower.runtime).run().base()).isZero();
      assertThat(grower.control.failure()).isNull();
    }
  }

  @Test
  void shouldKeepWhatNewerSnapshotsAreBasedOn() throws IOException {
    persistence = Persistence.open(storage, SETTINGS.withFullEvery(3).withGenerations(1));
    try (GrowerRuntime grower = new GrowerRuntime(1).start()) {
      for (int i = 0; i < 6; i++) {
        persistence.begin(grower.runtime).run();
      }
      assertThat(storage.names())
          .containsExactly(
              "changes-0000000000000005-0000000000000004.takt",
              "changes-0000000000000006-0000000000000005.takt",
              "snapshot-0000000000000004.takt");
      persistence.begin(grower.runtime).run();
      assertThat(storage.names()).containsExactly("snapshot-0000000000000007.takt");
    }
  }
}
