package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.kept.Linker;
import dev.takt.kept.Linker.Order;
import dev.takt.persist.cycle.ObjectIds;
import dev.takt.persist.journal.FsyncPolicy;
import dev.takt.persist.journal.JournalSettings;
import dev.takt.reflex.TaskControl;
import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Objects that nothing stored leads to for a while, since only a transient field holds them, and
 * that a release links again: what is recovered has them as they are.
 */
class ImagesLinksTest {
  private final Random random = new Random(Seeds.seed());
  private final MemoryStorage storage = new MemoryStorage();
  private final CountingListener told = new CountingListener();
  private PersistSettings settings = PersistSettings.DEFAULTS.withBlockBytes(8_192);
  private Linker linker;
  private KeptProgram program;
  private TaskControl control;

  private void open() throws IOException {
    program =
        KeptProgram.open(
            storage,
            settings,
            JournalSettings.DEFAULTS
                .withSizes(1 << 17, 1 << 16, 1 << 16)
                .withPolicy(FsyncPolicy.EVERY)
                .withListener(told));
    linker = new Linker();
    control = program.runtime.passive("linker", linker, 10);
  }

  private void start() throws IOException {
    open();
    program.runtime.start();
  }

  /**
   * Has the task follow an order, and those that are left; returns false if the journal has failed
   * meanwhile. What was followed before is safe then.
   */
  private boolean follows(Order order, int from, int to, long number) {
    long aborts = control.stats().aborts();
    long commits = control.commits();
    program.space.write(Linker.order(order, from, to, number));
    safe = followed;
    while ((control.commits() == commits || program.space.count(new Event("order", null)) > 0)
        && told.failures.get() == 0) {
      if (control.stats().aborts() > aborts) {
        aborts = control.stats().aborts();
        program.space.write(Linker.order(Order.DROP, 0, to, 0)); // so that it is released again
      }
      Thread.yield(); // to the task, where there are few processors
    }
    return told.failures.get() == 0;
  }

  private void tell(Order order, int from, int to, long number) {
    assertThat(follows(order, from, to, number)).isTrue();
  }

  private void tell(Order order, int from, int to) {
    tell(order, from, to, 0);
  }

  private void cycle() throws IOException {
    program.persistence.begin(program.runtime).run();
  }

  private void succeed() throws IOException {
    try (Cycle cycle = program.persistence.begin(program.runtime)) {
      cycle.run();
      assertThat(cycle.failure()).isNull();
    }
  }

  /** Goes down, and asserts that what is recovered is as it was. */
  private void crash() throws IOException {
    Linker last = linker;
    program.close();
    open();
    assertThat(Pictures.difference(linker, last)).isNull();
  }

  /** Makes a node with an array and another node, which only a place that is not stored holds. */
  private void hide() {
    tell(Order.MAKE, 0, 0);
    tell(Order.MAKE, 0, 1);
    tell(Order.HOLD, 0, 0);
    tell(Order.HOLD, 1, 1);
    tell(Order.CHANGE, 0, 0, 15 | 7 << 8); // makes its array
    tell(Order.JOIN, 0, 1);
    tell(Order.UNLINK, 0, 0);
    tell(Order.UNLINK, 0, 1);
  }

  @ParameterizedTest
  @EnumSource
  void shouldRecoverWhatIsLinkedAgainAfterAFullCycleThatDidNotReachIt(Scheme scheme)
      throws IOException {
    settings = settings.withScheme(scheme);
    start();
    hide();
    cycle();
    tell(Order.LINK, 0, 2);
    crash();
    assertThat(linker.stored(2).left()).isNotNull();
    program.close();
  }

  /** The journal has only the element that was changed. */
  @Test
  void shouldRecoverAllOfAnArrayThatHasChangedWhileNothingStoredLedToIt() throws IOException {
    start();
    hide();
    cycle();
    tell(Order.CHANGE, 0, 0, 15 | 6 << 8);
    tell(Order.LINK, 0, 2);
    crash();
    program.close();
  }

  @Test
  void shouldRecoverWhatAnIncrementalCycleDidNotReach() throws IOException {
    settings = settings.withFullEvery(4);
    start();
    cycle();
    hide();
    cycle();
    tell(Order.LINK, 0, 2);
    crash();
    program.close();
  }

