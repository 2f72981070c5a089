package dev.takt.stress.ready;

import dev.takt.realtime.ReadyQueue;
import dev.takt.realtime.ReadyState;
import dev.takt.stress.Switches;
import dev.takt.testkit.SharedAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Some committers and workers on virtual threads that share one carrier, with {@link Switches}
 * between them: they use the state and the queue as passive tasks do, and a seed decides every
 * interleaving.
 */
public final class ReadyRun implements Schedules {
  private static final long MAX_ACCESSES = 100_000;

  /** Something that is to be run once for each match, with all that can go wrong. */
  private static final class Task {
    final ReadyState state = ReadyState.queued();
    final AtomicInteger matches = new AtomicInteger();
    final AtomicInteger runners = new AtomicInteger();
  }

  private final AtomicReference<String> violation = new AtomicReference<>();
  private Task[] tasks = {};
  private ReadyQueue queue = new ReadyQueue(1);
  private final AtomicInteger committing = new AtomicInteger();

  @Override
  public String violation(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    violation.set(null);
    tasks = new Task[1 + random.nextInt(3)];
    queue = new ReadyQueue(tasks.length);
    for (int i = 0; i < tasks.length; i++) {
      tasks[i] = new Task();
      queue.push(i);
    }
    int committers = 1 + random.nextInt(3);
    int workers = 1 + random.nextInt(2);
    committing.set(committers);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < committers; i++) {
      SplittableRandom own = random.split();
      int commits = 1 + random.nextInt(3);
      threads.add(thread(() -> commit(own, commits)));
    }
    for (int i = 0; i < workers; i++) {
      SplittableRandom own = random.split();
      threads.add(thread(() -> work(own)));
    }
    SharedAccess.setHook(new Switches(random.split(), MAX_ACCESSES));
    try {
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      SharedAccess.setHook(null);
    }
    check();
    return violation.get();
  }

  private Thread thread(Runnable body) {
    return Thread.ofVirtual()
        .uncaughtExceptionHandler((thread, e) -> wrong("a thread failed: " + e))
        .unstarted(body);
  }

  private void wrong(String what) {
    violation.compareAndSet(null, what);
    committing.set(0); // so that the workers end
  }

  private void commit(SplittableRandom random, int commits) {
    for (int i = 0; i < commits; i++) {
      int number = random.nextInt(tasks.length);
      Task task = tasks[number];
      task.matches.incrementAndGet();
      if (random.nextInt(4) == 0 && task.state.claimIdle()) {
        runNext(random, number);
      } else if (task.state.makeReady()) {
        queue.push(number);
      }
    }
    committing.decrementAndGet();
  }

  /** As a worker does with what became ready by its own commit. */
  private void runNext(SplittableRandom random, int number) {
    if (random.nextBoolean()) {
      tasks[number].state.requeue();
      queue.push(number);
    } else {
      run(random, number);
    }
  }

  private void work(SplittableRandom random) {
    while (violation.get() == null) {
      boolean last = committing.get() == 0;
      int number = queue.poll();
      if (number != ReadyQueue.EMPTY) {
        tasks[number].state.claim();
        run(random, number);
      } else if (last) {
        return;
      } else {
        Thread.yield();
      }
    }
  }

  private void run(SplittableRandom random, int number) {
    Task task = tasks[number];
    if (task.runners.incrementAndGet() != 1) {
      wrong("two threads run task " + number);
    }
    boolean again = false;
    int matches = task.matches.get();
    if (matches > 0) {
      boolean takesAll = random.nextBoolean();
      task.matches.addAndGet(takesAll ? -matches : -1);
      again = task.matches.get() > 0;
    }
    task.runners.decrementAndGet();
    if (task.state.finish(again)) {
      queue.push(number);
    }
  }

  private void check() {
    for (int i = 0; i < tasks.length; i++) {
      if (tasks[i].matches.get() != 0) {
        wrong("task " + i + " rests with matches=" + tasks[i].matches.get());
      } else if (!tasks[i].state.isIdle()) {
        wrong("task " + i + " does not come to rest");
      }
    }
  }
}
