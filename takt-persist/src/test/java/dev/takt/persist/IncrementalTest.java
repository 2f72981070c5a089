package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.kept.Chain;
import dev.takt.kept.Grower;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.Schedule;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Incremental cycles write what has changed, and a full one comes when it has to. */
class IncrementalTest {
  private static final int LENGTH = 20_000;

  private final MemoryStorage storage = new MemoryStorage();
  private final Random random = new Random(Seeds.seed());

  private Persistence persistence(int fullEvery) {
    return Persistence.open(storage, PersistSettings.DEFAULTS.withFullEvery(fullEvery));
  }

  @Test
  void shouldWriteOnlyWhatHasChangedAndWhatIsNew() throws IOException {
    Persistence persistence = persistence(1_000);
    try (GrowerRuntime grower = new GrowerRuntime(random.nextLong())) {
      grower.runtime.active("chain", new Chain(LENGTH), Schedule.periodic(1_000_000_000));
      grower.start();
      grower.advance(20);
      CycleStats full = persistence.begin(grower.runtime).run();
      assertThat(full.objects()).isGreaterThan(LENGTH);
      CycleStats none = persistence.begin(grower.runtime).run();
      assertThat(none.base()).isEqualTo(1);
      assertThat(none.objects()).as("nothing has changed").isZero();
      assertThat(none.bytes()).isLessThan(200);
      for (int i = 0; i < 20; i++) {
        grower.advance(1);
        CycleStats some = persistence.begin(grower.runtime).run();
        assertThat(some.base()).isEqualTo(i + 2);
        assertThat(some.objects()).isBetween(1L, 100L);
      }
      try (Recovery recovery = persistence.recover()) {
        assertThat(recovery.generation()).isEqualTo(22);
        assertThat(grower.difference(recovery)).isNull();
        Chain recovered = new Chain(2);
        assertThat(recovery.recover("chain", recovered)).isTrue();
      }
    }
  }

  @Test
  void shouldBeFullWhenTheFilesHaveBecomeLongerThanTheFullOne() throws IOException {
    Persistence persistence = persistence(1_000);
    try (GrowerRuntime grower = new GrowerRuntime(random.nextLong()).start()) {
      grower.advance(30);
      long full = persistence.begin(grower.runtime).run().bytes();
      long more = 0;
      while (more <= full) {
        grower.advance(3);
        CycleStats stats = persistence.begin(grower.runtime).run();
        assertThat(stats.base()).isPositive();
        more += stats.bytes();
      }
      assertThat(persistence.begin(grower.runtime).run().base()).isZero();
      try (Recovery recovery = persistence.recover()) {
        assertThat(grower.difference(recovery)).isNull();
      }
    }
  }

  @Test
  void shouldBeFullWhenATaskHasComeOrOthersAreStored() throws IOException {
    Persistence persistence = persistence(1_000);
    try (GrowerRuntime grower = new GrowerRuntime(random.nextLong()).start();
        GrowerRuntime other = new GrowerRuntime(random.nextLong()).start()) {
      ReflexRuntime runtime = grower.runtime;
      assertThat(persistence.begin(runtime).run().base()).isZero();
      assertThat(persistence.begin(runtime).run().base()).isEqualTo(1);
      runtime.active("chain", new Chain(10), Schedule.periodic(1_000_000_000));
      assertThat(persistence.begin(runtime).run().base()).isZero();
      assertThat(persistence.begin(runtime).run().base()).isEqualTo(3);
      grower.advance(5);
      assertThat(persistence.begin(other.runtime).run().base()).isZero();
      grower.advance(5);
      assertThat(persistence.begin(runtime).run().base()).as("it was left out").isZero();
      try (Recovery recovery = persistence.recover()) {
        assertThat(grower.difference(recovery)).isNull();
        assertThat(recovery.roots()).containsExactly(GrowerRuntime.NAME, "chain");
      }
      Persistence another = Persistence.open(new MemoryStorage(), PersistSettings.DEFAULTS);
      assertThat(another.begin(other.runtime).run().base()).as("no sink was left").isZero();
    }
  }

  @Test
  void shouldRecoverInIncrementsWhatWasStoredInSeveralFiles() throws IOException {
    Persistence persistence = persistence(5);
    try (GrowerRuntime grower = new GrowerRuntime(random.nextLong()).start()) {
      for (int i = 0; i < 12; i++) {
        grower.advance(10);
        persistence.begin(grower.runtime).run();
      }
      try (Recovery recovery = persistence.recover()) {
        Grower recovered = new Grower(grower.model.seed(), new AtomicLong());
        RootRecovery later = recovery.recoverLazily(GrowerRuntime.NAME, recovered);
        int increments = 1;
        while (!later.step(0)) {
          increments++;
        }
        assertThat(increments).isGreaterThan(10);
        assertThat(Pictures.difference(recovered, grower.model)).isNull();
      }
    }
  }
}