  @ParameterizedTest
  @EnumSource
  void shouldRecoverWhatIsLinkedWhileACycleGoesOn(Scheme scheme) throws IOException {
    settings = settings.withScheme(scheme);
    start();
    hide();
    try (Cycle cycle = program.persistence.begin(program.runtime)) {
      cycle.step(0);
      tell(Order.LINK, 0, 2);
      tell(Order.CHANGE, 0, 0, 15 | 6 << 8);
      cycle.run();
    }
    tell(Order.CHANGE, 0, 1, 15 | 5 << 8);
    crash();
    program.close();
  }

  /** Only the first node of the list is named when it is linked, while a cycle goes on. */
  @Test
  void shouldKeepTheIdsOfAllThatIsLinkedWhileACycleGoesOn() throws IOException {
    start();
    tell(Order.MAKE, 0, 0);
    tell(Order.HOLD, 0, 0);
    for (int i = 0; i < 20; i++) {
      tell(Order.MAKE, 0, 0); // of which the last one stays
    }
    int before = places();
    try (Cycle cycle = program.persistence.begin(program.runtime)) {
      cycle.step(0);
      assertThat(cycle.hasBegun()).isTrue();
      tell(Order.LINK, 0, 2);
      cycle.run();
    }
    for (int i = 0; i < 40; i++) {
      tell(Order.DROP, 0, 7);
    }
    assertThat(places()).isLessThan(before / 2);
    tell(Order.STEP, 0, 1);
    tell(Order.CHANGE, 1, 7, 4 | 99 << 8);
    assertThat(linker.stored(2).left().count()).isEqualTo(99);
    crash();
    program.close();
  }

  /** The snapshot has it without an id, and it never changes again. */
  @Test
  void shouldRecoverWhatAnAtomicCallHasLinkedAndNoCommitHadKeptAtTheCut() throws IOException {
    settings = settings.withFullEvery(8);
    start();
    for (int place = 3; place < Linker.PLACES; place++) {
      tell(Order.MAKE, 0, place); // so that what comes is little
    }
    cycle();
    linker.stop(true);
    program.space.write(Linker.order(Order.DROP, 0, 7, 0));
    linker.call(0);
    while (control.stats().aborts() == 0 || linker.stored(0) == null) {
      program.space.write(Linker.order(Order.DROP, 0, 7, 0));
    }
    long aborts = control.stats().aborts();
    program.space.write(Linker.order(Order.DROP, 0, 7, 0));
    while (control.stats().aborts() == aborts) {
      Thread.onSpinWait();
    }
    cycle();
    linker.stop(false);
    tell(Order.DROP, 0, 7);
    cycle();
    tell(Order.HOLD, 0, 1);
    tell(Order.LINK, 1, 2);
    crash();
    assertThat(linker.stored(2)).isNotNull();
    program.close();
  }

  /** Without forgetting there would be places for 300 lists, of which each takes 40. */
  @Test
  void shouldForgetAtFullCyclesWhatNothingLeadsToAnyMore() throws IOException {
    settings = settings.withFullEvery(2);
    start();
    int most = 0;
    for (int i = 0; i < 300; i++) {
      tell(Order.MAKE, 0, i % Linker.PLACES);
      if (i % 10 == 0) {
        cycle();
      }
      most = Math.max(most, places());
    }
    assertThat(most).isBetween(256, 1_600);
    crash();
    program.close();
  }

  /**
   * An incremental cycle holds up a forgetting, and each commit is in the time of a cycle. Without
   * forgetting there would be places for 400 lists.
   */
  @Test
  void shouldForgetWhereNoCommitComesBetweenTwoCycles() throws IOException {
    settings = settings.withFullEvery(1_000);
    start();
    int most = 0;
    for (int i = 0; i < 50; i++) {
      try (Cycle cycle = program.persistence.begin(program.runtime)) {
        cycle.step(0);
        assertThat(cycle.hasBegun()).isTrue();
        for (int order = 0; order < 8; order++) {
          tell(Order.MAKE, 0, order % Linker.PLACES);
          most = Math.max(most, places());
        }
        cycle.run();
        assertThat(cycle.failure()).isNull();
      }
    }
    assertThat(most).isBetween(256, 400 * 40 / 3);
    crash();
    program.close();
  }

