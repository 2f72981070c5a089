package dev.takt.rtsj.event;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.Sporadic;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.stress.Switches;
import dev.takt.stress.ready.Schedules;
import dev.takt.testkit.SharedAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Handlers of a pool without threads: some virtual threads on one carrier fire, take and close,
 * others do the pool's work, with {@link Switches} between them, by a clock that only they move.
 */
public final class HandlerRun implements Schedules {
  private static final long MAX_ACCESSES = 100_000;
  private static final long INTERARRIVAL_NS = 1_000;

  /** A handler, and what is to become of its fires. */
  private final class Subject {
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger fired = new AtomicInteger();
    private final AtomicInteger taken = new AtomicInteger();
    private final PooledHandler handler;

    Subject(boolean sporadic) {
      HandlerSettings settings =
          HandlerSettings.of("handler", ThreadScheduling.OTHER).withClock(clock);
      handler =
          pool.handler(
              sporadic ? settings.withRelease(Sporadic.ofNs(INTERARRIVAL_NS)) : settings,
              self -> handle());
    }

    private void handle() {
      if (inside.incrementAndGet() != 1) {
        wrong("two threads run a handler");
      }
      inside.decrementAndGet();
    }

    private void check() {
      long accounted =
          handler.handledCount() + taken.get() + handler.discardedCount() + handler.refusedCount();
      if (accounted != fired.get()) {
        wrong("fired=" + fired + ", accounted for=" + accounted);
      } else if (handler.getPendingFireCount() != 0 || !handler.isEnded()) {
        wrong("it has not ended, pending=" + handler.getPendingFireCount());
      } else if (handler.failureCount() != 0) {
        wrong("failed: " + handler.lastFailure());
      }
    }
  }

  /** Counts in steps that the schedule makes. */
  private static final class StepClock implements NanoClock {
    private final AtomicLong nowNs = new AtomicLong();

    @Override
    public long nanoTime() {
      return nowNs.get();
    }
  }

  private final AtomicReference<String> violation = new AtomicReference<>();
  private final AtomicInteger firing = new AtomicInteger();
  private StepClock clock = new StepClock();
  private HandlerPool pool;
  private List<Subject> subjects = List.of();

  @Override
  public String violation(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    violation.set(null);
    clock = new StepClock();
    pool = HandlerPool.withoutThreads(PoolSettings.of("pool", 1, ThreadScheduling.OTHER));
    subjects = new ArrayList<>();
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      subjects.add(new Subject(random.nextInt(4) == 0));
    }
    int firers = 1 + random.nextInt(3);
    int workers = 1 + random.nextInt(2);
    firing.set(firers);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < firers + workers; i++) {
      SplittableRandom own = random.split();
      boolean fires = i < firers;
      threads.add(thread(() -> act(fires, own)));
    }
    Switches switches = new Switches(random.split(), MAX_ACCESSES);
    HandlerPool pool = this.pool;
    SharedAccess.setHook(
        site -> {
          // The others would wait for the lock by the time of the day, not by the seed.
          if (!Thread.holdsLock(pool)) {
            switches.before(site);
          }
        });
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
    end();
    return violation.get();
  }

  private Thread thread(Runnable body) {
    return Thread.ofVirtual()
        .uncaughtExceptionHandler((thread, e) -> wrong("a thread failed: " + e))
        .unstarted(body);
  }

  private void wrong(String what) {
    violation.compareAndSet(null, what);
    firing.set(0); // so that the workers end
  }

  private void act(boolean fires, SplittableRandom random) {
    if (fires) {
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        step(subjects.get(random.nextInt(subjects.size())), random.nextInt(24));
      }
      firing.decrementAndGet();
    } else {
      while (firing.get() > 0) {
        work();
        Thread.yield();
      }
    }
  }

  private static void step(Subject subject, int choice) {
    if (choice == 0) {
      subject.handler.close();
    } else if (choice == 1) {
      subject.handler.closeNow();
    } else if (choice < 4) {
      subject.taken.addAndGet((int) subject.handler.getAndClearPendingFireCount());
    } else if (choice < 7) {
      subject.taken.addAndGet((int) Math.min(1, subject.handler.getAndDecrementPendingFireCount()));
    } else {
      // Of those that are refused because it is closed, some are counted.
      long refused = subject.handler.refusedCount();
      subject.fired.incrementAndGet();
      if (!subject.handler.release().isQueued() && subject.handler.refusedCount() == refused) {
        subject.fired.decrementAndGet();
      }
    }
  }

  /** Handles all that is due, then lets time pass. */
  private void work() {
    while (violation.get() == null && pool.doWork()) {}
    clock.nowNs.addAndGet(INTERARRIVAL_NS / 2);
  }

  /** Everything that is pending is handled, then the handlers are closed. */
  private void end() {
    for (int i = 0; i < 40 && violation.get() == null; i++) {
      work();
    }
    if (subjects.stream().anyMatch(each -> each.handler.getPendingFireCount() != 0)) {
      wrong("pending, and no thread looks for it");
    }
    pool.close();
    while (violation.get() == null && pool.doWork()) {}
    if (pool.handlerCount() != 0) {
      wrong("handlers that have not ended=" + pool.handlerCount());
    }
    subjects.forEach(Subject::check);
  }
}
