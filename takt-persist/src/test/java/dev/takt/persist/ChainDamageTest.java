package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.kept.Grower;
import dev.takt.persist.store.Generations;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Damaged and missing files among full and incremental ones: the newest complete chain is used. */
class ChainDamageTest {
  private static final int GENERATIONS = 7;

  /** Full are 1, 4 and 7; each other one is based on the one before. */
  private static final int FULL_EVERY = 3;

  private final MemoryStorage storage = new MemoryStorage();
  private final Persistence persistence =
      Persistence.open(
          storage, PersistSettings.DEFAULTS.withBlockBytes(8_192).withFullEvery(FULL_EVERY));
  private final Random random = new Random(Seeds.seed());
  private final long seed = random.nextLong();
  private final List<Long> steps = new ArrayList<>();
  private final List<byte[]> good = new ArrayList<>();

  @BeforeEach
  void store() throws IOException {
    try (GrowerRuntime grower = new GrowerRuntime(seed).start()) {
      grower.advance(60);
      for (int generation = 1; generation <= GENERATIONS; generation++) {
        grower.advance(1 + random.nextInt(6));
        CycleStats stats = persistence.begin(grower.runtime).run();
        assertThat(stats.base()).isEqualTo(base(generation));
        steps.add(grower.model.step());
        good.add(storage.bytes(name(generation)));
      }
    }
  }

  private static long base(int generation) {
    return generation % FULL_EVERY == 1 ? 0 : generation - 1;
  }

  private static String name(int generation) {
    return Generations.name(generation, base(generation));
  }

  /** Returns the newest generation that does not need some one. */
  private static int newestWithout(int damaged) {
    int last = (damaged - 1) / FULL_EVERY * FULL_EVERY + FULL_EVERY;
    return last < GENERATIONS ? GENERATIONS : damaged - 1;
  }

  private void check(int expected) throws IOException {
    if (expected == 0) {
      assertThatThrownBy(persistence::recover)
          .as(Seeds.replay(Seeds.seed()))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("no snapshot can be used: ");
      return;
    }
    try (Recovery recovery = persistence.recover()) {
      assertThat(recovery.generation()).as(Seeds.replay(Seeds.seed())).isEqualTo(expected);
      Grower recovered = new Grower(seed, new AtomicLong());
      assertThat(recovery.recover(GrowerRuntime.NAME, recovered)).isTrue();
      Grower model = new Grower(seed, new AtomicLong());
      while (model.step() < steps.get(expected - 1)) {
        model.change();
      }
      assertThat(Pictures.difference(recovered, model)).isNull();
    }
  }

  @Test
  void shouldUseTheNewestCompleteChainWhateverByteIsDamaged() throws IOException {
    check(GENERATIONS);
    storage.delete(name(GENERATIONS));
    for (int damaged = 1; damaged < GENERATIONS; damaged++) {
      byte[] bytes = good.get(damaged - 1);
      int step = Seeds.size(Math.max(1, bytes.length / 60), 1);
      for (int at = random.nextInt(step); at < bytes.length; at += step) {
        byte[] changed = bytes.clone();
        changed[at] ^= (byte) (1 + random.nextInt(255));
        storage.put(name(damaged), changed);
        check(damaged < FULL_EVERY + 1 ? GENERATIONS - 1 : damaged - 1);
      }
      storage.put(name(damaged), bytes);
    }
  }

  @Test
  void shouldUseTheNewestCompleteChainWhateverFileIsMissingOrCut() throws IOException {
    for (int missing = 1; missing <= GENERATIONS; missing++) {
      storage.delete(name(missing));
      check(newestWithout(missing));
      byte[] bytes = good.get(missing - 1);
      storage.put(name(missing), Arrays.copyOf(bytes, random.nextInt(bytes.length)));
      check(newestWithout(missing));
      storage.put(name(missing), bytes);
    }
    for (int generation = 1; generation <= GENERATIONS; generation++) {
      storage.put(name(generation), new byte[0]);
    }
    check(0);
  }

