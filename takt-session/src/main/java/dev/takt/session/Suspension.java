package dev.takt.session;

import dev.takt.space.WaitClock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A place where one session, or one plain thread, waits until another resumes it.
 *
 * <p><b>Purpose.</b> Code that has to wait for something in memory (a line, room in a queue) waits
 * here. It does not need to know by what its session is carried: a virtual thread is parked and
 * leaves its carrier, a stepped session goes back to the caller of its step, a platform thread is
 * parked.
 *
 * <p><b>Guarantees.</b> A {@link #resume} before {@link #await} is not lost: the next wait returns
 * at once. A wait may return early for no reason, so the caller looks at its condition again.
 *
 * <p><b>Thread rule.</b> {@link #await} is for the session that asked for {@link #current}; {@link
 * #resume} is for any thread. <b>Memory.</b> 24 bytes.
 *
 * {@snippet :
 * Suspension here = Suspension.current();
 * waiting = here; // volatile; who fulfils the condition resumes it
 * while (!condition()) {
 *   here.await(deadlineNs - clock.nanoTime());
 * }
 * waiting = null;
 * }
 */
public abstract class Suspension {
  /** A wait without end, in nanoseconds: 146 years and more are. */
  public static final long FOR_EVER_NS = WaitClock.FOR_EVER_NS;

  Suspension() {}

  /** Returns the time by which the calling session or thread waits, in nanoseconds. */
  static long now() {
    SteppedSession stepped = steppedCaller();
    return stepped == null ? OfThread.CLOCK.nanoTime() : stepped.nanoTime();
  }

  /** Runs an action when a time has passed. */
  interface Timer {
    /**
     * Begins the time; called once.
     *
     * @param delayNs how long, in nanoseconds
     */
    void start(long delayNs);

    /** Takes it back: what was not begun is not run, and is kept no longer. Any thread. */
    void cancel();
  }

  /**
   * Returns a timer: of a stepped session by the time of its set, in a step of its own, or else by
   * that of the machine, on a thread of the JDK.
   *
   * @param action must not wait
   */
  static Timer timer(Runnable action) {
    SteppedSession stepped = steppedCaller();
    return stepped == null ? new OfMachine(action) : stepped.owner.timer(action);
  }

  /** Returns whether a stepped session calls, whose set has a time of its own. */
  static boolean isStepped() {
    return steppedCaller() != null;
  }

  private static @Nullable SteppedSession steppedCaller() {
    return Thread.currentThread().isVirtual() ? null : SteppedSessions.current();
  }

  /** Returns the place where the calling session or thread can wait. */
  public static Suspension current() {
    SteppedSession stepped = steppedCaller();
    return stepped == null ? new OfThread(Thread.currentThread()) : stepped;
  }

  /**
   * Suspends the caller until it is resumed, {@code durationNs} have passed, or for no reason.
   *
   * @param durationNs how long at most, in nanoseconds; zero and less return at once, {@link
   *     #FOR_EVER_NS} and more are without end
   * @throws InterruptedException if the session is cancelled, or the thread interrupted
   */
  public abstract void await(long durationNs) throws InterruptedException;

  /**
   * Passes a moment in which a wait looks for what it waits for: a session lets others run.
   *
   * @return false if looking is of no use here, since nothing changes before the wait suspends
   */
  abstract boolean pause();

  /** Returns the time by which waits here are measured, in nanoseconds. */
  public abstract long nanoTime();

  /** Resumes who waits here, or else lets the next wait return at once. */
  public abstract void resume();

  private static final class OfMachine implements Timer {
    private final CompletableFuture<@Nullable Void> time = new CompletableFuture<>();

    OfMachine(Runnable action) {
      time.thenRun(action);
    }

    @Override
    public void start(long delayNs) {
      time.completeOnTimeout(null, delayNs, TimeUnit.NANOSECONDS);
    }

    @Override
    public void cancel() {
      time.cancel(false);
    }
  }

  private static final class OfThread extends Suspension {
    private static final WaitClock CLOCK = WaitClock.system();

    private final Thread thread;

    /** Kept here, too: whatever else parks the thread uses up the permit of its parking. */
    private volatile boolean isResumed;

    OfThread(Thread thread) {
      this.thread = thread;
    }

    @Override
    public void await(long durationNs) throws InterruptedException {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (!isResumed) {
        LockSupport.setCurrentBlocker(this);
        CLOCK.parkNanos(durationNs);
        LockSupport.setCurrentBlocker(null);
      }
      // what was changed before this resume is seen by the caller, who looks next
      isResumed = false;
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }

    @Override
    boolean pause() {
      if (thread.isVirtual()) {
        Thread.yield();
      } else {
        Thread.onSpinWait();
      }
      return true;
    }

    @Override
    public long nanoTime() {
      return CLOCK.nanoTime();
    }

    @Override
    public void resume() {
      isResumed = true;
      CLOCK.unpark(thread);
    }
  }
}
