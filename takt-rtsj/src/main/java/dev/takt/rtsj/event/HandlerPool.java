package dev.takt.rtsj.event;

import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.Sleeper;
import dev.takt.rtsj.RealtimeThread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Real-time threads that many handlers share.
 *
 * <p><b>Purpose.</b> Runs handlers that are too many, or too seldom needed, to have a thread each.
 *
 * <p><b>Guarantees.</b> (1) A thread that becomes free takes the pending handler of highest
 * priority; among equal ones the one that became ready first (fires that overlap in time count
 * either way). (2) A pending handler does not wait while a thread sleeps. (3) A handler that fires
 * itself cannot keep its equals from running: after each fire it queues up again. What it does not
 * guarantee: a handler that runs is not interrupted for a higher one; that needs a {@link
 * BoundHandler}.
 *
 * <p><b>Thread rule.</b> Any thread. <b>Memory.</b> Adding and removing handlers allocates; firing
 * and running them does not.
 *
 * {@snippet :
 * try (HandlerPool pool = HandlerPool.start(PoolSettings.of("events", 2, ThreadScheduling.fifo(40)))) {
 *   PooledHandler handler =
 *       pool.handler(HandlerSettings.of("log", ThreadScheduling.fifo(10)), self -> log());
 *   event.addHandler(handler);
 * }
 * }
 */
public final class HandlerPool implements AutoCloseable {
  private static final PooledHandler[] NONE = {};

  /** The number of a worker that is not one of the pool's threads. */
  private static final int CALLER = -1;

  /** The thread looks at the handlers once more before it sleeps. */
  private static final int AWAKE = 0;

  /** The thread sleeps, or is about to. */
  private static final int IDLE = 1;

  /**
   * Somebody counts on the thread, and wakes it next. Others wake it, too: that one may have been
   * stopped before. The thread itself ends this state.
   */
  private static final int CALLED = 2;

  private final PoolSettings settings;
  private final Sleeper[] sleepers;
  private final List<RealtimeThread> threads = new ArrayList<>();

  /** The state of each thread: {@link #AWAKE}, {@link #IDLE} or {@link #CALLED}. */
  private final AtomicIntegerArray states;

  /** The order in which handlers become ready. */
  private final AtomicLong tickets = new AtomicLong();

  /** The highest priority first. Never changed in place; replaced under this pool's monitor. */
  private volatile PooledHandler[] handlers = NONE;

  private volatile boolean closed;

  private HandlerPool(PoolSettings settings, int threads) {
    this.settings = Objects.requireNonNull(settings, "settings");
    states = new AtomicIntegerArray(threads);
    sleepers = new Sleeper[threads];
    Arrays.setAll(sleepers, i -> settings.clock().newSleeper());
  }

  /** Makes a pool and starts its threads. */
  public static HandlerPool start(PoolSettings settings) {
    HandlerPool pool = new HandlerPool(settings, settings.threads());
    try {
      for (int i = 0; i < settings.threads(); i++) {
        int worker = i;
        pool.threads.add(
            RealtimeThread.start(
                settings.name() + "-" + i, settings.scheduling(), self -> pool.serve(worker)));
      }
    } catch (Throwable e) {
      pool.close(); // the system has no thread to give; those that it gave would never end
      throw e;
    }
    return pool;
  }

  /**
   * Makes a pool without threads: its handlers run in {@link #doWork}, on any threads of the
   * caller. Closing it, or one of its handlers, does not wait.
   */
  public static HandlerPool withoutThreads(PoolSettings settings) {
    return new HandlerPool(settings, 0);
  }

  /**
   * Handles one fire on the calling thread, if one is due: what a thread of the pool does between
   * two rests.
   *
   * @return whether one was due
   */
  public boolean doWork() {
    PoolThread worker = new PoolThread(CALLER);
    PooledHandler handler = worker.claimNext();
    if (handler == null) {
      return false;
    }
    worker.run(handler);
    return true;
  }

  /**
   * Adds a handler.
   *
   * @param settings how; its scheduling gives the priority alone
   * @param logic what to do for each fire
   * @throws IllegalStateException if the pool is full or closed
   */
  public synchronized PooledHandler handler(HandlerSettings settings, HandlerLogic logic) {
    Objects.requireNonNull(settings, "settings");
    Objects.requireNonNull(logic, "logic");
    if (closed) {
      throw new IllegalStateException("the pool " + this.settings.name() + " is closed");
    }
    PooledHandler[] seen = handlers;
    if (seen.length >= this.settings.maxHandlers()) {
      throw new IllegalStateException(
          ("handlers=%s in the pool %s (limit: maxHandlers=%s; close handlers, raise "
                  + "PoolSettings.maxHandlers or use another pool)")
              .formatted(seen.length + 1, this.settings.name(), this.settings.maxHandlers()));
    }
    PooledHandler handler = new PooledHandler(this, settings, logic);
    PooledHandler[] next = Arrays.copyOf(seen, seen.length + 1);
    next[seen.length] = handler;
    Arrays.sort(next, Comparator.comparingInt(PooledHandler::priority).reversed());
    handlers = next;
    return handler;
  }

  /** Returns how its threads are scheduled, each. */
  public List<Grant> grants() {
    return threads.stream().map(RealtimeThread::grant).toList();
  }

  /** Returns what it was made with. */
  public PoolSettings settings() {
    return settings;
  }

  /** Returns how many handlers it has that have not ended. */
  public int handlerCount() {
    return handlers.length;
  }

