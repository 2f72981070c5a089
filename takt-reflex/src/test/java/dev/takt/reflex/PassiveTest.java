package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.scripted.Scripted;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Handle;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Subscriber;
import dev.takt.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When passive tasks are released, and that no match is missed. */
class PassiveTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(20_000));
  private ReflexRuntime runtime = ReflexRuntime.create(space, Settings.FOR_TESTS.withWorkers(2));

  @AfterEach
  void stop() {
    runtime.close();
    assertThat(Await.runtimeThreads()).isEmpty();
    assertThat(space.stats().subscriptions()).isZero();
  }

  private static Event keyed(String key, long value) {
    return new Event().add(key, value);
  }

  private static Event any(String key) {
    return new Event(key, null);
  }

  /** Takes all matches of its subscription and adds them up. */
  static final class Summing extends ReflexTask {
    private final String key;
    private Handle handle;
    private long sum;
    private long count;
    final AtomicLong committedSum = new AtomicLong();

    Summing(String key) {
      this.key = key;
    }

    @Override
    public void initialize() {
      handle = subscribe(any(key));
    }

    @Override
    public void execute() {
      committedSum.set(sum);
      for (Event event : handle) {
        sum += event.getLong(key);
        count++;
      }
    }

    long sum() {
      return sum;
    }
  }

  @Test
  void shouldReleaseTaskWhenMatchingEventCommits() {
    Summing task = new Summing("a");
    TaskControl control = runtime.passive("sum", task, 10);
    runtime.start();
    space.write(keyed("b", 1));
    space.write(keyed("a", 7));
    Await.until("the release", () -> control.stats().commits() == 1);
    runtime.close();
    assertThat(task.sum()).isEqualTo(7);
    assertThat(control.stats().releases()).isEqualTo(1);
    assertThat(space.count(any("b"))).isEqualTo(1);
  }

  @Test
  void shouldReleaseTaskForEventsWrittenBeforeStart() {
    Summing task = new Summing("a");
    runtime.passive("sum", task, 10);
    space.write(keyed("a", 3));
    runtime.start();
    assertThat(runtime.drain(LIMIT)).isTrue();
    runtime.close();
    assertThat(task.sum()).isEqualTo(3);
  }

  @Test
  void shouldNotReleaseTaskWhenSomeoneElseWasQuicker() {
    Summing quick = new Summing("a");
    Summing slow = new Summing("a");
    runtime.close();
    runtime = ReflexRuntime.create(space, Settings.FOR_TESTS.withWorkers(1));
    TaskControl first = runtime.passive("quick", quick, 20);
    TaskControl second = runtime.passive("slow", slow, 10);
    runtime.start();
    for (int i = 0; i < 100; i++) {
      space.write(keyed("a", 1));
      Await.until("the event to be taken", () -> space.count(any("a")) == 0);
    }
    assertThat(runtime.drain(LIMIT)).isTrue();
    runtime.close();
    assertThat(quick.sum() + slow.sum()).isEqualTo(100);
    assertThat(first.stats().releases() + second.stats().releases()).isLessThanOrEqualTo(101);
  }

  @Test
  void shouldReleaseAgainWhenReleaseTookOneOfMany() {
    AtomicInteger taken = new AtomicInteger();
    TaskControl control =
        runtime.passive(
            "one",
            new Scripted(
                any("a"),
                task -> {
                  if (task.handle.next(task.into())) {
                    taken.incrementAndGet();
                  }
                }),
            10);
    space.transact(
        transaction -> {
          for (int i = 0; i < 50; i++) {
            transaction.write(keyed("a", i));
          }
        });
    runtime.start();
    assertThat(runtime.drain(LIMIT)).isTrue();
    assertThat(taken.get()).isEqualTo(50);
    assertThat(control.stats().commits()).isEqualTo(50);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void shouldLoseNoEventWhenManyWriteAndManyTake(int workers) throws InterruptedException {
    long seed = Seeds.seed();
    runtime.close();
    runtime = ReflexRuntime.withoutSweep(space, Settings.FOR_TESTS.withWorkers(workers));
    int producers = 3;
    int events = 20_000;
    int keys = 20;
    List<Summing> tasks = new ArrayList<>();
    List<TaskControl> controls = new ArrayList<>();
    for (int i = 0; i < keys * 2; i++) {
      // Two tasks compete for each key; every event that one takes may come back to the space in an
      // aborted release.
      Summing task = new Summing("k" + i % keys);
      tasks.add(task);
      controls.add(runtime.passive("task" + i, task, i % 3));
    }
    runtime.start();
    AtomicLong written = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int p = 0; p < producers; p++) {
      Random random = new Random(seed + p);
      Thread thread =
          new Thread(
              () -> {
                Event event = new Event();
                for (int i = 0; i < events; i++) {
                  int value = random.nextInt(1_000);
                  space.write(event.clear().add("k" + random.nextInt(keys), value));
                  written.addAndGet(value);
                  if (random.nextInt(200) == 0) {
                    Await.until("room", () -> space.stats().events() < 5_000);
                  }
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(runtime.drain(LIMIT)).as("seed %d", seed).isTrue();
    assertThat(runtime.stop(LIMIT)).isTrue();
    assertThat(controls).as("seed %d", seed).allMatch(control -> control.failure() == null);
    assertThat(tasks.stream().mapToLong(Summing::sum).sum())
        .as("seed %d", seed)
        .isEqualTo(written.get());
    assertThat(space.stats().events()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void shouldMissNoMatchThatCommitsWhileTaskComesToRest(int workers) {
    runtime.close();
    runtime = ReflexRuntime.withoutSweep(space, Settings.FOR_TESTS.withWorkers(workers));
    AtomicLong taken = new AtomicLong();
    runtime.passive(
        "sink",
        new Scripted(
            task -> {
              // The last look goes over all handles, the one that matters first: that widens the
              // gap behind it.
              task.handle(task.doSubscribe(any("a")));
              for (int i = 0; i < 500; i++) {
                task.doSubscribe(new Event().add("b", i));
              }
            },
            task -> {
              // Told inside the release, the writer commits the next event while this one ends.
              while (task.handle.next(task.into())) {
                taken.incrementAndGet();
              }
            }),
        10);
    runtime.start();
    Event event = keyed("a", 1);
    for (int i = 1; i <= 20_000; i++) {
      space.write(event);
      long goal = i;
      Await.until("event " + i, () -> taken.get() >= goal);
    }
  }

  @Test
  void shouldLoseNothingWhenTasksFeedEachOtherAndAbortNowAndThen() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    int tasks = 200;
    int tokens = 100;
    int hops = 100;
    for (int i = 0; i < tasks; i++) {
      int next = random.nextInt(tasks);
      int abortEvery = random.nextInt(3) + 3;
      AtomicInteger runs = new AtomicInteger();
      runtime.passive(
          "task" + i,
          new Scripted(
              new Event().add("to", i).add("left", null),
              task -> {
                if (task.handle.next(task.into())) {
                  long left = task.into().getLong("left");
                  if (runs.incrementAndGet() % abortEvery == 0) {
                    task.doAbort();
                  }
                  if (left == 0) {
                    task.doWrite(task.newEvent().add("done", 1));
                  } else {
                    task.doWrite(task.newEvent().add("to", next).add("left", left - 1));
                  }
                }
              }),
          random.nextInt(4));
    }
    runtime.start();
    for (int i = 0; i < tokens; i++) {
      space.write(new Event().add("to", random.nextInt(tasks)).add("left", random.nextInt(hops)));
    }
    Await.until("all tokens, seed " + seed, () -> space.count(any("done")) == tokens);
    assertThat(runtime.drain(LIMIT)).isTrue();
    assertThat(space.stats().events()).isEqualTo(tokens);
  }

  @Test
  void shouldFindEventBySweepWhenItsCommitterIsStoppedBeforeNotice() throws InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Handle before =
        space.subscribe(
            any("a"),
            new Subscriber() {
              @Override
              public void onMatch(Handle handle) {
                stopped.countDown();
                boolean waiting = true;
                while (waiting) {
                  try {
                    goOn.await();
                    waiting = false;
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                }
              }
            });
    Summing task = new Summing("a");
    TaskControl control = runtime.passive("sum", task, 10);
    runtime.start();
    Handle after = space.subscribe(any("a"), before.subscriber());
    Thread committer = new Thread(() -> space.write(keyed("a", 5)));
    committer.start();
    stopped.await();
    Await.until("the release", () -> control.stats().commits() == 1);
    goOn.countDown();
    committer.join();
    space.unsubscribe(before);
    space.unsubscribe(after);
    runtime.close();
    assertThat(task.sum()).isEqualTo(5);
  }

  @Test
  void shouldTryAbortedReleaseAgainWhenAnotherEventMatches() {
    AtomicInteger runs = new AtomicInteger();
    TaskControl control =
        runtime.passive(
            "pair",
            new Scripted(
                task -> {
                  task.doSubscribe(any("a"));
                  task.doSubscribe(any("b"));
                },
                task -> {
                  runs.incrementAndGet();
                  if (task.doTake(any("a")) == null || task.doTake(any("b")) == null) {
                    task.doAbort();
                  }
                }),
            10);
    runtime.start();
    space.write(keyed("a", 1));
    Await.until("an abort", () -> control.stats().aborts() > 0);
    assertThat(space.count(any("a"))).isEqualTo(1);
    space.write(keyed("b", 2));
    Await.until("a commit", () -> control.stats().commits() == 1);
    assertThat(runtime.drain(LIMIT)).isTrue();
    assertThat(space.stats().events()).isZero();
  }

  @Test
  void shouldStopPassiveTaskThatFailsTooOftenAndGoOnWithOthers() {
    TaskControl bad =
        runtime.passive(
            "bad",
            new Scripted(
                any("a"),
                task -> {
                  throw new IllegalStateException("poison");
                }),
            10);
    Summing good = new Summing("b");
    TaskControl other = runtime.passive("good", good, 10);
    runtime.start();
    space.write(keyed("a", 1));
    Await.until("the task to stop", bad::isStopped);
    space.write(keyed("b", 1));
    Await.until("the other task", () -> other.stats().commits() == 1);
    assertThat(runtime.drain(LIMIT)).isFalse();
    assertThat(bad.failure()).hasMessage("poison");
    assertThat(bad.stats().failures()).isEqualTo(Settings.FOR_TESTS.maxFailures());
    assertThat(space.count(any("a"))).isEqualTo(1);
  }

  @Test
  void shouldRunHigherPriorityFirstWhenSeveralAreQueued() {
    runtime.close();
    runtime = ReflexRuntime.create(space, Settings.FOR_TESTS.withWorkers(1));
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch blocked = new CountDownLatch(1);
    AtomicBoolean blocking = new AtomicBoolean();
    runtime.passive(
        "blocker",
        new Scripted(
            any("block"),
            task -> {
              task.handle.next(task.into());
              blocking.set(true);
              Await.until("the test", () -> blocked.getCount() == 0);
            }),
        0);
    int[] priorities = {5, 50, 1, 99, 20};
    for (int priority : priorities) {
      runtime.passive(
          "p" + priority,
          new Scripted(
              any("p" + priority),
              task -> {
                task.handle.next(task.into());
                order.add(priority);
              }),
          priority);
    }
    runtime.start();
    space.write(keyed("block", 1));
    Await.until("the worker to be busy", blocking::get);
    for (int priority : priorities) {
      space.write(keyed("p" + priority, 1));
    }
    blocked.countDown();
    assertThat(runtime.drain(LIMIT)).isTrue();
    assertThat(order).containsExactly(99, 50, 20, 5, 1);
  }

  @Test
  void shouldRunNextWhatTheWorkersOwnCommitMakesRunnable() {
    runtime.close();
    runtime = ReflexRuntime.withoutSweep(space, Settings.FOR_TESTS.withWorkers(1));
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    AtomicBoolean blocking = new AtomicBoolean();
    AtomicBoolean goOn = new AtomicBoolean();
    for (String name : List.of("queued", "first", "second")) {
      runtime.passive(
          name,
          new Scripted(
              any(name),
              task -> {
                task.handle.next(task.into());
                order.add(name);
              }),
          10);
    }
    // The last one: when it runs, the others have looked for matches and rest.
    runtime.passive(
        "feeder",
        new Scripted(
            any("feed"),
            task -> {
              task.handle.next(task.into());
              blocking.set(true);
              Await.until("the test", goOn::get);
              task.doWrite(task.newEvent().add("first", 1));
              task.doWrite(task.newEvent().add("second", 1));
            }),
        10);
    runtime.start();
    space.write(keyed("feed", 1));
    Await.until("the worker to be busy", blocking::get);
    space.write(keyed("queued", 1));
    goOn.set(true);
    assertThat(runtime.drain(LIMIT)).isTrue();
    assertThat(order).containsExactly("first", "queued", "second");
  }

  @Test
  void shouldLetQueuedTaskRunWhileOthersHandEachOtherWork() {
    runtime.close();
    runtime = ReflexRuntime.create(space, Settings.FOR_TESTS.withWorkers(1));
    AtomicBoolean stop = new AtomicBoolean();
    for (String[] hop : new String[][] {{"ping", "pong"}, {"pong", "ping"}}) {
      runtime.passive(
          hop[0],
          new Scripted(
              any(hop[0]),
              task -> {
                task.handle.next(task.into());
                if (!stop.get()) {
                  task.doWrite(task.newEvent().add(hop[1], 1));
                }
              }),
          10);
    }
    Summing other = new Summing("other");
    TaskControl control = runtime.passive("other", other, 10);
    runtime.start();
    space.write(keyed("ping", 1));
    space.write(keyed("other", 1));
    Await.until("the queued task", () -> control.stats().commits() == 1);
    stop.set(true);
    assertThat(runtime.drain(LIMIT)).isTrue();
  }

  @Test
  void shouldRunTenThousandTasksWithFewThreads() {
    int tasks = 10_000;
    for (int i = 0; i < tasks; i++) {
      String to = i + 1 == tasks ? "end" : "hop";
      long next = i + 1;
      Event template = new Event().add("hop", i);
      runtime.passive(
          "hop" + i,
          new Scripted(
              template,
              task -> {
                if (task.handle.next(task.into())) {
                  task.doWrite(task.newEvent().add(to, next));
                }
              }),
          10);
    }
    runtime.start();
    assertThat(Await.runtimeThreads()).containsOnly("takt-worker-0", "takt-worker-1");
    for (int round = 0; round < 10; round++) {
      space.write(keyed("hop", 0));
    }
    Await.until("ten events at the end", () -> space.count(any("end")) == 10);
    assertThat(runtime.drain(LIMIT)).isTrue();
  }
}
