package dev.takt.rtsj.event;

import dev.takt.realtime.Arrival;
import dev.takt.realtime.ArrivalQueue;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.ReadyState;
import dev.takt.realtime.ReleaseEngine;
import dev.takt.realtime.ReleaseOutcome;
import dev.takt.realtime.ReleaseParameters;
import dev.takt.realtime.RunningRelease;
import dev.takt.realtime.Schedulable;
import dev.takt.realtime.ThreadMeter;
import dev.takt.realtime.internal.Await;
import dev.takt.realtime.os.Shortfall;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Runs logic on a real-time thread, once for each fire of the events that it was added to.
 *
 * <p>A {@link BoundHandler} has a thread of its own; a {@link PooledHandler} borrows one of a
 * {@link HandlerPool} (the RTSJ's handler that is not bound). One thread at a time runs a handler.
 *
 * <p>Fires that come faster than they are handled are counted, not lost; the count is the RTSJ's
 * pending fire count, with its methods' names. It is one lower than the fires outstanding while the
 * logic runs: the one being handled is not pending any more.
 *
 * <p><b>Release parameters.</b> Without any, each fire is a release, as soon as a thread is there
 * for it. With {@link dev.takt.realtime.Sporadic} ones, releases keep a minimum inter-arrival time,
 * and their policy says what becomes of fires that come too soon; with these and with {@link
 * dev.takt.realtime.Aperiodic} ones, the number of pending fires is limited, and misses of the
 * deadline and overruns of the budget are counted.
 *
 * <p><b>End.</b> {@link #close} refuses further fires and waits until those pending are handled;
 * {@link #closeNow} discards them and waits only for the one being handled. Neither waits when the
 * handler's own logic calls it or, for a pooled handler, when a thread of its pool does: that
 * thread may be the one that is needed for the end.
 *
 * <p><b>Thread rule.</b> Any thread.
 */
public abstract sealed class AsyncEventHandler implements Schedulable, AutoCloseable
    permits BoundHandler, PooledHandler {
  /** The bit of {@link #pending} of a handler that refuses fires: makes it negative. */
  private static final long CLOSED = Long.MIN_VALUE;

  /** Stays claimed for good when the handler has ended. */
  final ReadyState ready = ReadyState.idle();

  /** How many fires wait to be handled, and {@link #CLOSED}. */
  private final AtomicLong pending = new AtomicLong();

  private final HandlerSettings settings;
  private final HandlerLogic logic;

  /** Null: each fire is a release, at once. */
  private final @Nullable ReleaseEngine releases;

  private volatile boolean hasEnded;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong discarded = new AtomicLong();

  /** Written by the thread that runs the handler alone, one at a time. */
  private volatile long handled;

  private volatile long failures;
  private volatile @Nullable Throwable lastFailure;
  private volatile @Nullable Thread runner;

  AsyncEventHandler(HandlerSettings settings, HandlerLogic logic) {
    this.settings = settings;
    this.logic = logic;
    ReleaseParameters parameters = settings.release();
    releases = parameters == null ? null : engine(parameters, ThreadMeter.of(settings.clock()));
  }

  /**
   * Makes the engine of the releases. Its queue never holds fewer arrivals than there are pending
   * fires: an arrival is queued before its fire is counted, and taken out after the fire was
   * claimed or taken.
   */
  private ReleaseEngine engine(ReleaseParameters parameters, ThreadMeter meter) {
    ArrivalQueue arrivals = ArrivalQueue.of(parameters, OperatingSystems.current());
    if (arrivals == null) {
      throw new IllegalArgumentException(
          ("release=%s (expected: Sporadic or Aperiodic; what is periodic is the timer that "
                  + "fires the event)")
              .formatted(parameters));
    }
    return new ReleaseEngine(
        this, parameters, arrivals, meter, List.of(), failure -> lastFailure = failure);
  }

  private long nowNs() {
    return settings.clock().nanoTime();
  }

  /** Queues up: it has just become ready. */
  abstract void queueUp();

  /** Wakes a thread, to look whether there is something to do for this handler. */
  abstract void wake();

  /** Completes a {@link #wake} that another thread has begun and may not have completed. */
  abstract void wakeAgain();

  /** Lets go of what it holds; it will not run again. Called once. */
  abstract void end();

  /**
   * Adds a fire, unless the handler is closed or its release parameters say no.
   *
   * <p>With release parameters the arrival comes first and the fire is counted after it, outside
   * the queue's lock. A fire that replaces an arrival counts none, so if the one who brought that
   * arrival was stopped in between, the handler is released when that one goes on.
   *
   * @return {@link Arrival#ACCEPTED} without release parameters; {@link Arrival#IGNORED} if it is
   *     closed
   */
  final Arrival release() {
    Arrival arrival =
        releases == null || pending.get() < 0 ? Arrival.ACCEPTED : releases.arrive(nowNs());
    if (arrival != Arrival.ACCEPTED && arrival != Arrival.SAVED) {
      if (arrival == Arrival.REPLACED && ready.isQueued()) {
        wakeAgain();
      }
      return arrival;
    }
    return fire() < 0 ? Arrival.IGNORED : arrival;
  }

  /** Counts a fire and wakes a thread for it if need be; returns {@link #pending} before. */
  private long fire() {
    long before = count();
    if (before < 0) {
      refused.getAndIncrement();
    } else if (ready.makeReady()) {
      queueUp();
      wake();
    } else if (ready.isQueued()) {
      wakeAgain(); // the thread that fired before may have been stopped before it woke another one
    }
    return before;
  }

  /** Counts a fire, unless the handler is closed; returns {@link #pending} before. */
  final long count() {
    while (true) {
      long seen = pending.get();
      if (seen < 0 || pending.compareAndSet(seen, seen + 1)) {
        return seen;
      }
    }
  }

  /**
   * Returns how long it takes until what is pending may be handled: 0 unless release parameters put
   * it off. Without anything pending, 0.
   */
  final long dueInNs() {
    return releases == null || getPendingFireCount() == 0 ? 0 : releases.dueInNs(nowNs());
  }

  /**
   * Claims a fire whose time has come.
   *
   * @return whether the caller is to run the handler, by {@link #runClaimed}
   */
  final boolean claim() {
    if (!ready.claim()) {
      return false;
    }
    if (getAndDecrement() == 0) {
      finish();
      return false;
    }
    if (releases != null && !releases.beginDue(nowNs())) {
      pending.getAndIncrement();
      ready.requeue();
      return false;
    }
    return true;
  }

  /**
   * Handles the fire that was claimed.
   *
   * @return whether to look again: more are pending, or came meanwhile
   */
  final boolean runClaimed() {
    runner = Thread.currentThread();
    Throwable failure = null;
    try {
      logic.handle(this);
    } catch (Throwable e) { // whatever it is: the handler's thread serves later fires, too
      failure = e;
    }
    if (releases != null) {
      // Judged without what the failure handler takes.
      releases.end(nowNs(), failure == null ? ReleaseOutcome.COMPLETED : ReleaseOutcome.FAILED);
    }
    if (failure != null) {
      report(failure);
    }
    Thread.interrupted(); // meant the logic; it would keep the thread from sleeping
    runner = null;
    handled = handled + 1;
    return finish();
  }

  /** Gives the claim back, or ends the handler; returns whether it is queued again. */
  private boolean finish() {
    long left = pending.get();
    if (left == CLOSED) {
      hasEnded = true;
      end();
      ended.countDown();
      return false;
    }
    return ready.finish((left & ~CLOSED) != 0);
  }

  private void report(Throwable failure) {
    lastFailure = failure;
    failures = failures + 1;
    try {
      settings.failureHandler().onFailure(this, failure);
    } catch (Throwable ignored) { // the failure itself is counted and kept
      lastFailure = failure;
    }
  }

  /** Returns whether it is closed and what was pending is handled. */
  final boolean isEnded() {
    return hasEnded;
  }

  /** Returns its name. */
  @Override
  public final String name() {
    return settings.name();
  }

  @Override
  public final int priority() {
    return settings.scheduling().priority();
  }

  /**
   * Returns which fires become releases, and when.
   *
   * @throws IllegalStateException if it has no release parameters
   */
  @Override
  public final ReleaseParameters parameters() {
    if (releases == null) {
      throw new IllegalStateException(
          "handler " + name() + " has no release parameters (remedy: withRelease(Sporadic..))");
    }
    return releases.parameters();
  }

  @Override
  public final @Nullable RunningRelease running() {
    return releases == null ? null : releases.running();
  }

  /** Returns what it was made with. */
  public final HandlerSettings settings() {
    return settings;
  }

  /** Returns how many fires wait to be handled, without the one that is being handled. */
  public final long getPendingFireCount() {
    return pending.get() & ~CLOSED;
  }

  /**
   * Takes one pending fire, if there is one, without running the logic for it; returns how many
   * there were.
   */
  public final long getAndDecrementPendingFireCount() {
    long before = getAndDecrement();
    drop(Math.min(before, 1));
    return before;
  }

  private long getAndDecrement() {
    while (true) {
      long seen = pending.get();
      long count = seen & ~CLOSED;
      if (count == 0 || pending.compareAndSet(seen, seen - 1)) {
        return count;
      }
    }
  }

  /** Takes all pending fires without running the logic for them; returns how many there were. */
  public final long getAndClearPendingFireCount() {
    long before = pending.getAndUpdate(seen -> seen & CLOSED) & ~CLOSED;
    drop(before);
    return before;
  }

  private void drop(long count) {
    if (releases != null) {
      releases.dropArrivals(count);
    }
  }

  /**
   * Adds a pending fire, as if an event had fired, unless it is closed; returns how many there
   * were.
   */
  public final long getAndIncrementPendingFireCount() {
    if (releases != null) {
      long before = getPendingFireCount();
      release();
      return before;
    }
    return fire() & ~CLOSED;
  }

  /** Returns how often the logic has run, also if it has thrown. */
  public final long handledCount() {
    return handled;
  }

  /** Returns how many fires came after it was closed. */
  public final long refusedCount() {
    return refused.get();
  }

  /** Returns how many pending fires {@link #closeNow} has discarded. */
  public final long discardedCount() {
    return discarded.get();
  }

  /**
   * Returns how many releases ended after their deadline; 0 without release parameters that have
   * one.
   */
  public final long missCount() {
    return releases == null ? 0 : releases.misses();
  }

  /**
   * Returns how many releases took more processor time than their budget; 0 without release
   * parameters that have one, and where there is a {@link #shortfall}.
   */
  public final long overrunCount() {
    return releases == null ? 0 : releases.overruns();
  }

  /** Returns why overruns of the budget are not counted; null: they are, or there is no budget. */
  public final @Nullable Shortfall shortfall() {
    return releases == null ? null : releases.shortfall();
  }

  /** Returns how many fires have had this result, by the release parameters; 0 without any. */
  public final long arrivalCount(Arrival arrival) {
    return releases == null ? 0 : releases.count(arrival);
  }

  /** Returns how often the logic has thrown. */
  public final long failureCount() {
    return failures;
  }

  /** Returns what the logic has thrown last; null if it never has. */
  public final @Nullable Throwable lastFailure() {
    return lastFailure;
  }

  /**
   * Refuses further fires, and waits until the pending ones are handled and the handler has let go
   * of its thread; or until the caller is interrupted (its interrupt status stays set). Does not
   * wait when called by its own logic, or by a thread of the pool that it runs on.
   */
  @Override
  public final void close() {
    close(false);
  }

  /** As {@link #close}, but pending fires are discarded. */
  public final void closeNow() {
    close(true);
  }

  private void close(boolean discard) {
    beginClose(discard);
    if (runner != Thread.currentThread() && !isServedByCaller()) {
      awaitEnd();
    }
  }

  /**
   * Refuses further fires, and does not wait. If nothing is left and no thread runs the handler, it
   * ends at once.
   */
  final void beginClose(boolean discard) {
    long before = pending.getAndUpdate(seen -> discard ? CLOSED : seen | CLOSED);
    if (discard) {
      discarded.getAndAdd(before & ~CLOSED);
    }
    if (ready.makeReady()) { // if not, the thread that runs the handler looks again
      queueUp();
    }
    // While something is pending it stays queued: claimed, it would lose its turn to a lower one.
    if (pending.get() == CLOSED && ready.claim() && !finish()) {
      return;
    }
    wake(); // a thread that waits for the time of a release that is discarded, too
  }

  private void awaitEnd() {
    Await.orInterrupt(
        () -> {
          ended.await();
          joinThread();
        });
  }

  /** Returns whether the handler may need the calling thread to come to its end. */
  abstract boolean isServedByCaller();

  /** Waits for the end of a thread of its own, if it has one. */
  abstract void joinThread() throws InterruptedException;
}
