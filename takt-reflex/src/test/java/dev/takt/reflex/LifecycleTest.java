package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.scripted.Scripted;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Handle;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Transaction;
import dev.takt.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Start, drain, stop and abort, in any order and from any thread. */
class LifecycleTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Event ANY_A = new Event("a", null);

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(10_000));
  private final ReflexRuntime runtime =
      ReflexRuntime.create(space, Settings.FOR_TESTS.withWorkers(2));

  @AfterEach
  void stop() {
    runtime.close();
    assertThat(Await.runtimeThreads()).isEmpty();
    assertThat(space.stats().subscriptions()).isZero();
  }

  private static Event a(long value) {
    return new Event().add("a", value);
  }

  private static Scripted taking(AtomicInteger taken) {
    return new Scripted(
        ANY_A,
        task -> {
          while (task.handle.next(task.into())) {
            taken.incrementAndGet();
          }
        });
  }

  @Test
  void shouldStopBeforeStart() {
    assertThat(runtime.stop(Duration.ZERO)).isTrue();
    assertThat(runtime.stop(LIMIT)).isTrue();
    runtime.abort();
    runtime.close();
  }

  @Test
  void shouldEndAllThreadsAndSubscriptionsWhenStopped() {
    AtomicInteger taken = new AtomicInteger();
    TaskControl passive = runtime.passive("passive", taking(taken), 10);
    TaskControl periodic =
        runtime.active("periodic", new Scripted(task -> {}), Schedule.periodic(1_000_000));
    TaskControl slow =
        runtime.active("slow", new Scripted(task -> {}), Schedule.periodic(3_600_000_000_000L));
    TaskControl continuous =
        runtime.active("continuous", new Scripted(task -> {}), Schedule.continuous());
    runtime.start();
    Await.until(
        "releases", () -> periodic.stats().commits() > 2 && continuous.stats().commits() > 2);
    assertThat(runtime.stop(LIMIT)).isTrue();
    assertThat(Await.runtimeThreads()).isEmpty();
    assertThat(space.stats().subscriptions()).isZero();
    assertThat(List.of(passive, periodic, slow, continuous)).allMatch(TaskControl::isStopped);
    space.write(a(1));
    assertThat(space.count(ANY_A)).isEqualTo(1);
  }

  @Test
  void shouldEndActiveTasksAndFinishPassiveWorkWhenDrained() {
    AtomicInteger taken = new AtomicInteger();
    AtomicInteger written = new AtomicInteger();
    runtime.active(
        "feed",
        new Scripted(
            task -> {
              if (space.stats().events() < 1_000) {
                task.doWrite(task.newEvent().add("a", 1));
                written.incrementAndGet();
              }
            }),
        Schedule.continuous());
    TaskControl sink = runtime.passive("sink", taking(taken), 10);
    runtime.start();
    Await.until("work", () -> taken.get() > 1_000);
    assertThat(runtime.drain(LIMIT)).isTrue();
    assertThat(sink.failure()).isNull();
    assertThat(space.count(ANY_A)).isZero();
    assertThat(Await.runtimeThreads()).allMatch(name -> name.startsWith("takt-worker"));
    assertThat(runtime.drain(LIMIT)).isTrue();
    // Passive tasks still serve what others write.
    int before = taken.get();
    space.write(a(1));
    Await.until("one more", () -> taken.get() > before);
  }

  @Test
  void shouldReturnFalseWhenDrainTimesOut() {
    runtime.passive("never takes", new Scripted(ANY_A, task -> {}), 10);
    runtime.start();
    space.write(a(1));
    assertThat(runtime.drain(Duration.ofMillis(20))).isFalse();
    assertThat(space.count(ANY_A)).isEqualTo(1);
  }

  @Test
  void shouldReturnFalseFromStopUntilRunawayReleaseEnds() {
    AtomicBoolean inside = new AtomicBoolean();
    AtomicBoolean end = new AtomicBoolean();
    runtime.active(
        "runaway",
        new Scripted(
            task -> {
              inside.set(true);
              while (!end.get()) {
                Thread.onSpinWait();
              }
              task.doWrite(a(1));
            }),
        Schedule.periodic(1_000_000));
    runtime.start();
    Await.until("the release", inside::get);
    assertThat(runtime.stop(Duration.ofMillis(10))).isFalse();
    end.set(true);
    assertThat(runtime.stop(LIMIT)).isTrue();
    assertThat(space.count(ANY_A)).isEqualTo(1);
  }

  @Test
  void shouldInterruptRunningReleaseWhenAborted() {
    AtomicBoolean inside = new AtomicBoolean();
    runtime.active(
        "sleeper",
        new Scripted(
            task -> {
              inside.set(true);
              while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
              }
            }),
        Schedule.continuous());
    runtime.start();
    Await.until("the release", inside::get);
    runtime.abort();
    Await.until("its end", () -> Await.runtimeThreads().isEmpty());
    assertThat(runtime.stop(LIMIT)).isTrue();
  }

  @Test
  void shouldReturnFalseWhenStopIsCalledInsideRelease() {
    AtomicReference<Boolean> result = new AtomicReference<>();
    runtime.active(
        "suicidal",
        new Scripted(task -> result.set(runtime.stop(LIMIT))),
        Schedule.periodic(1_000_000));
    runtime.start();
    Await.until("the end", () -> result.get() != null && Await.runtimeThreads().isEmpty());
    assertThat(result.get()).isFalse();
    assertThat(runtime.stop(LIMIT)).isTrue();
  }

  @Test
  void shouldDrainWithoutWaitingWhenDrainIsCalledInsideRelease() {
    AtomicReference<Boolean> result = new AtomicReference<>();
    runtime.active(
        "drainer",
        new Scripted(task -> result.set(runtime.drain(Duration.ofDays(1)))),
        Schedule.continuous());
    runtime.start();
    Await.until(
        "the end",
        () ->
            Await.runtimeThreads().stream().allMatch(name -> name.startsWith("takt-worker"))
                && result.get() != null);
    assertThat(result.get()).isFalse();
    assertThat(runtime.drain(LIMIT)).isTrue();
  }

  @Test
  void shouldRefuseRegistrationThatLosesAgainstStop() {
    runtime.start();
    assertThatThrownBy(
            () ->
                runtime.active(
                    "late",
                    new Scripted(task -> runtime.stop(Duration.ZERO), task -> {}),
                    Schedule.continuous()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cannot register late");
  }

  @Test
  void shouldNameTaskThatFailsToInitializeAndUndoStart() {
    AtomicInteger taken = new AtomicInteger();
    runtime.passive("good", taking(taken), 10);
    runtime.passive(
        "bad",
        new Scripted(
            task -> {
              task.doSubscribe(ANY_A);
              task.doWrite(a(1));
              throw new IllegalArgumentException("no licence");
            },
            task -> {}),
        10);
    assertThatThrownBy(runtime::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("task bad failed to initialize: java.lang.IllegalArgumentException: no licence")
        .hasCauseInstanceOf(IllegalArgumentException.class);
    assertThat(Await.runtimeThreads()).isEmpty();
    assertThat(space.stats().subscriptions()).isZero();
    assertThat(space.count(ANY_A)).isZero();
  }

  @Test
  void shouldUndoStartWhenSpaceHasTooFewTransactions() {
    EventSpace small =
        EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(100).withMaxTransactions(2));
    ReflexRuntime crowded = ReflexRuntime.create(small, Settings.FOR_TESTS.withWorkers(2));
    AtomicInteger taken = new AtomicInteger();
    crowded.passive("passive", taking(taken), 10);
    crowded.active("active", new Scripted(task -> {}), Schedule.continuous());
    assertThatThrownBy(crowded::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("SpaceSettings.maxTransactions");
    assertThat(Await.runtimeThreads()).isEmpty();
    assertThat(small.stats().subscriptions()).isZero();
    assertThat(crowded.stop(LIMIT)).isTrue();
    try (Transaction first = small.newTransaction();
        Transaction second = small.newTransaction()) {
      assertThat(List.of(first, second)).noneMatch(Transaction::isRunning);
    }
  }

  @Test
  void shouldGiveItsTransactionsBackWhenItStops() {
    EventSpace small =
        EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(100).withMaxTransactions(3));
    for (int i = 0; i < 3; i++) {
      ReflexRuntime each = ReflexRuntime.create(small, Settings.FOR_TESTS.withWorkers(1));
      each.passive("passive", taking(new AtomicInteger()), 10);
      each.active("active", new Scripted(task -> {}), Schedule.continuous());
      each.start();
      assertThat(each.stop(LIMIT)).isTrue();
      try (Transaction first = small.newTransaction();
          Transaction second = small.newTransaction();
          Transaction third = small.newTransaction()) {
        assertThat(List.of(first, second, third)).noneMatch(Transaction::isRunning);
      }
    }
  }

  @Test
  void shouldInitializeOnceAndPublishWhatItWrote() {
    AtomicInteger runs = new AtomicInteger();
    runtime.active(
        "task",
        new Scripted(
            task -> {
              runs.incrementAndGet();
              task.doWrite(a(1));
            },
            task -> {}),
        Schedule.periodic(100_000));
    assertThat(runs.get()).isZero();
    runtime.start();
    assertThat(runs.get()).isEqualTo(1);
    assertThat(space.count(ANY_A)).isEqualTo(1);
  }

  @Test
  void shouldRunTasksRegisteredAfterStart() {
    runtime.start();
    AtomicInteger taken = new AtomicInteger();
    space.write(a(1));
    runtime.passive("late", taking(taken), 10);
    Await.until("the event before", () -> taken.get() == 1);
    space.write(a(2));
    Await.until("the event after", () -> taken.get() == 2);
    TaskControl active =
        runtime.active("late active", new Scripted(task -> {}), Schedule.periodic(100_000));
    Await.until("a release", () -> active.stats().commits() > 0);
    assertThatThrownBy(
            () ->
                runtime.passive(
                    "late bad",
                    new Scripted(
                        task -> {
                          throw new IllegalArgumentException("wrong");
                        },
                        task -> {}),
                    10))
        .hasMessageContaining("late bad failed to initialize");
    space.write(a(3));
    Await.until("others to go on", () -> taken.get() == 3);
    assertThat(runtime.drain(LIMIT)).isTrue();
  }

  @Test
  void shouldSurviveRacesOfStartDrainStopAndRegistrationWithoutLosingEvents()
      throws InterruptedException {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    for (int round = 0; round < 150; round++) {
      raceOnce(random, seed);
    }
  }

  /** Counts in a field, so that only committed releases count. */
  static final class Counting extends ReflexTask {
    private Handle handle;
    private long count;

    @Override
    public void initialize() {
      handle = subscribe(ANY_A);
    }

    @Override
    public void execute() {
      while (handle.next() != null) {
        count++;
      }
    }

    long count() {
      return count;
    }
  }

  private void raceOnce(Random random, long seed) throws InterruptedException {
    EventSpace racing = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(1_000));
    ReflexRuntime raced = ReflexRuntime.create(racing, Settings.FOR_TESTS.withWorkers(2));
    AtomicLong written = new AtomicLong();
    List<Counting> tasks = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      tasks.add(new Counting());
    }
    for (int i = 0; i < 3; i++) {
      raced.passive("sink" + i, tasks.get(i), i);
    }
    raced.active("idle", new Scripted(task -> {}), Schedule.continuous());
    CountDownLatch go = new CountDownLatch(1);
    List<Runnable> actions = new ArrayList<>();
    actions.add(raced::start);
    actions.add(() -> raced.drain(Duration.ofMillis(random.nextInt(3))));
    actions.add(() -> raced.stop(Duration.ofMillis(random.nextInt(3))));
    actions.add(random.nextBoolean() ? raced::abort : raced::close);
    actions.add(() -> raced.passive("late", tasks.get(3), 5));
    actions.add(
        () -> {
          for (int i = 0; i < 200; i++) {
            racing.write(a(i));
            written.incrementAndGet();
          }
        });
    List<Thread> threads = new ArrayList<>();
    List<Throwable> unexpected = new ArrayList<>();
    for (Runnable action : actions) {
      int delay = random.nextInt(20_000);
      Thread thread =
          new Thread(
              () -> {
                try {
                  go.await();
                  for (int i = 0; i < delay; i++) {
                    Thread.onSpinWait();
                  }
                  action.run();
                } catch (IllegalStateException defined) {
                  // "the runtime is STOPPED" and the like: the defined answer of whoever came too
                  // late.
                } catch (Throwable e) {
                  synchronized (unexpected) {
                    unexpected.add(e);
                  }
                }
              });
      threads.add(thread);
      thread.start();
    }
    go.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(raced.stop(LIMIT)).as("seed %d", seed).isTrue();
    assertThat(unexpected).as("seed %d", seed).isEmpty();
    assertThat(Await.runtimeThreads()).as("seed %d", seed).isEmpty();
    assertThat(racing.stats().subscriptions()).as("seed %d", seed).isZero();
    long taken = tasks.stream().mapToLong(Counting::count).sum();
    assertThat(racing.count(ANY_A) + taken).as("seed %d", seed).isEqualTo(written.get());
  }

  @Test
  void shouldGoOnWhenReleaseLeavesItsThreadInterrupted() {
    TaskControl active =
        runtime.active(
            "a",
            new Scripted(task -> Thread.currentThread().interrupt()),
            Schedule.periodic(100_000));
    TaskControl passive =
        runtime.passive(
            "p",
            new Scripted(
                ANY_A,
                task -> {
                  task.handle.next(task.into());
                  Thread.currentThread().interrupt();
                }),
            10);
    runtime.start();
    for (int i = 1; i <= 20; i++) {
      int goal = i;
      space.write(a(i));
      Await.until(
          "both releases",
          () -> passive.stats().commits() == goal && active.stats().commits() >= goal);
    }
  }

  @Test
  void shouldKeepJvmAliveWhateverThreadStarts() throws InterruptedException {
    runtime.active("a", new Scripted(task -> {}), Schedule.periodic(100_000));
    runtime.passive("p", new Scripted(ANY_A, task -> {}), 10);
    Thread daemon = new Thread(runtime::start);
    daemon.setDaemon(true);
    daemon.start();
    daemon.join();
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> Await.runtimeThreads().contains(thread.getName()))
        .hasSize(3)
        .noneMatch(Thread::isDaemon);
  }

  @Test
  void shouldWaitForTimeoutEvenWhenCallerIsInterrupted() {
    runtime.active("idle", new Scripted(task -> {}), Schedule.continuous());
    runtime.start();
    Thread.currentThread().interrupt();
    assertThat(runtime.stop(LIMIT)).isTrue();
    assertThat(Thread.interrupted()).isTrue();
  }
}