  @Test
  void shouldSayWhichFileIsDamagedAndWhatIsBasedOnIt() throws IOException {
    storage.delete(name(7));
    byte[] changed = good.get(4).clone();
    changed[changed.length / 2]++;
    storage.put(name(5), changed);
    try (Recovery recovery = persistence.recover()) {
      assertThat(recovery.rejected())
          .extracting(Recovery.Rejected::reason)
          .satisfiesExactly(
              six ->
                  assertThat(six).startsWith(name(6) + ": it is based on " + name(5) + ": offset "),
              five -> assertThat(five).startsWith(name(5) + ": offset "));
    }
    storage.delete(name(5));
    try (Recovery recovery = persistence.recover()) {
      assertThat(recovery.rejected().getFirst().reason())
          .isEqualTo(name(6) + ": what it is based on is not there: generation=5");
    }
  }

  @Test
  void shouldUseTheNewestChainThatCanBeReadWhateverFileHasABadSector() throws IOException {
    for (int bad = 1; bad <= GENERATIONS; bad++) {
      storage.badFile = name(bad);
      check(newestWithout(bad));
    }
    try (Recovery recovery = persistence.recover()) {
      assertThat(recovery.rejected().getFirst().reason())
          .startsWith(name(GENERATIONS) + ": it cannot be read: ")
          .contains("Input/output error");
    }
  }

  @Test
  void shouldNotStartColdWhenTheOnlySnapshotCannotBeRead() throws IOException {
    for (int generation = 2; generation <= GENERATIONS; generation++) {
      storage.delete(name(generation));
    }
    storage.badFile = name(1);
    assertThatThrownBy(persistence::recover)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no snapshot can be used")
        .hasMessageContaining(name(1));
    storage.badFile = null;
    check(1);
  }

  @Test
  void shouldReadEachFileOnceHoweverManyAreBasedOnADamagedOne() throws IOException {
    storage.delete(name(7));
    byte[] changed = good.get(3).clone();
    changed[changed.length / 2]++;
    storage.put(name(4), changed);
    storage.opened.clear();
    check(3);
    assertThat(storage.opened)
        .containsOnlyKeys(name(6), name(5), name(4), name(3), name(2), name(1))
        .allSatisfy((file, times) -> assertThat(times).as(file).isEqualTo(1));
  }

  @Test
  void shouldKeepWhatCanBeUsedUntilThereAreAsManyNewerOnesAsAreKept() throws IOException {
    for (int generation = 2; generation <= GENERATIONS; generation++) {
      storage.put(name(generation), new byte[0]);
    }
    check(1);
    try (GrowerRuntime grower = new GrowerRuntime(seed).start()) {
      for (int i = 0; i < PersistSettings.DEFAULTS.generations(); i++) {
        assertThat(storage.names()).contains(name(1));
        persistence.stopTracking();
        assertThat(persistence.begin(grower.runtime).run().base()).isZero();
      }
      assertThat(storage.names()).hasSize(PersistSettings.DEFAULTS.generations());
    }
  }

  @Test
  void shouldRefuseAFileUnderAnotherName() throws IOException {
    storage.delete(name(7));
    storage.delete(name(6));
    storage.put(Generations.name(6, 4), good.get(5));
    storage.put(Generations.name(8), good.get(5));
    check(5);
  }

  @Test
  void shouldRefuseOrReadButNeverFailOtherwiseWhenChangesAreForged() throws IOException {
    storage.delete(name(7));
    int refused = 0;
    for (int i = Seeds.size(1_000, 100_000); i > 0; i--) {
      int forged = 5 + random.nextInt(2);
      byte[] bytes = good.get(forged - 1).clone();
      for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
        bytes[32 + random.nextInt(bytes.length - 32)] = (byte) random.nextInt();
      }
      Forgery.forge(bytes);
      storage.put(name(forged), bytes);
      try (Recovery recovery = persistence.recover()) {
        recovery.recover(GrowerRuntime.NAME, new Grower(0, new AtomicLong()));
      } catch (UncheckedIOException | IllegalArgumentException e) {
        refused++;
        assertThat(e).as(Seeds.replay(Seeds.seed())).hasMessageContaining("generation");
      }
      storage.put(name(forged), good.get(forged - 1));
    }
    assertThat(refused).isPositive();
  }
}
