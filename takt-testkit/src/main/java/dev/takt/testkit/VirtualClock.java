package dev.takt.testkit;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.os.Sleeper;
import dev.takt.space.WaitClock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * A clock that stands still until a test moves it: the same code, without waiting and with the same
 * result every time.
 *
 * <p>A thread that sleeps by it wakes when it has been moved far enough, and, as with any clock,
 * when woken, unparked or interrupted. A thread that spins by it sleeps too. No thread wakes late,
 * unless the clock is moved past its time.
 *
 * <p>A test moves it by hand ({@link #advance}), or lets it jump from one wake-up to the next
 * ({@link #runUntil}). What runs may move it too, to say how long it takes.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public final class VirtualClock implements NanoClock, WaitClock {
  /** A thread that waits for this clock; it goes on when it is no longer in the list. */
  private static final class Wait {
    /** With what it sleeps; null if it parks or spins. */
    final Sleep sleep;

    /** The thread that parks; null otherwise. */
    final Thread parked;

    /** Whether time ends the wait. */
    final boolean limited;

    final long wakeNs;

    Wait(Sleep sleep, Thread parked, boolean limited, long wakeNs) {
      this.sleep = sleep;
      this.parked = parked;
      this.limited = limited;
      this.wakeNs = wakeNs;
    }

    boolean isSpin() {
      return sleep == null && parked == null;
    }
  }

  /** Sleeps by the lock of the clock, so that waking and counting are one step. */
  private final class Sleep implements Sleeper {
    private boolean permit;

    @Override
    public void sleepUntil(long timeNs) {
      sleep(true, timeNs);
    }

    @Override
    public void sleep() {
      sleep(false, 0);
    }

    private void sleep(boolean limited, long wakeNs) {
      synchronized (waits) {
        if (!permit && (!limited || wakeNs - nowNs > 0)) {
          await(new Wait(this, null, limited, wakeNs));
        }
        permit = false;
      }
    }

    @Override
    public void wake() {
      synchronized (waits) {
        permit = true;
        // A spinning thread may have a reason to stop now, too.
        waits.removeIf(wait -> wait.sleep == this || wait.isSpin());
        waits.notifyAll();
      }
    }
  }

  private final List<Wait> waits = new ArrayList<>();

  /** Who was unparked while it did not wait. */
  private final Set<Thread> permits = new HashSet<>();

  private volatile long nowNs;

  /** Makes a clock that shows 0. */
  public VirtualClock() {}

  /**
   * Makes a clock.
   *
   * @param startNs what it shows first
   */
  public VirtualClock(long startNs) {
    nowNs = startNs;
  }

  @Override
  public long nanoTime() {
    return nowNs;
  }

  @Override
  public Sleeper newSleeper() {
    return new Sleep();
  }

  @Override
  public void onSpinWait(long timeNs) {
    synchronized (waits) {
      if (timeNs - nowNs > 0) {
        await(new Wait(null, null, true, timeNs));
      }
    }
  }

  /** Waits until it is taken from the list; holds the lock. */
  private void await(Wait wait) {
    waits.add(wait);
    waits.notifyAll();
    try {
      while (waits.contains(wait)) {
        waits.wait();
      }
    } catch (InterruptedException _) {
      waits.remove(wait);
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void parkNanos(long durationNs) {
    if (durationNs <= 0) {
      return;
    }
    Wait wait;
    synchronized (waits) {
      if (permits.remove(Thread.currentThread())) {
        return;
      }
      wait = new Wait(null, Thread.currentThread(), true, nowNs + durationNs);
      waits.add(wait);
      waits.notifyAll();
    }
    // An advance between the two leaves a permit, so that this park returns at once.
    LockSupport.park(this);
    synchronized (waits) {
      waits.remove(wait);
    }
  }

  @Override
  public void unpark(Object waiter) {
    Thread thread = (Thread) waiter;
    synchronized (waits) {
      if (waits.removeIf(wait -> wait.parked == thread)) {
        LockSupport.unpark(thread);
      } else {
        permits.add(thread);
      }
    }
  }

  /**
   * Moves the clock and wakes those whose time has come.
   *
   * @param durationNs by how much, zero or more
   */
  public void advance(long durationNs) {
    if (durationNs < 0) {
      throw new IllegalArgumentException(
          "durationNs=" + durationNs + " (expected: 0 or more; time does not go back)");
    }
    synchronized (waits) {
      nowNs += durationNs;
      for (Wait wait : waits) {
        if (wait.parked != null && isDue(wait)) {
          LockSupport.unpark(wait.parked);
        }
      }
      waits.removeIf(this::isDue);
      waits.notifyAll();
    }
  }

  private boolean isDue(Wait wait) {
    return wait.limited && wait.wakeNs - nowNs <= 0;
  }

  /**
   * Waits until at least so many threads sleep by this clock; then an advance does not come too
   * early for them.
   */
  public void awaitSleepers(int count) throws InterruptedException {
    synchronized (waits) {
      while (waits.size() < count) {
        waits.wait();
      }
    }
  }

  /**
   * Lets time pass until a moment: each time when all threads sleep, jumps to the next moment at
   * which one wakes. With one thread the result is the same every time; with more, it is as long as
   * those that wake at the same moment do not depend on each other.
   *
   * @param endNs until when; the clock then shows this, or later if what runs has moved it there
   * @param threads how many threads live by this clock, none of which may end meanwhile: a task
   *     runtime has one for each active task with a period, and none for passive tasks; a real-time
   *     thread and a timer service of takt-rtsj are one each
   */
  public void runUntil(long endNs, int threads) throws InterruptedException {
    synchronized (waits) {
      awaitSleepers(threads);
      for (long next = nextWakeNs(endNs); next - endNs < 0; next = nextWakeNs(endNs)) {
        advance(next - nowNs);
        awaitSleepers(threads);
      }
      if (endNs - nowNs > 0) {
        advance(endNs - nowNs);
        awaitSleepers(threads);
      }
    }
  }

  /**
   * Lets time jump from one wake-up to the next, as {@link #runUntil} does, until threads have
   * ended.
   *
   * @param threads all threads that live by this clock
   * @throws IllegalStateException if all that are left sleep for ever
   */
  public void runToEnd(Thread... threads) throws InterruptedException {
    synchronized (waits) {
      for (long left = alive(threads); left > 0; left = alive(threads)) {
        if (waits.size() < left) {
          // No notification comes when a thread has ended.
          waits.wait(1);
        } else if (waits.stream().noneMatch(wait -> wait.limited)) {
          throw new IllegalStateException(
              left + " threads sleep for ever (expected: at least one until some time)");
        } else {
          advance(nextWakeNs(nowNs + Long.MAX_VALUE) - nowNs);
        }
      }
    }
  }

  private static long alive(Thread[] threads) {
    return Arrays.stream(threads).filter(Thread::isAlive).count();
  }

  /** When the next one wakes; {@code endNs} if none does before. */
  private long nextWakeNs(long endNs) {
    long nextNs = endNs;
    for (Wait wait : waits) {
      if (wait.limited && wait.wakeNs - nextNs < 0) {
        nextNs = wait.wakeNs;
      }
    }
    return nextNs;
  }
}
