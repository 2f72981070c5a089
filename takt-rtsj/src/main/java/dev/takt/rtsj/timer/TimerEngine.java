package dev.takt.rtsj.timer;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.internal.Fields;
import dev.takt.rtsj.event.AsyncEvent;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What timers do, without a thread: takes changes from any thread, fires what is due when polled,
 * and says when to poll again.
 *
 * <p>A thread that changes a timer sets its word (see {@link Timer}) and puts it on a stack; the
 * thread that polls takes all that are on it and brings its queues up to date. So no thread waits
 * for another, and the queues belong to one thread.
 *
 * <p><b>Thread rule:</b> one thread polls; the rest is for any thread. Polling and changing timers
 * allocate nothing; making one does.
 */
final class TimerEngine {
  /** No timer waits: poll again when one has been changed. */
  static final long NEVER = Long.MAX_VALUE;

  /** How many clocks there can be. */
  static final int MAX_CLOCKS = 8;

  private static final VarHandle CHANGED =
      Fields.handle(MethodHandles.lookup(), TimerEngine.class, "changed", Timer.class);

  private final NanoClock clock;
  private final int maxTimers;
  private final long clockCheckNs;
  private final Runnable waker;
  private final AtomicInteger timers = new AtomicInteger();
  private volatile boolean closed;

  /** Replaced under this engine's monitor, when a timer by a new clock is made. */
  private volatile TimerQueue[] queues = {};

  /** The timer that was changed last, linked to the one before. Set through {@link #CHANGED}. */
  private volatile @Nullable Timer changed;

  TimerEngine(NanoClock clock, int maxTimers, long clockCheckNs, Runnable waker) {
    this.clock = clock;
    this.maxTimers = maxTimers;
    this.clockCheckNs = clockCheckNs;
    this.waker = waker;
  }

  /** Makes a timer; see {@link TimerService}. */
  Timer make(AsyncEvent event, TimerClock by, boolean relative, long startNs, long intervalNs) {
    TimerQueue queue = queueOf(by);
    Timer timer = new Timer(this, queue, event, relative, startNs, intervalNs);
    admit();
    return timer;
  }

  /** Called when polling has ended: no timer is to be started. */
  void close() {
    closed = true;
  }

  boolean isClosed() {
    return closed;
  }

  private void admit() {
    int seen;
    do {
      seen = timers.get();
      if (seen >= maxTimers) {
        throw new IllegalStateException(
            "timers=%s (limit: maxTimers=%s; close timers or raise TimerSettings.maxTimers)"
                .formatted(seen + 1, maxTimers));
      }
    } while (!timers.compareAndSet(seen, seen + 1));
  }

  /** Makes room for another timer; called once for each, when it has been closed. */
  void dismiss() {
    timers.getAndDecrement();
  }

  private synchronized TimerQueue queueOf(TimerClock by) {
    TimerQueue known = queueIfAny(by);
    if (known != null) {
      return known;
    }
    TimerQueue[] seen = queues;
    if (seen.length == MAX_CLOCKS) {
      throw new IllegalStateException(
          "clocks=%s (limit: %s; share TimerClock objects or use another TimerService)"
              .formatted(MAX_CLOCKS + 1, MAX_CLOCKS));
    }
    TimerQueue[] next = Arrays.copyOf(seen, seen.length + 1);
    next[seen.length] = new TimerQueue(by, maxTimers);
    queues = next;
    return next[seen.length];
  }

  /** Returns how many timers there are that have not been closed. */
  int timerCount() {
    return timers.get();
  }

  /**
   * Puts a timer whose word has changed on the stack, unless it is there, and wakes the polling
   * thread.
   */
  void change(Timer timer) {
    if (!timer.enlist()) {
      return;
    }
    Timer seen;
    do {
      seen = changed;
      timer.nextChanged = seen;
    } while (!CHANGED.compareAndSet(this, seen, timer));
    waker.run();
  }

  /**
   * Fires what is due. A clock whose reading throws is counted, and asked again after {@code
   * clockCheckNs}; the timers of other clocks go on.
   *
   * @return when to poll again at the latest, by the clock to sleep by; {@link #NEVER}: after the
   *     next change
   */
  long poll() {
    applyChanges();
    long wakeNs = NEVER;
    for (TimerQueue queue : queues) {
      if (queue.isEmpty()) {
        continue;
      }
      long sleepClockNs = clock.nanoTime();
      long waitNs = clockCheckNs;
      if (queue.readClock()) {
        long nowNs = queue.nowNs();
        // One reading for all: no timer expires twice, so that this ends.
        while (!queue.isEmpty() && queue.first().dueNs() - nowNs <= 0) {
          queue.first().expire(nowNs - queue.first().dueNs());
        }
        if (queue.isEmpty()) {
          continue;
        }
        long dueInNs = queue.first().dueNs() - nowNs;
        waitNs = queue.clock().steady() ? dueInNs : Math.min(dueInNs, clockCheckNs);
      }
      wakeNs = earlier(wakeNs, sleepClockNs + waitNs);
    }
    return wakeNs;
  }

  /** Returns how often the reading of a clock has thrown when the timers by it were polled. */
  long failures(TimerClock by) {
    TimerQueue queue = queueIfAny(by);
    return queue == null ? 0 : queue.failures();
  }

  /** Returns what the reading of a clock has thrown last; null: nothing. */
  @Nullable Throwable failure(TimerClock by) {
    TimerQueue queue = queueIfAny(by);
    return queue == null ? null : queue.failure();
  }

  private @Nullable TimerQueue queueIfAny(TimerClock by) {
    for (TimerQueue queue : queues) {
      if (queue.clock().equals(by)) {
        return queue;
      }
    }
    return null;
  }

  /** The one that comes first; a time that happens to be {@link #NEVER} is taken 1 ns earlier. */
  private static long earlier(long wakeNs, long otherNs) {
    long timeNs = otherNs == NEVER ? NEVER - 1 : otherNs;
    return wakeNs == NEVER ? timeNs : wakeNs + Math.min(0, timeNs - wakeNs);
  }

  private void applyChanges() {
    Timer timer = (Timer) CHANGED.getAndSet(this, null);
    // Closed ones first: a queue has no more room than for those that are not.
    for (Timer each = timer; each != null; each = each.nextChanged) {
      each.applyClose();
    }
    while (timer != null) {
      Timer next = timer.nextChanged;
      timer.nextChanged = null;
      timer.delist(); // from here on a further change puts it on the stack again
      timer.apply();
      timer = next;
    }
  }
}
