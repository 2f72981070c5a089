package dev.takt.stress.rollback;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.ReleaseOutcome;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.stress.rollback.graph.Case;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A release that is undone leaves the stable objects as they were, whatever they are and however it
 * ended; one that commits leaves them as plain Java would. A hundred thousand cases, a million with
 * {@code takt.full}.
 */
class RollbackTest {
  private static final int THREADS = 2;
  private static final int CASES_A_WORLD = 1_000;
  private static final int CASES = Boolean.getBoolean("takt.full") ? 1_000_000 : 100_000;
  private static final int MUTANT_WORLDS = 20;
  private static final Event DISTURB = new Event("disturb", 1);

  private static Map<String, byte[]> woven;
  private static Map<String, byte[]> plain;

  @BeforeAll
  static void weave(@TempDir Path temporary) throws IOException {
    woven = GraphLoader.woven(temporary);
    plain = GraphLoader.plain();
  }

  @Test
  void shouldPutBackWhatAnUndoneReleaseHasChanged() throws Exception {
    long seed = Seeds.seed();
    Tally tally = new Tally();
    int worlds = Seeds.isReplay() ? 1 : CASES / CASES_A_WORLD;

    String failure = run(woven, seed, worlds, tally);

    assertThat(failure).isNull();
    System.out.printf(
        "%,d releases: %,d committed, %,d lost conflicts, %,d aborted, %,d failed; %s%n",
        tally.all(),
        tally.of(ReleaseOutcome.COMPLETED),
        tally.of(ReleaseOutcome.CONFLICT),
        tally.of(ReleaseOutcome.ABORTED),
        tally.of(ReleaseOutcome.FAILED),
        Seeds.replay(seed));
    if (!Seeds.isReplay()) {
      assertEachEndWasTried(tally);
    }
  }

  private static void assertEachEndWasTried(Tally tally) {
    assertThat(tally.all()).isGreaterThanOrEqualTo(CASES);
    assertThat(tally.of(Case.COMMIT, ReleaseOutcome.COMPLETED)).isGreaterThan(CASES / 4);
    assertThat(tally.of(Case.CONFLICT_ONCE, ReleaseOutcome.COMPLETED)).isGreaterThan(CASES / 20);
    assertThat(tally.of(Case.CONFLICT_ALWAYS, ReleaseOutcome.CONFLICT)).isGreaterThan(CASES / 40);
    assertThat(tally.of(Case.ABORT, ReleaseOutcome.ABORTED)).isGreaterThan(CASES / 20);
    for (int end :
        new int[] {
          Case.THROW,
          Case.FAULT,
          Case.EXHAUST_TRANSIENT,
          Case.EXHAUST_STABLE,
          Case.OVERFLOW,
          Case.ENDLESS
        }) {
      assertThat(tally.of(end, ReleaseOutcome.FAILED)).as("end %s", end).isPositive();
    }
  }

  /** The test can fail: with a barrier that has a hole, it does. */
  @ParameterizedTest
  @ValueSource(strings = {"$takt$set$wide", "$takt$set$left", "$takt$set$single", "$takt$set$peer"})
  void shouldNoticeAFieldWithoutBarrier(String setter) throws Exception {
    Map<String, byte[]> mutant = withoutBarrier(name -> name.startsWith(setter));

    assertThat(run(mutant, Seeds.seed(), MUTANT_WORLDS, new Tally()))
        .contains("field ", " is ", "expected");
  }

  @ParameterizedTest
  @ValueSource(strings = {"$takt$write$ints", "$takt$write$bytes", "$takt$write$longs"})
  void shouldNoticeAnArrayWithoutShadow(String reader) throws Exception {
    Map<String, byte[]> mutant = withoutBarrier(name -> name.startsWith(reader));

    assertThat(run(mutant, Seeds.seed(), MUTANT_WORLDS, new Tally())).contains("element ", " is ");
  }

  /** Runs worlds on several threads; returns the first failure, or null. */
  private static String run(Map<String, byte[]> classes, long seed, int worlds, Tally tally)
      throws Exception {
    AtomicInteger next = new AtomicInteger();
    String[] failures = new String[THREADS];
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      Future<?>[] results = new Future<?>[THREADS];
      for (int t = 0; t < THREADS; t++) {
        int mine = t;
        results[t] =
            threads.submit(
                () -> {
                  failures[mine] = runWorlds(classes, seed, worlds, next, tally);
                  return null;
                });
      }
      for (Future<?> each : results) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    return failures[0] != null ? failures[0] : failures[1];
  }

  private static String runWorlds(
      Map<String, byte[]> classes, long seed, int worlds, AtomicInteger next, Tally tally)
      throws Exception {
    GraphLoader mine = new GraphLoader(classes);
    GraphLoader model = new GraphLoader(plain);
    EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(256));
    space.subscribe(DISTURB, match -> disturb(space));
    for (int i = next.getAndIncrement(); i < worlds; i = next.getAndIncrement()) {
      boolean endless = i % 10 == 0;
      String failure = new World(mine, model, seed + i, CASES_A_WORLD, endless, tally).run(space);
      if (failure != null) {
        next.set(worlds);
        return Seeds.replay(seed + i) + ": " + failure;
      }
    }
    return null;
  }

  /** Makes the release lose that asks for it, on its own thread: others have a higher priority. */
  private static void disturb(EventSpace space) {
    space.take(DISTURB);
    space.transact(
        1_000,
        transaction -> {
          transaction.write(new Event("absent", 1));
          return null;
        });
    space.take(new Event("absent", 1));
  }

  /** Makes some generated methods do what they do in plain Java: read or set a field. */
  private static Map<String, byte[]> withoutBarrier(Predicate<String> method) {
    Mutant mutant = new Mutant(method);
    Map<String, byte[]> classes = GraphLoader.changed(woven, mutant);
    assertThat(mutant.changed()).as("methods found").isPositive();
    return classes;
  }
}
