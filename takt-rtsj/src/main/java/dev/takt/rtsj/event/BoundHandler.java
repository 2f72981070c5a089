package dev.takt.rtsj.event;

import dev.takt.realtime.LeadBounds;
import dev.takt.realtime.LearnedLead;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.Sleeper;
import dev.takt.rtsj.RealtimeThread;
import java.util.Objects;

/**
 * A handler with a real-time thread of its own; the RTSJ's {@code BoundAsyncEventHandler}.
 *
 * <p>It is the quick kind: a fire wakes the thread that runs the logic, and nothing else competes
 * for it. Its cost is that thread.
 *
 * <p><b>Thread rule.</b> Any thread. <b>Memory.</b> From a fire to the end of the logic nothing is
 * allocated, unless the logic allocates or throws.
 */
public final class BoundHandler extends AsyncEventHandler {
  private final Sleeper sleeper;
  private final LearnedLead spinCredit;
  private final RealtimeThread thread;

  private BoundHandler(HandlerSettings settings, HandlerLogic logic) {
    super(settings, logic);
    sleeper = settings.clock().newSleeper();
    LeadBounds bounds =
        new LeadBounds(settings.spinNs(), settings.spinNs(), LeadBounds.DEFAULT_MAX_SPIN_SHARE);
    spinCredit = new LearnedLead(bounds, settings.clock().nanoTime());
    thread = RealtimeThread.start(settings.name(), settings.scheduling(), self -> serve());
  }

  /**
   * Makes a handler and starts its thread.
   *
   * @param settings how
   * @param logic what to do for each fire
   */
  public static BoundHandler start(HandlerSettings settings, HandlerLogic logic) {
    return new BoundHandler(
        Objects.requireNonNull(settings, "settings"), Objects.requireNonNull(logic, "logic"));
  }

  /** Returns how its thread is scheduled. */
  public Grant grant() {
    return thread.grant();
  }

  private void serve() {
    while (!isEnded()) {
      serveNext();
    }
  }

  /**
   * Sleeps unless a fire is due, then handles one if it is. A method of its own, from the sleep to
   * the handler's logic: the loop is begun once in a thread's life, too seldom to be compiled.
   */
  private void serveNext() {
    long dueInNs = dueInNs();
    if (dueInNs > 0) {
      Thread.interrupted(); // a set interrupt status would end each sleep at once
      sleeper.sleepUntil(settings().clock().nanoTime() + dueInNs);
    } else if (!ready.isQueued() && !spin()) {
      Thread.interrupted();
      sleeper.sleep(); // returns at once after a fire since the look: it has left a permit
    }
    if (dueInNs() == 0 && claim()) {
      runClaimed();
    }
  }

  /** Looks for the next fire for a bounded time; returns whether one came. */
  private boolean spin() {
    if (settings().spinNs() == 0) {
      return false;
    }
    NanoClock clock = settings().clock();
    long beginNs = clock.nanoTime();
    long endNs = beginNs + spinCredit.begin(beginNs, 0);
    long nowNs = beginNs;
    while (nowNs - endNs < 0 && !ready.isQueued() && !isEnded()) {
      clock.onSpinWait(endNs);
      nowNs = clock.nanoTime();
    }
    spinCredit.spun(nowNs - beginNs);
    return ready.isQueued() || isEnded();
  }

  @Override
  void queueUp() {} // it has its thread for itself

  @Override
  void wake() {
    sleeper.wake();
  }

  @Override
  void wakeAgain() {
    sleeper.wake();
  }

  @Override
  void end() {
    sleeper.wake();
  }

  @Override
  boolean isServedByCaller() {
    return thread.thread() == Thread.currentThread();
  }

  @Override
  void joinThread() throws InterruptedException {
    thread.join();
  }
}
