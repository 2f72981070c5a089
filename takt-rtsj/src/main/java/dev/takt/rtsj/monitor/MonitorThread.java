package dev.takt.rtsj.monitor;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.internal.Fields;
import dev.takt.realtime.os.Sleeper;
import dev.takt.rtsj.local.ThreadWithRecord;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What monitors keep about a thread; made when it enters its first one.
 *
 * <p><b>Thread rule:</b> the thread itself, but what is volatile is read, and its sleeper woken, by
 * others.
 */
final class MonitorThread {
  /** That it has not waited: no wait takes so long. */
  static final long NO_WAIT = Long.MIN_VALUE;

  private static final int KNOWN_SHIFT = 7;

  /** Above all priorities. */
  private static final int UNKNOWN = (1 << KNOWN_SHIFT) - 1;

  /** Of the threads that have no room for it themselves. */
  private static final ThreadLocal<MonitorThread> CURRENT =
      ThreadLocal.withInitial(() -> new MonitorThread(Thread.currentThread()));

  private static final VarHandle KNOWN =
      Fields.handle(MethodHandles.lookup(), MonitorThread.class, "known", long.class);

  /** How many threads that have used monitors {@linkplain #mayLinger may linger}; never fewer. */
  private static final AtomicInteger LINGERING = new AtomicInteger();

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
  private volatile long known = UNKNOWN;

  /** Whether it is inside a listener; only for itself. */
  boolean tells;

  private long waitedNs = NO_WAIT;
  private @Nullable MonitorThread waitedFor;
  private boolean waitedInVain;

  private @Nullable NanoClock sleeperClock;
  private @Nullable Sleeper sleeper;

  private MonitorThread(Thread thread) {
    this.thread = thread;
    this.threadId = thread.isVirtual() ? 0 : OperatingSystems.current().threadId();
    if (threadId != 0 && mayLinger(thread)) {
      LINGERING.getAndIncrement();
    }
  }

  /**
   * Returns whether some thread of the operating system that has used monitors may go on when its
   * Java thread has ended, so that the kernel does not notice: that of {@code main}, in which the
   * launcher waits for the others, and those that native code attaches for a while.
   */
  static boolean anyLingers() {
    return LINGERING.get() > 0;
  }

  /** Returns of how many that is so. */
  static int lingering() {
    return LINGERING.get();
  }

  /** Whether it was not begun by {@code run}, as threads are that Java has started. */
  private static boolean mayLinger(Thread thread) {
    StackTraceElement[] calls = thread.getStackTrace();
    StackTraceElement first = calls.length == 0 ? null : calls[calls.length - 1];
    if (first != null && first.getMethodName().equals("run")) {
      for (Class<?> type = thread.getClass(); type != null; type = type.getSuperclass()) {
        if (type.getName().equals(first.getClassName())) {
          return false;
        }
      }
    }
    return true;
  }

  static MonitorThread current() {
    return Thread.currentThread() instanceof ThreadWithRecord thread ? of(thread) : CURRENT.get();
  }

  private static MonitorThread of(ThreadWithRecord self) {
    if (self.monitorRecord() instanceof MonitorThread known) {
      return known;
    }
    MonitorThread made = new MonitorThread(self);
    self.keepMonitorRecord(made);
    return made;
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

  /** Returns what is known about its own priority, for {@link #priorityIn}. */
  long known() {
    return known;
  }

  /** Returns its own priority; negative: it is not known, or some priority was set since. */
  static int priorityIn(long known, long changes) {
    return known >> KNOWN_SHIFT == changes ? lastPriorityIn(known) : -1;
  }

  /** Returns the priority that was read last, though some may have been set since; -1: none. */
  static int lastPriorityIn(long known) {
    int priority = (int) (known & UNKNOWN);
    return priority == UNKNOWN ? -1 : priority;
  }

  /**
   * Notes what was read, unless something was noted meanwhile: who reads the priority of another
   * thread may have read what a ceiling has made of it since.
   *
   * @param before what was known before it was read
   */
  void knowPriority(long before, int priority, long changes) {
    KNOWN.compareAndSet(this, before, changes << KNOWN_SHIFT | priority);
  }

  /** Notes what the thread itself knows for certain. */
  void knowPriority(int priority, long changes) {
    known = changes << KNOWN_SHIFT | priority;
  }

  /**
   * Notes a wait that is to be counted now.
   *
   * @param owner whom it waited for, if that was to be seen
   */
  void hasWaited(@Nullable MonitorThread owner, long waitNs, boolean entered) {
    waitedFor = owner;
    waitedNs = waitNs;
    waitedInVain = !entered;
  }

  void forgetWait() {
    waitedFor = null;
    waitedNs = NO_WAIT;
  }

  /** How long it has waited; {@link #NO_WAIT}: nothing is to be counted. */
  long waitedNs() {
    return waitedNs;
  }

  @Nullable MonitorThread waitedFor() {
    return waitedFor;
  }

  boolean waitedInVain() {
    return waitedInVain;
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