  /** The file before has it; so the incremental one is told what has changed of it. */
  @Test
  void shouldStoreAChangeOfWhatIsForgotten() throws IOException {
    settings = settings.withFullEvery(8);
    start();
    assertThat(forgets(1)).isTrue();
    tell(Order.CHANGE, 1, 1, 4 | 99 << 8);
    succeed();
    tell(Order.LINK, 1, 2);
    succeed();
    tell(Order.CHANGE, 1, 1, 4 | 98 << 8);
    crash();
    assertThat(linker.stored(2).count()).isEqualTo(98);
    program.close();
  }

  /** Of what has changed while the full cycle went on, too. */
  @Test
  void shouldForgetNothingWhileAnIncrementalCycleGoesOn() throws IOException {
    settings = settings.withFullEvery(8);
    start();
    assertThat(unlinks()).isTrue();
    try (Cycle full = program.persistence.begin(program.runtime)) {
      full.step(0);
      assertThat(full.hasBegun()).isTrue();
      tell(Order.CHANGE, 1, 1, 4 | 98 << 8);
      full.run();
    }
    try (Cycle incremental = program.persistence.begin(program.runtime)) {
      incremental.step(0);
      assertThat(incremental.hasBegun()).isTrue();
      for (int i = 0; i < 10; i++) { // after some they would be
        tell(Order.DROP, 0, 0);
      }
      incremental.run();
      assertThat(incremental.failure()).isNull();
    }
    tell(Order.LINK, 1, 2);
    crash();
    assertThat(linker.stored(2).count()).isEqualTo(98);
    program.close();
  }

  /** The file before has it with the id that is forgotten, and it has not changed since. */
  @Test
  void shouldRecoverWhatIsLinkedAgainWithAnotherIdBeforeAnIncrementalCycle() throws IOException {
    settings = settings.withFullEvery(8);
    start();
    assertThat(forgets(1)).isTrue();
    tell(Order.LINK, 1, 2);
    succeed();
    tell(Order.CHANGE, 1, 1, 4 | 99 << 8);
    crash();
    assertThat(linker.stored(2).count()).isEqualTo(99);
    program.close();
  }

  /** Returns for how many objects the journal keeps ids. */
  private int places() {
    ObjectIds ids = program.journal.images().ids("linker");
    ids.beginLooking();
    return ids.places();
  }

  // ---- random histories

  /** How many orders there are in one life. */
  private static final int ORDERS = 200;

  /** In how many lives most objects were forgotten. */
  private int forgotten;

  /** What the task was after so many orders. */
  private final Map<Long, String> history = new HashMap<>();

  /** How many orders were followed when no release was going on. */
  private long followed;

  /** How many of them were safe when it went down. */
  private long safe;

  private int linksAgain;

  /**
   * Links come and go, cycles go on between the releases, and the machine goes down at any step. In
   * each third life most objects are forgotten at some moment, and each second of these lives goes
   * on to its end: chance alone comes to that in few lives, and with some seeds in none.
   */
  @Test
  void shouldRecoverTheLastCommitWhateverWasLinkedAndWhateverStepACrashFollows()
      throws IOException {
    history.put(0L, Pictures.of(new Linker()));
    for (int i = Seeds.size(25, 3_000); i > 0; i--) {
      settings =
          PersistSettings.DEFAULTS
              .withBlockBytes(8_192)
              .withGenerations(1 + random.nextInt(2))
              .withFullEvery(1 + random.nextInt(3))
              .withScheme(random.nextBoolean() ? Scheme.MARKING : Scheme.ANNOTATING);
      storage.steps = 0;
      storage.downAt = random.nextInt(4) == 0 ? Integer.MAX_VALUE : 10 + random.nextInt(1_000);
      if (i % 6 == 0) {
        storage.downAt = Integer.MAX_VALUE;
      }
      told.failures.set(0);
      String what = "down at " + storage.downAt + ", " + Seeds.replay(Seeds.seed());
      try {
        open();
      } catch (IOException e) {
        assertThat(storage.steps).as(what + e).isGreaterThanOrEqualTo(storage.downAt);
        storage.restart(random);
        continue;
      }
      assertThat(linker.count()).as(what).isGreaterThanOrEqualTo(safe);
      followed = linker.count();
      history.keySet().removeIf(count -> count > followed);
      history.putIfAbsent(followed, Pictures.of(linker)); // what was left may come by itself
      assertThat(Pictures.of(linker)).as(what).isEqualTo(history.get(followed));
      program.runtime.start();
      run(what, i % 3 == 0 ? random.nextInt(ORDERS) : ORDERS);
      program.close();
      history.put(linker.count(), Pictures.of(linker));
      storage.restart(random);
    }
    assertThat(linksAgain).isPositive();
    assertThat(forgotten).isPositive();
  }

