package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.scripted.Scripted;
import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Handle;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Transaction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Reflexes 3.2: what a release does to the space and to its task. */
class ReleaseTest {
  private static final Event ANY_A = new Event("a", null);

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(1_000));
  private final ReflexRuntime runtime =
      ReflexRuntime.create(space, Settings.FOR_TESTS.withMaxFailures(3));

  @AfterEach
  void stop() {
    runtime.close();
    assertThat(Await.runtimeThreads()).isEmpty();
    assertThat(space.stats().subscriptions()).isZero();
  }

  private TaskControl continuous(Scripted task) {
    TaskControl control = runtime.active("task", task, Schedule.continuous());
    runtime.start();
    return control;
  }

  private static Event a(long value) {
    return new Event().add("a", value);
  }

  @Nested
  class Committing {
    @Test
    void shouldPublishWritesWhenReleaseEnds() {
      AtomicInteger seenInside = new AtomicInteger(-1);
      CountDownLatch done = new CountDownLatch(1);
      continuous(
          new Scripted(
              task -> {
                if (done.getCount() == 1) {
                  task.doWrite(a(1));
                  task.doWrite(a(2));
                  seenInside.set(space.count(ANY_A));
                  done.countDown();
                }
              }));
      Await.until("both events", () -> space.count(ANY_A) == 2);
      assertThat(seenInside.get()).isZero();
    }

    @Test
    void shouldPassOverClaimedEventAndPromiseNothingWhenPolling() {
      space.write(a(1));
      Transaction other = space.newTransaction();
      other.begin();
      Event claimed = new Event();
      assertThat(other.poll(ANY_A, claimed)).isTrue();
      CountDownLatch done = new CountDownLatch(1);
      List<Event> polled = Collections.synchronizedList(new ArrayList<>());
      TaskControl control =
          continuous(
              new Scripted(
                  task -> {
                    if (done.getCount() == 1) {
                      polled.add(task.doPoll(ANY_A));
                      Event into = new Event();
                      polled.add(task.doPoll(ANY_A, into) ? into : null);
                      space.write(a(2)); // no conflict: the release has promised nothing
                      polled.add(task.doPoll(ANY_A).copy());
                      done.countDown();
                    }
                  }));
      Await.until("the release", () -> control.stats().commits() > 0);
      assertThat(polled).containsExactly(null, null, a(2));
      assertThat(control.stats().conflicts()).isZero();
      assertThat(other.commit()).isTrue();
      assertThat(space.count(ANY_A)).isZero();
    }

    @Test
    void shouldTakeEventsInOrderOfCommits() {
      List<Long> taken = Collections.synchronizedList(new ArrayList<>());
      for (int i = 0; i < 10; i++) {
        space.write(a(i));
      }
      continuous(
          new Scripted(
              task -> {
                Event event = task.doTake(ANY_A);
                if (event != null) {
                  taken.add(event.getLong("a"));
                }
              }));
      Await.until("ten events", () -> taken.size() == 10);
      assertThat(taken).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    }

    @Test
    void shouldSeeItsOwnWritesAndTakes() {
      AtomicReference<String> seen = new AtomicReference<>();
      continuous(
          new Scripted(
              task -> {
                if (seen.get() == null) {
                  StringBuilder log = new StringBuilder();
                  log.append(task.doTest(ANY_A));
                  task.doWrite(a(1));
                  log.append(task.doTest(ANY_A)).append(task.doTestNow(ANY_A));
                  log.append(task.doTake(ANY_A) != null).append(task.doTake(ANY_A) != null);
                  seen.set(log.toString());
                }
              }));
      Await.until("a release", () -> seen.get() != null);
      assertThat(seen.get()).isEqualTo("falsetruefalsetruefalse");
    }

    @Test
    void shouldCountReleasesAndCommits() {
      TaskControl control = continuous(new Scripted(task -> {}));
      Await.until("commits", () -> control.stats().commits() > 1_000);
      runtime.close();
      TaskStats stats = control.stats();
      assertThat(stats.releases()).isEqualTo(stats.commits());
      assertThat(stats.conflicts() + stats.aborts() + stats.failures()).isZero();
    }
  }

  @Nested
  class Undoing {
    static final class Changing extends ReflexTask {
      private final AtomicReference<Runnable> before;
      private final int mode;
      private int runs;
      private final long[] sums = new long[2];
      private String last = "none";
      final Queue<String> seen = new ConcurrentLinkedQueue<>();

      Changing(int mode, Runnable before) {
        this.mode = mode;
        this.before = new AtomicReference<>(before);
      }

      @Override
      public void execute() {
        seen.add(runs + "," + sums[1] + "," + last);
        runs++;
        sums[1] += 10;
        last = "changed";
        write(a(1));
        writeNow(new Event().add("report", mode));
        before.get().run();
        if (mode == 0) {
          abort();
        } else if (mode == 1) {
          throw new IllegalArgumentException("wrong");
        } else if (mode == 2) {
          try {
            abort();
          } catch (Abort swallowed) {
            last = "swallowed";
          }
        }
      }
    }

    private void shouldLeaveNoTrace(int mode) {
      Changing task = new Changing(mode, () -> {});
      TaskControl control = runtime.active("task", task, Schedule.periodic(1_000_000));
      runtime.start();
      Await.until("three releases", () -> task.seen.size() >= 3);
      runtime.close();
      assertThat(task.seen).containsOnly("0,0,none");
      assertThat(space.count(ANY_A)).isZero();
      assertThat(space.count(new Event("report", null))).isEqualTo(task.seen.size());
      assertThat(control.stats().releases()).isEqualTo(task.seen.size());
      assertThat(control.stats().commits()).isZero();
      assertThat(mode == 1 ? control.stats().failures() : control.stats().aborts())
          .isEqualTo(task.seen.size());
    }

    @Test
    void shouldRestoreSpaceAndFieldsButKeepDirectWritesWhenTaskAborts() {
      shouldLeaveNoTrace(0);
    }

    @Test
    void shouldRestoreSpaceAndFieldsWhenExceptionEscapes() {
      shouldLeaveNoTrace(1);
    }

    @Test
    void shouldAbortEvenWhenTaskSwallowsAbort() {
      shouldLeaveNoTrace(2);
    }

    @Test
    void shouldPutTakenEventBackWhenTaskAborts() {
      space.write(a(5));
      TaskControl control =
          continuous(
              new Scripted(
                  task -> {
                    if (task.doTake(ANY_A) != null) {
                      task.doAbort();
                    }
                  }));
      Await.until("aborts", () -> control.stats().aborts() > 10);
      runtime.close();
      assertThat(space.take(ANY_A).getLong("a")).isEqualTo(5);
    }

    @Test
    void shouldUndoSubscriptionMadeInAbortedRelease() {
      AtomicInteger runs = new AtomicInteger();
      TaskControl control =
          continuous(
              new Scripted(
                  task -> {
                    task.handle(task.doSubscribe(ANY_A));
                    runs.incrementAndGet();
                    task.doAbort();
                  }));
      Await.until("aborts", () -> control.stats().aborts() > 10);
      assertThat(space.stats().subscriptions()).isLessThanOrEqualTo(1);
      assertThat(control.stats().failures()).isZero();
    }

    @Test
    void shouldKeepSubscriptionWhenReleaseThatEndedItAborts() {
      AtomicReference<Boolean> subscribed = new AtomicReference<>();
      space.write(a(1));
      continuous(
          new Scripted(
              ANY_A,
              task -> {
                if (subscribed.get() == null) {
                  subscribed.set(task.handle.isSubscribed());
                  task.doUnsubscribe(task.handle);
                  task.doAbort();
                }
              }));
      Await.until("a release", () -> subscribed.get() != null);
      Await.until("the end of it", () -> space.stats().subscriptions() == 1);
      assertThat(space.count(ANY_A)).isEqualTo(1);
    }
  }

  @Nested
  class Conflicting {
    /**
     * Makes the task lose: it counts on the absence of an event that is then written with a higher
     * priority.
     */
    private void disturb() {
      space.transact(
          1_000,
          transaction -> {
            transaction.write(a(1));
            return null;
          });
      space.take(ANY_A);
    }

    @Test
    void shouldRetryAtOnceWithFieldsRestored() {
      AtomicInteger attempts = new AtomicInteger();
      List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
      TaskControl control =
          runtime.active(
              "task", new Losing(attempts, seen, this::disturb), Schedule.periodic(1_000_000));
      runtime.start();
      Await.until("a second release", () -> attempts.get() > 3);
      runtime.close();
      assertThat(seen).containsExactly(0, 0, 0);
      assertThat(space.take(new Event("attempt", null)).getLong("attempt")).isEqualTo(3);
      assertThat(space.take(new Event("attempt", null))).isNull();
      assertThat(control.stats().conflicts()).isZero();
      assertThat(control.stats().releases()).isEqualTo(control.stats().commits());
    }

    static final class Losing extends ReflexTask {
      private int value;
      private final AtomicInteger attempts;
      private final AtomicReference<List<Integer>> seen;
      private final AtomicReference<Runnable> disturb;

      Losing(AtomicInteger attempts, List<Integer> seen, Runnable disturb) {
        this.attempts = attempts;
        this.seen = new AtomicReference<>(seen);
        this.disturb = new AtomicReference<>(disturb);
      }

      @Override
      public void execute() {
        int attempt = attempts.incrementAndGet();
        if (attempt > 3) {
          return;
        }
        seen.get().add(value);
        value++;
        test(ANY_A);
        if (attempt < 3) {
          disturb.get().run();
        }
        write(new Event().add("attempt", attempt));
      }
    }

    @Test
    void shouldGiveUpUntilNextPeriodAfterAllRetries() {
      int retries = space.settings().maxRetries();
      AtomicInteger attempts = new AtomicInteger();
      TaskControl control =
          continuous(
              new Scripted(
                  task -> {
                    if (attempts.incrementAndGet() <= retries + 1) {
                      task.doTest(ANY_A);
                      disturb();
                      task.doWrite(a(7));
                    }
                  }));
      Await.until("a commit", () -> control.stats().commits() > 0);
      runtime.close();
      assertThat(control.stats().conflicts()).isEqualTo(1);
      assertThat(space.count(ANY_A)).isZero();
    }
  }

  @Nested
  class Failing {
    @Test
    void shouldStopTaskAfterFailuresInRowAndKeepFirst() {
      AtomicInteger runs = new AtomicInteger();
      TaskControl control =
          continuous(
              new Scripted(
                  task -> {
                    throw new IllegalStateException("failure " + runs.incrementAndGet());
                  }));
      Await.until("the task to stop", control::isStopped);
      Await.until("its thread to end", () -> Await.runtimeThreads().isEmpty());
      assertThat(runs.get()).isEqualTo(3);
      assertThat(control.failure()).hasMessage("failure 1");
      assertThat(control.stats().failures()).isEqualTo(3);
    }

    @Test
    void shouldGoOnWhenFailuresAreNotInRow() {
      AtomicInteger runs = new AtomicInteger();
      TaskControl control =
          continuous(
              new Scripted(
                  task -> {
                    if (runs.incrementAndGet() % 2 == 0) {
                      throw new IllegalStateException("now and then");
                    }
                  }));
      Await.until("many failures", () -> control.stats().failures() > 10);
      assertThat(control.isStopped()).isFalse();
    }

    @Test
    void shouldReportFullSpaceAndGoOn() {
      for (int i = 0; i < 900; i++) {
        space.write(new Event().add("filler", i));
      }
      Event event = a(1);
      TaskControl control =
          continuous(
              new Scripted(
                  task -> {
                    for (int i = 0; i < 500; i++) {
                      task.doWrite(event);
                    }
                  }));
      Await.until("failures", () -> control.stats().failures() > 10);
      assertThat(control.failure()).isInstanceOf(Abort.class);
      assertThat(control.isStopped()).isFalse();
      assertThat(space.count(ANY_A)).isZero();
    }

    @Test
    void shouldSurviveErrorsSuchAsStackOverflow() {
      AtomicInteger runs = new AtomicInteger();
      TaskControl control =
          continuous(
              new Scripted(
                  task -> {
                    if (runs.incrementAndGet() == 1) {
                      overflow(0);
                    }
                  }));
      Await.until("a commit", () -> control.stats().commits() > 0);
      assertThat(control.failure()).isInstanceOf(StackOverflowError.class);
    }

    private static int overflow(int depth) {
      return overflow(depth + 1) + 1;
    }
  }

  @Nested
  class Handles {
    @Test
    void shouldReleaseActiveTaskWithSubscriptionOnlyWhenThereIsMatch() {
      AtomicInteger runs = new AtomicInteger();
      TaskControl control =
          runtime.active(
              "task",
              new Scripted(
                  ANY_A,
                  task -> {
                    for (Event event : task.handle) {
                      runs.addAndGet((int) event.getLong("a"));
                    }
                  }),
              Schedule.periodic(100_000));
      CountDownLatch periods = new CountDownLatch(20);
      runtime.active(
          "clock", new Scripted(task -> periods.countDown()), Schedule.periodic(100_000));
      runtime.start();
      Await.until("twenty periods", () -> periods.getCount() == 0);
      assertThat(control.stats().releases()).isZero();
      space.write(a(3));
      Await.until("the release", () -> runs.get() == 3);
      assertThat(control.stats().releases()).isEqualTo(1);
    }

    @Test
    void shouldNotReleaseAfterUnsubscribe() {
      AtomicReference<Handle> handle = new AtomicReference<>();
      TaskControl control =
          runtime.active(
              "task",
              new Scripted(
                  ANY_A,
                  task -> {
                    handle.set(task.handle);
                    if (task.handle.isSubscribed()) {
                      task.handle.next();
                      task.doUnsubscribe(task.handle);
                    }
                  }),
              Schedule.periodic(100_000));
      runtime.start();
      space.write(a(1));
      // Without subscriptions an active task is released in every period.
      Await.until("releases without events", () -> control.stats().releases() > 5);
      assertThat(handle.get().isSubscribed()).isFalse();
      assertThat(space.stats().subscriptions()).isZero();
      assertThat(control.failure()).isNull();
    }
  }
}
