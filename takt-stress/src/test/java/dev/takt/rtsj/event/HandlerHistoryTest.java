package dev.takt.rtsj.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.testkit.LeakCheck;
import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Threads that fire, take, add, remove and close at random, on the shipped handlers with their
 * threads. However it went, each fire that reached a handler was handled, taken, discarded or
 * refused, once; no handler ran twice at the same time; and each one came to its end.
 */
@ExtendWith(LeakCheck.class)
class HandlerHistoryTest {
  private static final int FIRES = 300;

  @Test
  void shouldAccountForEachFire() throws Exception {
    int rounds = Seeds.isReplay() ? 1 : Seeds.size(150, 10_000);
    long first = Seeds.seed();
    for (long seed = first; seed < first + rounds; seed++) {
      new Round(seed).run();
    }
    System.out.printf("handlers: %,d rounds from %s%n", rounds, Seeds.replay(first));
  }

  /** One handler, and who releases it by itself and by events. */
  private static final class Subject {
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger overlaps = new AtomicInteger();
    private final AtomicLong released = new AtomicLong();
    private final AtomicLong taken = new AtomicLong();
    private AsyncEventHandler handler;

    private void handle(AsyncEventHandler self) {
      if (inside.incrementAndGet() > 1) {
        overlaps.incrementAndGet();
      }
      if (self.handledCount() % 7 == 3 && self.getAndDecrementPendingFireCount() > 0) {
        taken.incrementAndGet();
      }
      inside.decrementAndGet();
    }
  }

  private static final class Round {
    private final long seed;
    private final AsyncEvent event = new AsyncEvent("event");
    private final List<Subject> subjects = new ArrayList<>();
    private final HandlerPool pool;

    /** Whether the event's handlers change. If so, nobody knows exactly what its fires added. */
    private final boolean changes;

    private final List<Throwable> failures = new ArrayList<>();

    Round(long seed) {
      this.seed = seed;
      SplittableRandom random = new SplittableRandom(seed);
      changes = random.nextBoolean();
      pool =
          HandlerPool.start(PoolSettings.of("pool", 1 + random.nextInt(3), ThreadScheduling.OTHER));
      for (int i = 0; i < 3; i++) {
        Subject subject = new Subject();
        HandlerSettings settings = HandlerSettings.of("handler", ThreadScheduling.OTHER);
        subject.handler =
            random.nextInt(3) == 0
                ? BoundHandler.start(
                    settings.withSpinNs(random.nextInt(2) * 5_000), subject::handle)
                : pool.handler(settings, subject::handle);
        event.addHandler(subject.handler);
        subjects.add(subject);
      }
    }

    void run() throws Exception {
      SplittableRandom random = new SplittableRandom(seed);
      int count = 2 + random.nextInt(2);
      CyclicBarrier barrier = new CyclicBarrier(count);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        SplittableRandom own = random.split();
        threads.add(Thread.ofPlatform().start(() -> act(barrier, own)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failures).as(Seeds.replay(seed)).isEmpty();
      boolean discard = random.nextBoolean();
      if (discard) {
        pool.closeNow();
      } else {
        pool.close();
      }
      subjects.forEach(each -> close(each.handler, discard));
      assertThat(pool.handlerCount()).as(Seeds.replay(seed)).isZero();
      subjects.forEach(this::check);
    }

    private void act(CyclicBarrier barrier, SplittableRandom random) {
      try {
        barrier.await();
        for (int i = 0; i < FIRES; i++) {
          step(random);
        }
      } catch (Throwable e) {
        synchronized (failures) {
          failures.add(e);
        }
      }
    }

    private void step(SplittableRandom random) {
      Subject subject = subjects.get(random.nextInt(subjects.size()));
      AsyncEventHandler handler = subject.handler;
      int choice = random.nextInt(1_000);
      if (choice < 2) {
        close(handler, choice == 0);
      } else if (choice < 10) {
        if (changes) {
          change(handler, random.nextBoolean());
        }
      } else if (choice < 100) {
        if (handler.getAndDecrementPendingFireCount() > 0) {
          subject.taken.incrementAndGet();
        }
      } else if (choice < 120) {
        subject.taken.addAndGet(handler.getAndClearPendingFireCount());
      } else if (choice < 400) {
        event.fire();
      } else {
        subject.released.incrementAndGet();
        handler.release();
      }
    }

    private static void close(AsyncEventHandler handler, boolean discard) {
      if (discard) {
        handler.closeNow();
      } else {
        handler.close();
      }
    }

    private void change(AsyncEventHandler handler, boolean add) {
      if (add) {
        event.addHandler(handler);
      } else {
        event.removeHandler(handler);
      }
    }

    private void check(Subject subject) {
      AsyncEventHandler handler = subject.handler;
      String how = Seeds.replay(seed);
      assertThat(subject.overlaps).as(how).hasValue(0);
      assertThat(handler.isEnded()).as(how).isTrue();
      assertThat(handler.getPendingFireCount()).as(how).isZero();
      assertThat(handler.failureCount()).as(how).isZero();
      long accounted =
          handler.handledCount()
              + subject.taken.get()
              + handler.discardedCount()
              + handler.refusedCount();
      long least = subject.released.get() + (changes ? 0 : event.fireCount());
      assertThat(accounted).as(how).isBetween(least, subject.released.get() + event.fireCount());
    }
  }
}
