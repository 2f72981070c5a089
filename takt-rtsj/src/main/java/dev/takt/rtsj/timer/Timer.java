package dev.takt.rtsj.timer;

import dev.takt.realtime.internal.Ranges;
import dev.takt.rtsj.event.AsyncEvent;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Fires an event when a clock shows a time, once or again and again; the RTSJ's {@code
 * OneShotTimer} (interval 0) and {@code PeriodicTimer}.
 *
 * <p>It is made by a {@link TimerService} and does nothing until it is started. Then it is
 * <em>active</em>, until it is stopped or, without an interval, its time has come. While it is
 * active it can be disabled: its time goes on, but it does not fire. It can be started again.
 *
 * <p><b>Guarantees.</b> (1) It never fires before its clock shows the time. (2) Ticks of a periodic
 * timer are at start + k × interval, whatever was late before. Ticks that were missed, because the
 * service's thread could not run or the clock was set, are counted, not made up for. (3) For each
 * start of a timer without interval either the event is fired once (if it is enabled) or one {@link
 * #stop} returns true. A tick of a periodic timer that is under way may still fire the event just
 * after {@code stop} has returned.
 *
 * <p><b>Thread rule.</b> Any thread. Threads that control one timer at the same moment exclude each
 * other by its monitor, which the service never enters.
 *
 * <p><b>Memory.</b> Once made, nothing allocates.
 *
 * {@snippet :
 * AsyncEvent frame = new AsyncEvent("frame");
 * try (TimerService service = TimerService.start(TimerSettings.of("timers", ThreadScheduling.fifo(60)));
 *     Timer timer = service.periodic(frame, 0, 50_000_000)) {
 *   timer.start();
 * }
 * }
 */
public final class Timer implements AutoCloseable {
  /** What {@link #nextFireNs} returns while the timer is not active. */
  public static final long NEVER = TimerEngine.NEVER;

  /**
   * The longest delay and interval: about 73 years. Beyond it differences of times would overflow.
   */
  public static final long MAX_DELAY_NS = Long.MAX_VALUE / 4;

  /**
   * The shortest interval. A thread that was to fire more often would never sleep, and a real-time
   * thread that never sleeps is stopped by the kernel. This is for one timer; several short ones of
   * one service together may still keep its thread awake.
   */
  public static final long MIN_INTERVAL_NS = 10_000;

  private static final long ACTIVE = 1;
  private static final long ENABLED = 2;
  private static final long CLOSED = 4;
  private static final long FLAGS = 7;
  private static final long GENERATION = 8;

  private final TimerEngine engine;
  private final TimerQueue queue;
  private final AsyncEvent event;

  /** How the next start, or reschedule, finds its time. Guarded by this timer's monitor. */
  private boolean relative;

  private long startNs;

  /**
   * The flags, and above them a generation that grows with each change of the time or of activity:
   * by it the engine sees that what it has in its queue is out of date. The engine itself only
   * clears {@link #ACTIVE}.
   */
  private final AtomicLong word = new AtomicLong();

  /** The first time of the generation that comes next or is current; written before the word. */
  private volatile long targetNs;

  private volatile long intervalNs;

  /** The engine's: when it is due next, the generation that this belongs to, its counts. */
  private volatile long dueNs;

  private volatile long appliedWord;
  private volatile long fires;
  private volatile long missed;
  int heapIndex = TimerQueue.ABSENT;

  /** The engine's stack of changed timers. */
  @Nullable Timer nextChanged;

  private final AtomicBoolean enlisted = new AtomicBoolean();

  Timer(
      TimerEngine engine,
      TimerQueue queue,
      AsyncEvent event,
      boolean relative,
      long startNs,
      long intervalNs) {
    this.engine = engine;
    this.queue = queue;
    this.event = event;
    this.relative = relative;
    this.startNs = startNs;
    this.intervalNs = checkIntervalNs(intervalNs);
    if (relative) {
      checkDelayNs(startNs);
    } else {
      checkTimeNs(startNs);
    }
  }

  /**
   * Makes it active: a relative start counts from now; an absolute one that has passed fires at
   * once.
   *
   * @throws IllegalStateException if it is active already, or it or its service is closed
   */
  public void start() {
    start(true);
  }

  /**
   * As {@link #start}, but disabled: its time goes on, and it does not fire until {@link #enable}.
   */
  public void startDisabled() {
    start(false);
  }

  private synchronized void start(boolean enabled) {
    long seen = checkOpen();
    if (engine.isClosed()) {
      throw new IllegalStateException(
          "the service of the timer of "
              + event.name()
              + " is closed; make a timer of another one");
    }
    if (isActive(seen)) {
      throw new IllegalStateException("the timer of " + event.name() + " is active; stop it first");
    }
    targetNs = relative ? clock().nowNs() + startNs : startNs;
    word.set((seen & ~ENABLED) + GENERATION + ACTIVE + (enabled ? ENABLED : 0));
    engine.change(this);
  }

  /**
   * Makes it inactive.
   *
   * @return whether it was active and enabled
   */
  public synchronized boolean stop() {
    checkOpen();
    long seen = word.getAndUpdate(each -> isActive(each) ? (each & ~FLAGS) + GENERATION : each);
    if (!isActive(seen)) {
      return false;
    }
    engine.change(this);
    return (seen & ENABLED) != 0;
  }

  /** Lets an active timer fire again when its time comes. Does nothing if it is not active. */
  public void enable() {
    setEnabled(true);
  }

  /** Keeps an active timer from firing; its time goes on. Does nothing if it is not active. */
  public void disable() {
    setEnabled(false);
  }

  /** Also if it is not active: then no thread reads it, and its next start sets it. */
  private synchronized void setEnabled(boolean enabled) {
    checkOpen();
    word.getAndUpdate(enabled ? seen -> seen | ENABLED : seen -> seen & ~ENABLED);
  }

  /** Returns whether it is active and enabled. */
  public boolean isRunning() {
    return (word.get() & (ACTIVE | ENABLED)) == (ACTIVE | ENABLED);
  }

  /**
   * Lets it fire after a delay from now, if it is active; if not, the delay counts from its next
   * start.
   *
   * @param delayNs in nanoseconds, 0 to {@link #MAX_DELAY_NS}
   * @return whether it was active
   */
  public synchronized boolean rescheduleAfter(long delayNs) {
    startNs = checkDelayNs(delayNs);
    relative = true;
    return retarget();
  }

  /**
   * Lets it fire at another time, now if it is active, otherwise after its next start.
   *
   * @param timeNs by its clock; if it has passed, the timer fires at once; no farther than {@link
   *     #MAX_DELAY_NS} from what the clock shows
   * @return whether it was active
   */
  public synchronized boolean rescheduleAt(long timeNs) {
    startNs = checkTimeNs(timeNs);
    relative = false;
    return retarget();
  }

  private boolean retarget() {
    while (true) {
      long seen = checkOpen();
      if (!isActive(seen)) {
        return false;
      }
      targetNs = relative ? clock().nowNs() + startNs : startNs;
      if (word.compareAndSet(seen, seen + GENERATION)) {
        engine.change(this);
        return true;
      }
    }
  }

  /**
   * Sets the interval; if it is active, it holds from its next tick on.
   *
   * @param intervalNs in nanoseconds, {@link #MIN_INTERVAL_NS} to {@link #MAX_DELAY_NS}; or 0: it
   *     fires once more and is inactive then
   */
  public void setIntervalNs(long intervalNs) {
    this.intervalNs = checkIntervalNs(intervalNs);
  }

  /** Returns the interval in nanoseconds; 0: it fires once. */
  public long intervalNs() {
    return intervalNs;
  }

  /** Returns when its next tick is, by its clock; {@link #NEVER} if it is not active. */
  public long nextFireNs() {
    long seen = word.get();
    if (!isActive(seen)) {
      return NEVER;
    }
    return isApplied(seen) ? dueNs : targetNs;
  }

  /** Returns how often it has fired its event. */
  public long fireCount() {
    return fires;
  }

  /** Returns how many ticks it has missed: time had passed them when the service came to them. */
  public long missedTicks() {
    return missed;
  }

  /** Returns the event that it fires. */
  public AsyncEvent event() {
    return event;
  }

  /** Returns the clock that it goes by. */
  public TimerClock clock() {
    return queue.clock();
  }

  /** Stops it for good, and makes room for another one in its service. */
  @Override
  public synchronized void close() {
    if ((word.get() & CLOSED) == 0) {
      word.getAndUpdate(seen -> (seen & ~FLAGS) + GENERATION + CLOSED);
      engine.change(this);
      engine.dismiss(); // after the change, so that the queue has room for the next one
    }
  }

  @Override
  public String toString() {
    return "timer of " + event.name() + ", every " + intervalNs + " ns, next " + nextFireNs();
  }

  private static boolean isActive(long word) {
    return (word & ACTIVE) != 0;
  }

  private long checkOpen() {
    long seen = word.get();
    if ((seen & CLOSED) != 0) {
      throw new IllegalStateException("the timer of " + event.name() + " is closed; make another");
    }
    return seen;
  }

  private static long checkDelayNs(long delayNs) {
    return Ranges.check("delayNs", delayNs, 0, MAX_DELAY_NS);
  }

  /** Farther off, a time that has passed could not be distinguished from one to come. */
  private long checkTimeNs(long timeNs) {
    long nowNs = clock().nowNs();
    long fromNowNs = timeNs - nowNs;
    if (fromNowNs < -MAX_DELAY_NS || fromNowNs > MAX_DELAY_NS) {
      throw new IllegalArgumentException(
          "timeNs=%s (expected: no more than %s before or after %s, which the clock shows)"
              .formatted(timeNs, MAX_DELAY_NS, nowNs));
    }
    return timeNs;
  }

  private static long checkIntervalNs(long intervalNs) {
    if (intervalNs != 0 && (intervalNs < MIN_INTERVAL_NS || intervalNs > MAX_DELAY_NS)) {
      throw new IllegalArgumentException(
          "intervalNs=%s (expected: 0, which is once, or %s to %s)"
              .formatted(intervalNs, MIN_INTERVAL_NS, MAX_DELAY_NS));
    }
    return intervalNs;
  }

  // What follows is for the thread that polls the engine.

  long dueNs() {
    return dueNs;
  }

  void dueNs(long dueNs) {
    this.dueNs = dueNs;
  }

  /** Returns true to the thread that may put it on the stack of changed timers. */
  boolean enlist() {
    return !enlisted.getAndSet(true);
  }

  void delist() {
    enlisted.set(false);
  }

  /** Takes it out of its queue if it is closed. */
  void applyClose() {
    if ((word.get() & CLOSED) != 0) {
      queue.remove(this);
    }
  }

  /** Brings its queue up to date. */
  void apply() {
    long seen = word.get();
    if (isApplied(seen)) {
      return;
    }
    if (isActive(seen)) {
      queue.put(this, targetNs);
    } else {
      queue.remove(this);
    }
    appliedWord = seen;
  }

  /** Does what its time calls for, which has come {@code lateNs} ago. */
  void expire(long lateNs) {
    long everyNs = intervalNs;
    while (true) {
      long seen = word.get();
      if (!isApplied(seen)) {
        queue.remove(this); // it was changed, and is or will be on the stack
        return;
      }
      if (everyNs != 0 || word.compareAndSet(seen, seen & ~(ACTIVE | ENABLED))) {
        next(everyNs, lateNs);
        if ((seen & ENABLED) != 0) {
          fires = fires + 1;
          event.tryFire();
        }
        return;
      }
    }
  }

  private void next(long everyNs, long lateNs) {
    if (everyNs == 0) {
      queue.remove(this);
      return;
    }
    long skipped = lateNs / everyNs;
    missed = missed + skipped;
    queue.put(this, dueNs + (skipped + 1) * everyNs);
  }

  /** Whether the queue knows this word's generation. */
  private boolean isApplied(long seen) {
    return ((seen ^ appliedWord) & ~FLAGS) == 0;
  }
}