  /** Gives orders; before that with the number {@code forgetAt} most objects are forgotten. */
  private void run(String what, int forgetAt) {
    Cycle cycle = null;
    try {
      for (int i = 0; i < 2; i++) { // what was left is followed with these
        if (!follows(Order.DROP, 0, 0, 0)) {
          return;
        }
      }
      boolean endsLinks = false;
      for (int i = 0; i < ORDERS; i++) {
        if (i == forgetAt) {
          while (cycle != null) {
            cycle = next(cycle);
          }
          if (!forgets(settings.fullEvery())) {
            return;
          }
          forgotten++;
        }
        endsLinks = random.nextInt(15) == 0 ? !endsLinks : endsLinks;
        Order order =
            random.nextInt(5) == 0
                ? Order.MAKE
                : Order.values()[random.nextInt(Order.values().length)];
        if (endsLinks) {
          order = random.nextBoolean() ? Order.UNLINK : Order.DROP;
        }
        linksAgain += order == Order.LINK ? 1 : 0;
        int from = random.nextInt(Linker.PLACES);
        int to = random.nextInt(Linker.PLACES);
        if (!keeps(order, from, to, random.nextInt(1 << 16))) {
          return;
        }
        cycle = cycle == null && random.nextInt(3) > 0 ? null : next(cycle);
      }
    } catch (Abort abort) {
      assertThat(abort.reason()).as(what).isEqualTo(Abort.Reason.REFUSED);
    } catch (IOException e) {
      assertThat(storage.steps).as(what + e).isGreaterThanOrEqualTo(storage.downAt);
    } finally {
      if (cycle != null) {
        cycle.close();
      }
    }
  }

  /** Follows an order, and notes what the task is then; returns false if the journal has failed. */
  private boolean keeps(Order order, int from, int to, long number) {
    if (!follows(order, from, to, number)) {
      return false;
    }
    followed = linker.count();
    history.put(followed, Pictures.of(linker));
    return true;
  }

  /**
   * Makes more objects than a small table has, of which some are held and none is stored; returns
   * false if the journal has failed meanwhile.
   */
  private boolean unlinks() {
    boolean lives = true;
    for (int i = 0; lives && i < 5 * Linker.PLACES; i++) {
      lives = keeps(Order.MAKE, 0, i % Linker.PLACES, 0);
    }
    for (int place = 0; lives && place < Linker.PLACES; place++) {
      lives =
          (place % 2 == 0 || keeps(Order.HOLD, place, place, 0))
              && keeps(Order.UNLINK, 0, place, 0);
    }
    return lives;
  }

  /**
   * Does so, and goes on until they are forgotten.
   *
   * @param cycles how many there are, of which one is full
   */
  private boolean forgets(int cycles) throws IOException {
    boolean lives = unlinks();
    for (int i = 0; lives && i < cycles; i++) {
      cycle();
    }
    int before = places();
    for (int i = 0; lives && places() >= before; i++) { // some are looked at in each commit
      assertThat(i).isLessThan(ORDERS);
      lives = keeps(Order.DROP, 0, 0, 0);
    }
    return lives;
  }

  /** Begins a cycle, or goes on with one; returns null if it is over. */
  private Cycle next(Cycle present) throws IOException {
    Cycle cycle = present == null ? program.persistence.begin(program.runtime) : present;
    for (int i = random.nextInt(20); i > 0; i--) {
      CycleState state = cycle.step(0);
      cycle.write();
      if (state == CycleState.DONE || state == CycleState.FAILED) {
        Throwable failure = cycle.failure();
        assertThat(failure == null || storage.steps >= storage.downAt)
            .as("down at %s, %s steps: %s", storage.downAt, storage.steps, failure)
            .isTrue();
        return null;
      }
    }
    if (random.nextInt(20) == 0) {
      cycle.close();
      return null;
    }
    return cycle;
  }
}