  /**
   * Closes all handlers, which handle what is pending, then ends the threads and waits for them; or
   * until the caller is interrupted (its interrupt status stays set). Does not wait when called by
   * a handler of this pool.
   */
  @Override
  public void close() {
    close(false);
  }

  /** As {@link #close}, but what is pending is discarded. */
  public void closeNow() {
    close(true);
  }

  private void close(boolean discard) {
    PooledHandler[] last;
    synchronized (this) {
      closed = true;
      last = handlers;
    }
    for (PooledHandler handler : last) {
      handler.beginClose(discard);
    }
    // The threads end when the last handler has.
    for (Sleeper sleeper : sleepers) {
      sleeper.wake();
    }
    if (isServedByCaller()) {
      return; // its handler ends after this call
    }
    threads.forEach(RealtimeThread::close);
  }

  boolean isServedByCaller() {
    return sleepers.length == 0
        || threads.stream().anyMatch(each -> each.thread() == Thread.currentThread());
  }

  synchronized void remove(PooledHandler handler) {
    handlers =
        Arrays.stream(handlers).filter(each -> each != handler).toArray(PooledHandler[]::new);
    if (closed && handlers.length == 0) {
      for (Sleeper sleeper : sleepers) {
        sleeper.wake();
      }
    }
  }

  /** Returns the place at the end of the queue. */
  long nextTicket() {
    return tickets.getAndIncrement();
  }

  /** Calls a thread, if one sleeps, and wakes all that are called. */
  void wakeOne() {
    boolean sought = true;
    for (int i = 0; i < sleepers.length; i++) {
      // A thread that is awake looks again before it sleeps: it need not be called.
      if (sought && states.get(i) == IDLE) {
        sought = !states.compareAndSet(i, IDLE, CALLED);
      }
      if (states.get(i) == CALLED) {
        sleepers[i].wake();
      }
    }
  }

  /**
   * Wakes all threads that are called, or calls one if none is. One is enough, however many
   * handlers are pending: it passes the call on.
   */
  void wakeCalled() {
    boolean isCalled = false;
    for (int i = 0; i < sleepers.length; i++) {
      if (states.get(i) == CALLED) {
        sleepers[i].wake();
        isCalled = true;
      }
    }
    if (!isCalled) {
      wakeOne();
    }
  }

  private void serve(int number) {
    PoolThread worker = new PoolThread(number);
    while (serveNext(worker)) {}
  }

  /**
   * Handles one fire, after a rest if none is due; false when there is nothing left to wait for. A
   * method of its own, from the rest to the handler's logic: the loop is begun once in a thread's
   * life, too seldom to be compiled.
   */
  private boolean serveNext(PoolThread worker) {
    PooledHandler handler = worker.claimNext();
    if (handler == null && !isOver()) {
      worker.rest();
      handler = worker.claimNext();
    }
    if (handler == null) {
      return !isOver();
    }
    worker.run(handler);
    return true;
  }

  private boolean isOver() {
    return closed && handlers.length == 0;
  }

  /** One of the pool's threads, or a caller of {@link #doWork}. */
  private final class PoolThread {
    private final int number;

    /** Whether it has said that it is idle, and not taken that back. */
    private boolean saidIdle;

    /** Whether there were more pending handlers than the one that it chose. */
    private boolean morePending;

    /** In how long the next pending handler is due; {@link Long#MAX_VALUE}: none is put off. */
    private long nextDueInNs;

    PoolThread(int number) {
      this.number = number;
    }

    /** Claims the pending handler that is first in order; null if there is none that is due. */
    @Nullable PooledHandler claimNext() {
      while (true) {
        PooledHandler best = first(handlers);
        if (best == null || best.claim()) {
          return best;
        }
      }
    }

    private @Nullable PooledHandler first(PooledHandler[] among) {
      PooledHandler best = null;
      nextDueInNs = Long.MAX_VALUE;
      morePending = false;
      for (PooledHandler handler : among) {
        if (!handler.ready.isQueued()) {
          continue;
        }
        long dueInNs = handler.dueInNs();
        if (dueInNs > 0) {
          nextDueInNs = Math.min(nextDueInNs, dueInNs);
        } else {
          morePending = best != null;
          if (best == null || handler.isBefore(best)) {
            best = handler;
          }
        }
      }
      return best;
    }

    void run(PooledHandler handler) {
      boolean wasCalled = saidIdle && states.getAndSet(number, AWAKE) == CALLED;
      saidIdle = false;
      if (wasCalled || nextDueInNs != Long.MAX_VALUE) {
        wakeOne(); // a fire, or a handler that is put off, counts on a thread: now on another one
      } else if (morePending) {
        wakeCalled(); // the thread that made the other one ready may have been stopped before its
        // call
      }
      if (handler.runClaimed()) {
        handler.queueUp();
        wakeOne(); // this thread may find a higher one first
      }
    }

    /** Publishes that it is idle; sleeps if it has published that and looked again since. */
    void rest() {
      if (!saidIdle) {
        // First say so, then look again: a fire either sees the word or is seen.
        states.set(number, IDLE);
        saidIdle = true;
        return;
      }
      Thread.interrupted(); // a set interrupt status would end each sleep at once
      if (nextDueInNs == Long.MAX_VALUE) {
        sleepers[number].sleep();
      } else {
        sleepers[number].sleepUntil(settings.clock().nanoTime() + nextDueInNs);
      }
      saidIdle = states.get(number) == IDLE;
      if (!saidIdle) {
        states.set(number, AWAKE); // before it looks: a call made since is seen
      }
    }
  }
}
