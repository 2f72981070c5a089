package dev.takt.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.History;
import dev.takt.testkit.History.Fact;
import dev.takt.testkit.History.Pattern;
import dev.takt.testkit.LeakCheck;
import dev.takt.testkit.Seeds;
import dev.takt.testkit.SharedAccess;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The transaction of the highest priority commits within its K retries ({@code maxRetries}),
 * although three others do nothing but take, write and test the same events, in transactions and
 * around them.
 */
@ExtendWith(LeakCheck.class)
class AdversaryTest {
  private static final int MAX_RETRIES = 3;
  private static final int ADVERSARIES = 3;
  private static final int HERO_PRIORITY = 10;
  private static final Pattern ANY_0 = new Pattern(0, History.ANY);
  private static final Pattern ANY_1 = new Pattern(1, History.ANY);
  private static final Pattern ALL = new Pattern(History.ANY, History.ANY);

  private final long seed = Seeds.seed();
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final long[] retriesSeen = new long[64];
  private long attacks;
  private volatile String progress = "";

  @Test
  void shouldCommitHighestPriorityWithinRetriesOnRealThreads() throws InterruptedException {
    SpacePort port = new RealSpaces().create(256, 16, 1_000, MAX_RETRIES);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < ADVERSARIES; i++) {
      Adversary adversary =
          new Adversary(port.open(), new SplittableRandom(seed + i), i, Long.MAX_VALUE);
      threads.add(Thread.ofPlatform().name("adversary-" + i).daemon().start(adversary));
    }
    try {
      hero(port.open(), Seeds.size(20_000, 1_000_000));
    } finally {
      isOver.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
    }
    report("real threads");
  }

  @Test
  void shouldCommitHighestPriorityWithinRetriesInAnyInterleaving() throws InterruptedException {
    SpacePort.Factory spaces = Loaders.spaces(Loaders.withHooks());
    int runs = Seeds.isReplay() ? 1 : Seeds.size(400, 10_000);
    for (int run = 0; run < runs && failure.get() == null; run++) {
      SplittableRandom random = new SplittableRandom(seed + run);
      SpacePort port = spaces.create(64, 12, 2 + random.nextInt(20), MAX_RETRIES);
      isOver.set(false);
      SharedAccess.setHook(new Switches(random.split(), 20_000_000));
      Thread root = Thread.ofVirtual().unstarted(() -> battle(port, random));
      root.start();
      root.join();
      SharedAccess.setHook(null);
      assertThat(failure.get())
          .as("highest priority in %s, %s", progress, Seeds.replay(seed + run))
          .isNull();
    }
    report("interleaved");
  }

  private void battle(SpacePort port, SplittableRandom random) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < ADVERSARIES; i++) {
      threads.add(
          Thread.ofVirtual().unstarted(new Adversary(port.open(), random.split(), i, 5_000)));
    }
    SpacePort.Tx tx = port.open();
    threads.forEach(Thread::start);
    try {
      hero(tx, 50);
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
    } finally {
      isOver.set(true);
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private void hero(SpacePort.Tx tx, int rounds) {
    for (int round = 0; round < rounds && failure.get() == null; round++) {
      int retries = 0;
      progress = "round " + round;
      while (!attempt(tx, round, retries)) {
        retries++;
        progress = "round " + round + ", retry " + retries;
        assertThat(retries)
            .as("retries of the highest priority, round %d, %s", round, Seeds.replay(seed))
            .isLessThanOrEqualTo(MAX_RETRIES);
      }
      retriesSeen[retries]++;
    }
    tx.close();
  }

  private static boolean attempt(SpacePort.Tx tx, int round, int retries) {
    tx.begin(HERO_PRIORITY, retries);
    try {
      if (tx.take(ANY_0) == null) {
        tx.write(new Fact(0, round & 7));
      }
      if (tx.test(ANY_1)) {
        tx.take(ALL);
      } else {
        tx.write(new Fact(1, round & 7));
      }
      return tx.commit();
    } catch (SpacePort.Lost e) {
      assertThat(e.isFull).as("space full").isFalse();
      tx.rollback();
      return false;
    }
  }

  private void report(String what) {
    assertThat(failure.get()).as("%s", Seeds.replay(seed)).isNull();
    long[] seen = Arrays.copyOf(retriesSeen, MAX_RETRIES + 1);
    System.out.printf(
        "adversaries (%s): %,d attacks; commits after 0, 1, ... retries: %s; from %s%n",
        what, attacks, Arrays.toString(seen), Seeds.replay(seed));
    assertThat(Arrays.stream(seen).sum()).isPositive();
  }

  /** Does nothing but conflict. */
  private final class Adversary implements Runnable {
    private final SpacePort.Tx tx;
    private final SplittableRandom random;
    private final int priority;
    private final long maxAttacks;

    /** The bound is for virtual threads, whose scheduler does not promise the others a turn. */
    Adversary(SpacePort.Tx tx, SplittableRandom random, int priority, long maxAttacks) {
      this.tx = tx;
      this.random = random;
      this.priority = priority;
      this.maxAttacks = maxAttacks;
    }

    @Override
    public void run() {
      long count = 0;
      try {
        while (!isOver.get() && count < maxAttacks) {
          attack(random.nextInt(6));
          count++;
        }
        tx.close();
      } catch (Throwable e) {
        failure.compareAndSet(null, e);
        isOver.set(true);
      }
      synchronized (AdversaryTest.this) {
        attacks += count;
      }
    }

    private void attack(int kind) {
      Fact fact = new Fact(random.nextInt(2), random.nextInt(8));
      tx.begin(priority, 0);
      try {
        switch (kind) {
          case 0 -> tx.take(ANY_0);
          case 1 -> {
            if (!tx.test(ANY_1)) {
              tx.write(fact);
            }
          }
          case 2 -> {
            tx.take(ALL);
            tx.write(fact);
          }
          case 3 -> tx.takeNow(fact.key() == 0 ? ANY_0 : ANY_1);
          case 4 -> tx.take(ANY_1);
          default -> {
            if (!tx.testNow(ANY_0)) {
              tx.writeNow(fact);
            }
          }
        }
        tx.commit();
      } catch (SpacePort.Lost e) {
        tx.rollback();
      }
    }
  }
}
