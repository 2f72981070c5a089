package dev.takt.rtsj.monitor;

import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.ThreadScheduling;
import org.jspecify.annotations.Nullable;

/**
 * Lets one thread at a time into a section, and bounds how long threads of lower priority can keep
 * one of higher priority waiting.
 *
 * <pre>{@code
 * Monitor prices = Monitor.inheritance("prices");
 *
 * try (var _ = prices.hold()) {
 *   ...
 * }
 * }</pre>
 *
 * <p><b>Purpose:</b> what {@code synchronized} is for, among threads of different priorities. How
 * it works is described in the package.
 *
 * <p><b>Assumptions:</b> sections are short, and the thread that enters exits. Threads are platform
 * threads; virtual ones are refused unless {@link Guarantee.Kind#NONE} is all there is.
 *
 * <p><b>Guarantees:</b> mutual exclusion; what happens before an exit is seen after the next enter;
 * and about priorities what {@link #guarantee} says. It is <em>reentrant</em>, as {@code
 * synchronized} is: a thread that is inside may enter again and exits as often. A thread never
 * waits for a thread that has died or in a circle: either is an exception. Entering is not
 * interruptible; an interrupt is kept for later.
 *
 * <p><b>Thread rule:</b> any thread; the one that entered exits. <b>Memory:</b> about 300 bytes a
 * monitor, and about 700 for each thread that has ever entered one; no call allocates, but {@link
 * #owner}, and a thread's first one.
 *
 * <p>Source: priority inheritance and ceiling emulation as in the RTSJ; Avionics 3.3.2.
 */
public abstract sealed class Monitor permits InheritanceMonitor {
  private final Hold hold = this::exit;

  /** Only the two kinds. */
  Monitor() {}

  /**
   * Makes a monitor with priority inheritance: while threads wait, the owner runs with the highest
   * of their priorities.
   *
   * @param name what diagnostics call it
   */
  public static Monitor inheritance(String name) {
    return inheritance(MonitorSettings.named(name));
  }

  /** Makes a monitor with priority inheritance, with these settings. */
  public static Monitor inheritance(MonitorSettings settings) {
    return InheritanceMonitor.on(OperatingSystems.current(), settings);
  }

  /**
   * Makes a monitor with a priority ceiling: the thread inside runs with the ceiling's priority, by
   * policy FIFO, from before it enters until after it exits; then its own is put back as it was
   * when it entered, so no thread should change it meanwhile. Where the system refuses that, it
   * inherits instead; {@link #guarantee} shows which.
   *
   * @param name what diagnostics call it
   * @param ceiling the highest priority of the threads that use it, {@value
   *     ThreadScheduling#MIN_PRIORITY} to {@value ThreadScheduling#MAX_PRIORITY}
   * @throws IllegalArgumentException if the ceiling is out of range
   */
  public static Monitor ceiling(String name, int ceiling) {
    return ceiling(MonitorSettings.named(name), ceiling);
  }

  /** Makes a monitor with a priority ceiling, with these settings; see the other one. */
  public static Monitor ceiling(MonitorSettings settings, int ceiling) {
    return CeilingMonitor.on(OperatingSystems.current(), settings, ceiling);
  }

  /**
   * Enters, and waits as long as another thread is inside.
   *
   * @throws DeadlockException if it would wait for ever because the owner, directly or through
   *     others, waits for the caller
   * @throws OwnerDiedException if a thread has died inside
   * @throws CeilingViolationException if the caller's priority is above the ceiling
   */
  public abstract void enter();

  /**
   * Enters if no other thread is inside.
   *
   * @return whether it entered
   * @throws OwnerDiedException if a thread has died inside
   * @throws CeilingViolationException if the caller's priority is above the ceiling
   */
  public abstract boolean tryEnter();

  /**
   * Enters, and waits for a time at most as long as another thread is inside.
   *
   * @param timeoutNs how long, in nanoseconds; zero and less do not wait
   * @return whether it entered
   * @throws DeadlockException as {@link #enter}: a time-out does not excuse a circle
   * @throws OwnerDiedException if a thread has died inside
   * @throws CeilingViolationException if the caller's priority is above the ceiling
   */
  public abstract boolean tryEnter(long timeoutNs);

  /**
   * Exits; the last exit of as many as there were enters lets the next thread in, the one of
   * highest priority first.
   *
   * @throws IllegalMonitorStateException if the caller is not inside
   */
  public abstract void exit();

  /** Enters, for {@code try (var _ = monitor.hold()) …}; it allocates nothing. */
  public final Hold hold() {
    enter();
    return hold;
  }

  /**
   * Makes a condition that threads inside wait for. It is to be made once, not for each wait.
   *
   * @param name what diagnostics call it
   */
  public final MonitorCondition newCondition(String name) {
    return new MonitorCondition(name, this);
  }

  /** Returns whether the caller is inside. */
  public final boolean isHeld() {
    return isHeldBy(MonitorThread.current());
  }

  /** Returns what diagnostics call it. */
  public abstract String name();

  /** Returns what it does about priorities here, and why no more. */
  public abstract Guarantee guarantee();

  /**
   * Returns the owner, at about this moment; null if there is none. For diagnostics: it allocates.
   */
  public abstract @Nullable MonitorOwner owner();

  /** Returns the counters, which go on counting. */
  public abstract MonitorStats stats();

  /** Whether a thread is inside; exact if it is the caller. */
  abstract boolean isHeldBy(MonitorThread thread);

  /** Exits altogether, and returns how often it had entered. The caller is inside. */
  abstract int release(MonitorThread self);

  /** Enters as often as {@link #release} said. */
  abstract void reenter(MonitorThread self, int holds);

  /** The time that its waits end by. */
  abstract MonitorSettings settings();

  /** The order of the threads that wait for a condition. */
  abstract Priorities priorities();

  @Override
  public final String toString() {
    return "monitor " + name();
  }

  /** That a thread is inside; closing it is {@link Monitor#exit}. */
  @FunctionalInterface
  public interface Hold extends AutoCloseable {
    @Override
    void close();
  }
}
