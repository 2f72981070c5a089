package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.internal.Await;
import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waits of random lengths in virtual time: which of them are over time, and when that is told. */
class WaitLimitTest {
  private static final long LIMIT_NS = 1_000;

  @Test
  void shouldTellOfEachWaitThatIsOverTimeAtItsEndAndOfNoOther() {
    for (int run = 0; run < Seeds.size(500, 50_000); run++) {
      long seed = Seeds.seed() + run;
      Random random = new Random(seed);
      List<Long> told = new ArrayList<>();
      List<Long> expected = new ArrayList<>();
      try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS, random)) {
        WaitLimit limit = new WaitLimit(LIMIT_NS, () -> told.add(sessions.nanoTime()));
        sessions.start("waiter", () -> waits(limit, sessions, random, expected, seed));
        sessions.runUntil(Long.MAX_VALUE / 2);
        assertThat(sessions.stats().failed()).as(Seeds.replay(seed)).isZero();
      }
      assertThat(told).as(Seeds.replay(seed)).isEqualTo(expected);
    }
  }

  private static Void waits(
      WaitLimit limit, SteppedSessions sessions, Random random, List<Long> expected, long seed)
      throws InterruptedException {
    for (int i = random.nextInt(30); i > 0; i--) {
      long beginNs = sessions.nanoTime();
      limit.begin();
      // never the limit itself: then either is right
      long waitNs = 1 + random.nextLong(2) * LIMIT_NS + random.nextLong(LIMIT_NS - 1);
      pass(sessions, waitNs);
      boolean isOver = waitNs > LIMIT_NS;
      if (isOver) {
        expected.add(beginNs + LIMIT_NS);
      }
      assertThat(limit.isExceeded()).as(Seeds.replay(seed)).isEqualTo(isOver);
      assertThat(limit.end()).as(Seeds.replay(seed)).isEqualTo(isOver);
      assertThat(limit.isExceeded()).isFalse();
      pass(sessions, random.nextLong(3) * LIMIT_NS / 2);
    }
    return null;
  }

  private static void pass(SteppedSessions sessions, long durationNs) throws InterruptedException {
    long endNs = sessions.nanoTime() + durationNs;
    while (sessions.nanoTime() < endNs) {
      sessions.here().await(endNs - sessions.nanoTime());
    }
  }

  @Test
  void shouldLetAWaitGoOnAsLongAsItIsExcused() {
    List<Long> asked = new ArrayList<>();
    List<Long> told = new ArrayList<>();
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      WaitLimit limit = new WaitLimit(LIMIT_NS, () -> told.add(sessions.nanoTime()));
      limit.excuse(
          nowNs -> {
            asked.add(nowNs);
            return asked.size() < 3 ? 70 : 0;
          });
      sessions.start(
          "waiter",
          () -> {
            limit.begin();
            pass(sessions, LIMIT_NS + 100);
            assertThat(limit.isExceeded()).isFalse();
            pass(sessions, 100);
            return limit.end();
          });
      long beginNs = sessions.nanoTime();
      sessions.runUntil(Long.MAX_VALUE / 2);
      assertThat(sessions.stats().failed()).isZero();
      assertThat(asked)
          .containsExactly(beginNs + LIMIT_NS, beginNs + LIMIT_NS + 70, beginNs + LIMIT_NS + 140);
      assertThat(told).containsExactly(beginNs + LIMIT_NS + 140);
    }
  }

  @Test
  void shouldLogAndGoOnWhenWhatItCallsFails() {
    List<Boolean> over = new ArrayList<>();
    try (Logged logged = new Logged();
        SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      WaitLimit limit =
          new WaitLimit(
              LIMIT_NS,
              () -> {
                throw new IllegalStateException("of the end");
              });
      limit.excuse(
          _ -> {
            throw new IllegalStateException("of the excuse");
          });
      sessions.start(
          "waiter",
          () -> {
            limit.begin();
            pass(sessions, LIMIT_NS + 1);
            over.add(limit.end());
            return null;
          });
      sessions.runUntil(Long.MAX_VALUE / 2);
      assertThat(over).as("who fails to excuse it has not excused it").containsExactly(true);
      assertThat(logged.records.stream().map(each -> each.getThrown().getMessage()))
          .containsExactly("of the excuse", "of the end");
    }
  }

  @Test
  void shouldEndTheOnlyWaitOfALimitWhenThatIsClosedAndTellAfterwardsWhetherItWasOverTime() {
    List<Boolean> over = new ArrayList<>();
    List<Long> told = new ArrayList<>();
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      sessions.start(
          "waiter",
          () -> {
            for (long waitNs : new long[] {LIMIT_NS - 1, LIMIT_NS + 1}) {
              WaitLimit limit = WaitLimit.within(LIMIT_NS, () -> told.add(waitNs));
              try (limit) {
                pass(sessions, waitNs);
              }
              assertThat(limit.isWaiting()).isFalse();
              pass(sessions, 2 * LIMIT_NS);
              over.add(limit.isExceeded());
            }
            return null;
          });
      sessions.runUntil(Long.MAX_VALUE / 2);
      assertThat(sessions.stats().failed()).isZero();
    }
    assertThat(over).containsExactly(false, true);
    assertThat(told).containsExactly(LIMIT_NS + 1);
  }

  @Test
  void shouldPlanOneLookHoweverManyWaitsThereAre() {
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      WaitLimit limit = new WaitLimit(LIMIT_NS, () -> {});
      sessions.start(
          "waiter",
          () -> {
            for (int i = 0; i < 1_000; i++) {
              limit.begin();
              limit.end();
            }
            return null;
          });
      sessions.runUntil(10 * LIMIT_NS);
      // the waiter's, and that of the look, when its time has come
      assertThat(sessions.steps()).isEqualTo(2);
    }
  }

  @Test
  @Timeout(60)
  void shouldTellInTimeWhileTheCommonPoolHasNoThread() throws InterruptedException {
    CountDownLatch free = new CountDownLatch(1);
    CountDownLatch told = new CountDownLatch(1);
    WaitLimit limit = new WaitLimit(250_000_000, told::countDown);
    try {
      for (int i = 0; i <= 2 * ForkJoinPool.getCommonPoolParallelism(); i++) {
        ForkJoinPool.commonPool().execute(() -> awaitUninterruptibly(free));
      }
      limit.begin();
      assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      free.countDown();
      limit.close();
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    Await.uninterruptibly(latch::await);
  }

  @Test
  void shouldPlanNoLookWithoutALimit() {
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      WaitLimit limit = new WaitLimit(0, () -> {});
      sessions.start(
          "waiter",
          () -> {
            limit.begin();
            pass(sessions, 10 * LIMIT_NS);
            return limit.end();
          });
      sessions.runUntil(100 * LIMIT_NS);
      assertThat(sessions.steps()).isEqualTo(2);
    }
  }

  @Test
  void shouldPlanOneTimerForTheFirstWaitsOfManyLimits() {
    List<WaitLimit> limits = new ArrayList<>();
    long before = ForkJoinPool.commonPool().getDelayedTaskCount();
    for (int i = 0; i < 10_000; i++) {
      WaitLimit limit = new WaitLimit(30_000_000_000L, () -> {});
      limits.add(limit);
      limit.begin();
      limit.end();
    }
    // a few more where a tenth of a second has passed meanwhile; those find no wait
    assertThat(ForkJoinPool.commonPool().getDelayedTaskCount() - before).isLessThan(100);
    limits.forEach(WaitLimit::close);
  }

  @Test
  void shouldEndEachOfManyWaitsThatAreLongAndOverTime() throws Exception {
    int threads = 4;
    int waits = 500;
    long limitNs = 250_000_000;
    CountDownLatch told = new CountDownLatch(threads * waits);
    AtomicInteger early = new AtomicInteger();
    List<WaitLimit> limits = Collections.synchronizedList(new ArrayList<>());
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS)) {
      for (int i = 0; i < threads; i++) {
        sessions.start(
            "waiter",
            () -> {
              for (int wait = 0; wait < waits; wait++) {
                long beginNs = System.nanoTime();
                boolean fails = wait % 7 == 0;
                WaitLimit limit =
                    new WaitLimit(
                        limitNs,
                        () -> {
                          if (System.nanoTime() - beginNs < limitNs) {
                            early.incrementAndGet();
                          }
                          told.countDown();
                          if (fails) {
                            throw new IllegalStateException("of one limit");
                          }
                        });
                limits.add(limit);
                limit.begin();
              }
              return null;
            });
      }
      told.await();
    }
    assertThat(early.get()).isZero();
    assertThat(limits).hasSize(threads * waits).allMatch(WaitLimit::isExceeded);
    assertThat(limits).allMatch(WaitLimit::end);
  }

  @Test
  void shouldLimitEachWaitOfOneThatHasManyShortOnesBefore() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    WaitLimit limit = new WaitLimit(250_000_000, told::countDown);
    long shortUntilNs = System.nanoTime() + 300_000_000; // over the first looks
    while (System.nanoTime() < shortUntilNs) {
      limit.begin();
      assertThat(limit.end()).isFalse();
    }
    limit.begin();
    told.await();
    assertThat(limit.end()).isTrue();
    limit.close();
  }

  @Test
  void shouldTellBothSidesTheSameWhenTheEndAndTheLimitMeet() throws Exception {
    AtomicInteger told = new AtomicInteger();
    int over = 0;
    for (int i = 0; i < Seeds.size(2_000, 200_000); i++) {
      CountDownLatch look = new CountDownLatch(1);
      WaitLimit limit =
          new WaitLimit(
              20_000,
              () -> {
                told.incrementAndGet();
                look.countDown();
              });
      limit.begin();
      long endNs = System.nanoTime() + i % 60_000;
      while (System.nanoTime() < endNs) {
        Thread.onSpinWait();
      }
      if (limit.end()) {
        over++;
        look.await();
      }
      limit.close();
    }
    assertThat(told.get()).isEqualTo(over);
  }
}
