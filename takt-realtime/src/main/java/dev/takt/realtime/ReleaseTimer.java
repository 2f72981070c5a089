package dev.takt.realtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Waits for absolute release times: sleeps until shortly before, then spins.
 *
 * <p><b>Purpose.</b> A sleep alone ends late by what the operating system needs to wake a thread; a
 * spin alone burns a processor and, for a real-time thread, is throttled by the kernel. The timer
 * sleeps until a <em>lead</em> before the release and spins for the rest. It learns the lead from
 * how late it was woken: up at once, down by 1/{@value #LEAD_DECAY} for each release that was woken
 * earlier than that.
 *
 * <p><b>Assumptions.</b> (1) The clock is monotonic. (2) One thread waits; any thread cancels.
 *
 * <p><b>Guarantees.</b> (1) {@link #await} returns true at or after the release time, never before.
 * (2) It spins for no longer than {@code maxLeadNs} for one release. (3) {@link #cancel} or an
 * interrupt ends a wait at once.
 *
 * <p><b>Thread rule.</b> {@link #await} and {@link #leadNs} are for one thread; {@link #cancel} is
 * for any thread.
 *
 * <p><b>Memory.</b> Waiting allocates nothing.
 *
 * {@snippet :
 * ReleaseTimer timer = new ReleaseTimer(NanoClock.system());
 * long releaseNs = NanoClock.system().nanoTime();
 * while (timer.await(releaseNs += 100_000)) {
 *   work();
 * }
 * }
 */
public final class ReleaseTimer {
  /** The default of the smallest lead: below it, arming a sleep costs more than it saves. */
  public static final long DEFAULT_MIN_LEAD_NS = 5_000;

  /**
   * The default of the largest lead: twice the usual lateness of an ordinary Linux thread with its
   * default timer slack (50 us of slack and about 20 us of wake-up). A wake-up later than that is
   * an accident to report, not to spin for.
   */
  public static final long DEFAULT_MAX_LEAD_NS = 150_000;

  static final int LEAD_DECAY = 64;

  private static final VarHandle CANCELLED;

  static {
    try {
      CANCELLED =
          MethodHandles.lookup().findVarHandle(ReleaseTimer.class, "cancelled", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final NanoClock clock;
  private final long minLeadNs;
  private final long maxLeadNs;

  private long leadNs;

  /** Who waits, so that {@link #cancel} can wake it. */
  private volatile @Nullable Thread waiter;

  /** Accessed through {@link #CANCELLED}. */
  private boolean cancelled;

  /** Makes a timer with the default bounds of the lead. */
  public ReleaseTimer(NanoClock clock) {
    this(clock, DEFAULT_MIN_LEAD_NS, DEFAULT_MAX_LEAD_NS);
  }

  /**
   * Makes a timer.
   *
   * @param clock the clock to wait by
   * @param minLeadNs the smallest lead, in nanoseconds, at least 0
   * @param maxLeadNs the largest lead and so the longest spin, in nanoseconds, at least {@code
   *     minLeadNs}
   */
  public ReleaseTimer(NanoClock clock, long minLeadNs, long maxLeadNs) {
    if (minLeadNs < 0 || minLeadNs > maxLeadNs) {
      throw new IllegalArgumentException(
          "minLeadNs="
              + minLeadNs
              + ", maxLeadNs="
              + maxLeadNs
              + " (expected: 0 <= minLeadNs <= maxLeadNs)");
    }
    this.clock = Objects.requireNonNull(clock, "clock");
    this.minLeadNs = minLeadNs;
    this.maxLeadNs = maxLeadNs;
    this.leadNs = minLeadNs;
  }

  /**
   * Waits until a release time; returns at once when it has passed.
   *
   * @param releaseNs the time, by this timer's clock
   * @return true at or after the release time; false if the timer was cancelled or the thread
   *     interrupted (its interrupt status stays set)
   */
  public boolean await(long releaseNs) {
    if (waiter != Thread.currentThread()) {
      waiter = Thread.currentThread();
    }
    long nowNs = clock.nanoTime();
    long wakeNs = releaseNs - leadNs;
    if (nowNs - wakeNs < 0) {
      if (!sleepUntil(wakeNs, nowNs)) {
        return false;
      }
    }
    while (clock.nanoTime() - releaseNs < 0) {
      if (isCancelled() || Thread.currentThread().isInterrupted()) {
        return false;
      }
      Thread.onSpinWait();
    }
    return !isCancelled();
  }

  private boolean sleepUntil(long wakeNs, long nowNs) {
    long now = nowNs;
    while (now - wakeNs < 0) {
      if (isCancelled() || Thread.currentThread().isInterrupted()) {
        return false;
      }
      clock.parkNanos(wakeNs - now);
      now = clock.nanoTime();
    }
    learn(now - wakeNs);
    return true;
  }

  private void learn(long latenessNs) {
    long decayedNs = leadNs - leadNs / LEAD_DECAY;
    leadNs = Math.clamp(Math.max(latenessNs, decayedNs), minLeadNs, maxLeadNs);
  }

  /** Ends the present wait, and every later one, at once. Cannot be undone. */
  public void cancel() {
    CANCELLED.setVolatile(this, true);
    Thread thread = waiter;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  /** Returns how long before a release the timer now asks to be woken, in nanoseconds. */
  public long leadNs() {
    return leadNs;
  }

  private boolean isCancelled() {
    return (boolean) CANCELLED.getVolatile(this);
  }
}
