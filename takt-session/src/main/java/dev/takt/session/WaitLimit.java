package dev.takt.session;

import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Ends the waits of one kind that take too long, at the nanosecond at which they do, without a
 * timer for each of them.
 *
 * <p><b>Purpose.</b> A connection waits for every line, and nearly each wait is short. A timer for
 * each wait costs more than the line: it is put into a queue and taken out of it. Here a wait costs
 * a look at the clock and an atomic operation.
 *
 * <p><b>How.</b> A wait writes when it has to be over. One look at it is planned at a time, for the
 * moment at which the wait that planned it has to be over. The look finds no wait, or one that has
 * time left, for which the next look is planned, or one that is over time. The latter may be
 * excused ({@link #excuse}): it goes on for some time more, as if it had begun later. Where a wait
 * may be long and has just begun, all limits of the process have one timer: a tenth of a second
 * later those that still wait get their own. So a connection that ends sooner has none.
 *
 * <p><b>Guarantees.</b> Of a wait that is over time, either {@link #end} returns true and {@code
 * exceeded} is called, or neither. A wait begins after the one before it has ended. Where a timer
 * cannot be made, for want of memory, {@link #begin} throws and no wait has begun, or the wait that
 * is going on has no limit; later ones have.
 *
 * <p><b>Thread rule.</b> One thread waits at a time; {@link #close} is for any. {@code exceeded} is
 * called by a thread of the JDK, or in a step of stepped sessions, and must not wait; so is what
 * excuses. If one of both throws, that is logged; what excuses has not excused then. <b>Memory.</b>
 * 48 bytes, and some 150 while it has a timer. A limit that is closed may be kept for a tenth of a
 * second.
 *
 * {@snippet :
 * limit.begin();
 * try {
 *   count = in.read(buffer); // exceeded closes the connection
 * } finally {
 *   if (limit.end()) {
 *     throw new SocketTimeoutException();
 *   }
 * }
 * }
 */
public final class WaitLimit implements AutoCloseable {
  private static final long NONE = Long.MAX_VALUE;
  private static final long EXCEEDED = Long.MIN_VALUE;

  /** How long limits whose waits have begun have one timer. */
  private static final long TOGETHER_NS = 100_000_000;

  /** The last of these limits; each knows the one before. */
  private static final AtomicReference<@Nullable WaitLimit> TOGETHER = new AtomicReference<>();

  private static final VarHandle END_NS;
  private static final VarHandle IS_LOOK_PLANNED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      END_NS = lookup.findVarHandle(WaitLimit.class, "endNs", long.class);
      IS_LOOK_PLANNED = lookup.findVarHandle(WaitLimit.class, "isLookPlanned", boolean.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private final long limitNs;
  private final Runnable exceeded;
  private volatile LongUnaryOperator moreNs = _ -> 0;

  /** When the present wait has to be over, or one of the marks. */
  private volatile long endNs = NONE;

  private volatile boolean isLookPlanned;

  /** To take it back; another one may be in its place already. */
  private volatile Suspension.@Nullable Timer lookTimer;

  private volatile boolean closed;

  /** Of those that have one timer: who looks at them has taken all out of the list before. */
  private @Nullable WaitLimit before;

  /**
   * Makes a limit.
   *
   * @param limitNs how long one wait may take, in nanoseconds; zero: without end
   * @param exceeded called when one takes longer
   */
  public WaitLimit(long limitNs, Runnable exceeded) {
    this.limitNs = limitNs;
    this.exceeded = exceeded;
  }

  /**
   * Lets waits go on that have taken as long as they may; is for any thread.
   *
   * @param moreNs is given the time when a wait has taken that long, and returns for how long it
   *     may go on, in nanoseconds, until this is asked again; zero or less: it is over time
   */
  public void excuse(LongUnaryOperator moreNs) {
    this.moreNs = moreNs;
  }

  /**
   * Begins the only wait of a limit, which ends when that is closed.
   *
   * {@snippet :
   * try (WaitLimit _ = WaitLimit.within(SECOND_NS, connection::close)) {
   *   connection.sayGoodbye();
   * }
   * }
   */
  public static WaitLimit within(long limitNs, Runnable exceeded) {
    WaitLimit limit = new WaitLimit(limitNs, exceeded);
    limit.begin();
    return limit;
  }

  /** Begins a wait. */
  public void begin() {
    if (limitNs == 0) {
      return;
    }
    // the marks are no times: a clock that shows one of them has counted for 292 years
    endNs = Suspension.now() + limitNs;
    if (plansLook()) {
      try {
        planFirstLook();
      } catch (Throwable noTimer) {
        endNs = NONE;
        throw noTimer;
      }
    }
  }

  /** Returns whether the present wait was over time, or the last one was when this was closed. */
  public boolean isExceeded() {
    return endNs == EXCEEDED;
  }

  /** Returns whether a wait is going on that is not over time. */
  boolean isWaiting() {
    long end = endNs;
    return end != NONE && end != EXCEEDED;
  }

  /**
   * Ends the wait.
   *
   * @return whether it was over time
   */
  public boolean end() {
    return limitNs != 0 && (long) END_NS.getAndSet(this, NONE) == EXCEEDED;
  }

  /** Ends a wait that is going on, and takes back what is planned; nothing is planned any more. */
  @Override
  public void close() {
    closed = true;
    long end = endNs;
    while (end != EXCEEDED && !END_NS.compareAndSet(this, end, NONE)) {
      end = endNs;
    }
    Suspension.Timer timer = lookTimer;
    if (timer != null) {
      timer.cancel();
    }
  }

  /** Returns whether the caller is to plan a look, since none is planned. */
  private boolean plansLook() {
    return !isLookPlanned && IS_LOOK_PLANNED.compareAndSet(this, false, true);
  }

  private void planFirstLook() {
    if (limitNs < 2 * TOGETHER_NS || Suspension.isStepped()) {
      planLook(limitNs);
    } else {
      planLookTogether();
    }
  }

  private void planLookTogether() {
    WaitLimit last;
    do {
      last = TOGETHER.get();
      before = last;
    } while (!TOGETHER.compareAndSet(last, this));
    if (last == null) {
      try {
        // on the thread of the JDK's timers itself: the common pool may have no thread for this
        CompletableFuture.delayedExecutor(TOGETHER_NS, TimeUnit.NANOSECONDS, Runnable::run)
            .execute(WaitLimit::lookTogether);
      } catch (Throwable noTimer) {
        lookTogether(); // else none that comes later would have a timer
        throw noTimer;
      }
    }
  }

  private static void lookTogether() {
    WaitLimit each = TOGETHER.getAndSet(null);
    while (each != null) {
      WaitLimit next = each.before; // read first: after the look it may be in the next list
      each.before = null;
      try {
        each.look();
      } catch (RuntimeException | Error ofOne) {
        // as of one that has a timer of its own: the others go on
      }
      each = next;
    }
  }

  private void planLook(long delayNs) {
    try {
      Suspension.Timer timer = Suspension.timer(this::look);
      lookTimer = timer; // before it can be over, and the next one be planned
      timer.start(delayNs);
      if (closed) {
        timer.cancel();
      }
    } catch (Throwable noTimer) {
      isLookPlanned = false; // else no later wait would have a look
      throw noTimer;
    }
  }

  private void look() {
    isLookPlanned = false;
    // a wait that begins from here on plans a look itself
    long end = endNs;
    if (end == NONE || end == EXCEEDED) {
      return;
    }
    long nowNs = Suspension.now();
    long leftNs = end - nowNs;
    if (leftNs <= 0) {
      leftNs = excusedNs(nowNs);
      if (!END_NS.compareAndSet(this, end, leftNs > 0 ? nowNs + leftNs : EXCEEDED)) {
        return; // it has ended
      }
    }
    if (leftNs == 0) {
      tellExceeded();
    } else if (!closed && plansLook()) {
      planLook(Math.min(leftNs, limitNs)); // the next wait is not excused
    }
  }

  private long excusedNs(long nowNs) {
    try {
      return Math.max(0, moreNs.applyAsLong(nowNs));
    } catch (RuntimeException | Error failure) {
      log("what was to excuse a wait has failed; the wait is over time", failure);
      return 0;
    }
  }

  private void tellExceeded() {
    try {
      exceeded.run();
    } catch (RuntimeException | Error failure) {
      log("what was to end a wait that is over time has failed", failure);
    }
  }

  private static void log(String what, Throwable failure) {
    try {
      System.getLogger(Sessions.LOG).log(Level.WARNING, what, failure);
    } catch (RuntimeException | Error ofLog) {
      // it may be short of the same; the wait ends all the same
    }
  }
}
