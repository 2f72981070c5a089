package dev.takt.realtime.monitor;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.Sleeper;
import dev.takt.realtime.os.OperatingSystem;
import org.jspecify.annotations.Nullable;

/**
 * What monitors keep about a thread; made when it enters its first one.
 *
 * <p><b>Thread rule:</b> the thread itself, but what is volatile is read, and its sleeper woken, by
 * others.
 */
final class MonitorThread {
  private static final int KNOWN_SHIFT = 7;

  /** Above all priorities. */
  private static final int UNKNOWN = (1 << KNOWN_SHIFT) - 1;

  private static final ThreadLocal<MonitorThread> CURRENT =
      ThreadLocal.withInitial(() -> new MonitorThread(Thread.currentThread()));

  final Thread thread;

  /** The operating system's number; 0 if unknown, and for a virtual thread, which has none. */
  final int threadId;

  /** The ceilings it is under. */
  final CeilingStack ceilings = new CeilingStack();

  /** Its place among those that wait for a monitor, where that is a queue of ours. */
  final WaitNode entry = new WaitNode(this);

  /** Its place among those that wait for a condition; only for itself. */
  WaitNode condition = new WaitNode(this);

  /** What it is about to wait for or waits for; by this circles are found. */
  volatile @Nullable InheritanceMonitor waitsFor;

  /**
   * Its own priority, and above it as of which change ({@link Priorities#changes}) it was read: in
   * one word, because any thread reads and writes it.
   */
  private volatile long known = -1L << KNOWN_SHIFT | UNKNOWN;

  private @Nullable NanoClock sleeperClock;
  private @Nullable Sleeper sleeper;

  private MonitorThread(Thread thread) {
    this.thread = thread;
    this.threadId = thread.isVirtual() ? 0 : OperatingSystem.current().threadId();
  }

  static MonitorThread current() {
    return CURRENT.get();
  }

  /** Returns what it sleeps with by a clock; a change of clocks makes a new one. */
  Sleeper sleeper(NanoClock clock) {
    Sleeper known = sleeper;
    if (known == null || clock != sleeperClock) {
      known = clock.newSleeper();
      sleeper = known;
      sleeperClock = clock;
    }
    return known;
  }

  /**
   * Leaves its place in a queue that it may not touch any more, and takes another one. A signal
   * passes over what it left.
   */
  void abandonCondition() {
    condition.abandon();
    condition = new WaitNode(this);
  }

  /** Returns its own priority; negative: it is not known, or some priority was set since. */
  int knownPriority(long changes) {
    long word = known;
    int priority = (int) (word & UNKNOWN);
    return word >> KNOWN_SHIFT == changes && priority != UNKNOWN ? priority : -1;
  }

  void knowPriority(int priority, long changes) {
    known = changes << KNOWN_SHIFT | priority;
  }

  /** What was known before a change is known after it. */
  void knowsPriority(long changesBefore, long changes) {
    int priority = knownPriority(changesBefore);
    if (priority >= 0) {
      knowPriority(priority, changes);
    }
  }

  boolean hasDied() {
    return !thread.isAlive();
  }

  @Override
  public String toString() {
    return threadId == 0
        ? "thread \"" + thread.getName() + "\""
        : "thread \"" + thread.getName() + "\" (tid " + threadId + ")";
  }
}
