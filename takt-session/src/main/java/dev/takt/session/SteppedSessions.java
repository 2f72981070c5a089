package dev.takt.session;

import dev.takt.space.WaitClock;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Runs sessions on the caller's thread, one at a time, each until it waits: the caller decides when
 * a step is made, a seed decides whose, and time moves only when the caller moves it. The same seed
 * and the same code give the same run.
 *
 * <p><b>Purpose.</b> Tests that replay any interleaving of protocol code; protocol code inside of a
 * time budget that the caller has.
 *
 * <p><b>Assumptions.</b> The JVM was started with {@code --add-exports
 * java.base/jdk.internal.vm=dev.takt.session} ({@code =ALL-UNNAMED} on the class path), see {@link
 * #unavailable}. The code waits by {@link Suspension} (as {@link InVmTransport} and {@link
 * Session#await} do) or in an event space that has this {@link #clock}. Whatever else waits (a
 * socket, {@code Thread.sleep}, the monitor of another session) stops the caller's thread; a {@code
 * ReentrantLock} that a session holds while it waits keeps no other one out, since all run on one
 * thread.
 *
 * <p><b>Guarantees.</b> (1) No session runs but within a step. (2) A step ends when its session
 * waits or ends. (3) {@link #nanoTime} begins with 0 and does not move within a step. (4) Sessions
 * that are not resumed and have no time are never chosen.
 *
 * <p><b>Thread rule.</b> One platform thread, the one that has made it; {@link Suspension#resume}
 * and {@link Session#cancel} are for any thread, and seen by the next step.
 *
 * <p><b>Memory.</b> Some 300 bytes for each session and the used part of its stack.
 *
 * {@snippet :
 * try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS, new Random(seed))) {
 *   Session<Integer> client = sessions.start("client", () -> transaction(pair.first()));
 *   sessions.start("echo", () -> echo(pair.second()));
 *   sessions.runUntil(1_000_000_000);
 * }
 * }
 */
public final class SteppedSessions implements SessionStarter, AutoCloseable {
  /** What a thread runs a step of: written in each step, so it is looked up once. */
  private static final class Stepping {
    @Nullable SteppedSession session;
  }

  private static final ThreadLocal<@Nullable Stepping> STEPPING = new ThreadLocal<>();

  /** A session whose code goes on when it is interrupted is given up after so many steps. */
  private static final int STEPS_TO_CLOSE = 1_000_000;

  private final @Nullable RandomGenerator random;
  private final SessionRoster roster;
  private final Thread thread = Thread.currentThread();
  private final Stepping stepping;
  private final ReadyRing ready = new ReadyRing();
  private final WakeHeap waking = new WakeHeap();
  private final Queue<Runnable> fromOthers = new ConcurrentLinkedQueue<>();

  /** Whether other threads may have added something: a look that costs less than one at a queue. */
  private volatile boolean isFromOthers;

  private final WaitClock clock = new Clock();
  private long nowNs;
  private long steps;

  private SteppedSessions(SessionSettings settings, @Nullable RandomGenerator random) {
    this.random = random;
    roster = new SessionRoster(settings);
    Stepping present = STEPPING.get();
    stepping = present == null ? new Stepping() : present;
    STEPPING.set(stepping);
  }

  // ---- making

  /** Returns why this JVM has no stepped sessions, with the remedy; null if it has. */
  public static @Nullable String unavailable() {
    return RawContinuation.UNAVAILABLE;
  }

  /**
   * Makes a set whose sessions take their turns in the order in which they became ready.
   *
   * @throws UnsupportedOperationException if they are {@link #unavailable}
   */
  public static SteppedSessions open(SessionSettings settings) {
    return make(settings, null);
  }

  /**
   * Makes a set in which chance decides who of those that are ready has the next step.
   *
   * @param random with a seed, for a run that can be repeated
   * @throws UnsupportedOperationException if they are {@link #unavailable}
   */
  public static SteppedSessions open(SessionSettings settings, RandomGenerator random) {
    return make(settings, random);
  }

  private static SteppedSessions make(SessionSettings settings, @Nullable RandomGenerator random) {
    if (RawContinuation.UNAVAILABLE != null) {
      throw new UnsupportedOperationException(RawContinuation.UNAVAILABLE);
    }
    if (Thread.currentThread().isVirtual()) {
      throw new IllegalStateException(
          "stepped sessions on a virtual thread; make and step them on a platform thread");
    }
    return new SteppedSessions(settings, random);
  }

  /** Returns the session that the calling thread runs a step of, or null. */
  static @Nullable SteppedSession current() {
    Stepping stepping = STEPPING.get();
    return stepping == null ? null : stepping.session;
  }

  @Override
  public <T extends @Nullable Object> Session<T> start(String name, Callable<T> code) {
    requireThread();
    Session<T> session = roster.add(name, code);
    try {
      SteppedSession stepped = new SteppedSession(this, () -> roster.end(session, session.run()));
      session.onCancel(() -> interrupt(stepped));
      roster.requireOpen(session);
      ready.add(stepped);
    } catch (Throwable notStarted) {
      roster.withdraw(session, notStarted);
      throw notStarted;
    }
    return session;
  }

  // ---- stepping

  /**
   * Runs one of the sessions that are ready until it waits or ends.
   *
   * @return false if none was ready
   */
  public boolean step() {
    requireThread();
    if (stepping.session != null) {
      throw new IllegalStateException("a step within a step; make steps outside of sessions");
    }
    takeFromOthers();
    SteppedSession session = ready.take(random);
    if (session == null) {
      return false;
    }
    steps++;
    boolean ofCaller = Thread.interrupted();
    if (session.interrupted) {
      session.interrupted = false;
      thread.interrupt();
    }
    stepping.session = session;
    try {
      session.run();
    } finally {
      stepping.session = null;
      session.interrupted |= Thread.interrupted();
      if (ofCaller) {
        thread.interrupt();
      }
    }
    return true;
  }

  /**
   * Makes steps until no session is ready, without moving the time.
   *
   * @return how many steps
   */
  public long runReady() {
    long before = steps;
    while (step()) {
      // the step is all
    }
    return steps - before;
  }

  /**
   * Makes steps and moves the time from one wake-up to the next until nothing is to be done before
   * a time, and then moves the time there.
   *
   * @param timeNs until when, by {@link #nanoTime}; a time that is over moves nothing
   */
  public void runUntil(long timeNs) {
    runReady();
    while (!waking.isEmpty() && waking.firstNs() <= timeNs) {
      nowNs = Math.max(nowNs, waking.firstNs());
      SteppedSession next = waking.firstUntil(nowNs);
      while (next != null) {
        makeReady(next); // takes it out
        next = waking.firstUntil(nowNs);
      }
      runReady();
    }
    nowNs = Math.max(nowNs, timeNs);
  }

  /** Returns the time of these sessions in nanoseconds, from 0 on. */
  public long nanoTime() {
    return nowNs;
  }

  /**
   * Returns the time, by {@link #nanoTime}, until which nothing is to be done: {@link #nanoTime}
   * itself if a session is ready, {@code Long.MAX_VALUE} if none is and none waits for a time. So a
   * caller that moves the time with a clock knows for how long it may sleep. Another thread that
   * resumes or cancels a session meanwhile does not wake it: where there are such, it sleeps for no
   * longer than that may wait.
   */
  public long nextNs() {
    if (isFromOthers || !ready.isEmpty()) {
      return nowNs;
    }
    return Math.max(nowNs, waking.firstNs());
  }

  /** Returns how many steps were made so far. */
  public long steps() {
    return steps;
  }

  /**
   * Returns the place of the session whose step is made.
   *
   * @throws IllegalStateException outside of a step, where waiting would stop the caller
   */
  public Suspension here() {
    SteppedSession session = current();
    if (session == null || session.owner != this) {
      throw new IllegalStateException(
          "a wait outside of these stepped sessions would stop the caller; wait in one of them");
    }
    return session;
  }

  /** Returns the counters. */
  public SessionStats stats() {
    return roster.stats();
  }

  /** Returns the clock for an event space in which these sessions wait. */
  public WaitClock clock() {
    return clock;
  }

  /**
   * Cancels all sessions and makes steps until they have ended; the time does not move.
   *
   * @throws IllegalStateException if some have not ended when no session is ready any more, or
   *     after a million steps
   */
  @Override
  public void close() {
    requireThread();
    roster.stop();
    int left = STEPS_TO_CLOSE;
    while (left > 0 && step()) {
      left--;
    }
    String when = left > 0 ? "and wait" : "within " + STEPS_TO_CLOSE + " steps";
    SessionRoster.requireNone(roster.running(), when, "interrupted; mend it");
  }

  // ---- for the sessions

  void suspend(SteppedSession session, long durationNs) {
    if (Thread.currentThread() != thread || stepping.session != session) {
      throw new IllegalStateException("a session waits in the place of another one");
    }
    if (session.permit || durationNs <= 0) {
      session.permit = false;
      return;
    }
    if (durationNs < Suspension.FOR_EVER_NS && durationNs <= Long.MAX_VALUE - nowNs) {
      waking.add(session, nowNs + durationNs);
    }
    session.waits = true;
    try {
      RawContinuation.yieldNow();
    } catch (IllegalStateException pinned) {
      throw new IllegalStateException(
          "the session waits below a native method or in the initializer of a class, where it"
              + " cannot be suspended; wait outside of it",
          pinned);
    } finally {
      // whoever has made it ready has done so; it may not have been suspended
      session.waits = false;
      waking.remove(session);
    }
  }

  void resume(SteppedSession session) {
    if (Thread.currentThread() == thread) {
      if (session.waits) {
        makeReady(session);
      } else {
        session.permit = true;
      }
    } else {
      addFromOther(session::resume);
    }
  }

  /** Returns a timer whose action is a step of its own. */
  Suspension.Timer timer(Runnable action) {
    return new Timer(action);
  }

  private final class Timer implements Suspension.Timer {
    private final SteppedSession step =
        SteppedSession.withoutWaits(SteppedSessions.this, this::run);

    /** Null: it was taken back. */
    private @Nullable Runnable action;

    Timer(Runnable action) {
      this.action = action;
    }

    private void run() {
      if (action != null) {
        action.run();
      }
    }

    @Override
    public void start(long delayNs) {
      if (delayNs <= Long.MAX_VALUE - nowNs) {
        waking.add(step, nowNs + Math.max(0, delayNs));
      }
    }

    @Override
    public void cancel() {
      if (Thread.currentThread() == thread) {
        takeBack();
      } else {
        addFromOther(this::takeBack);
      }
    }

    private void takeBack() {
      waking.remove(step);
      action = null; // its step may be ready already, and does nothing then
    }
  }

  private void interrupt(SteppedSession session) {
    if (Thread.currentThread() == thread) {
      if (current() == session) {
        thread.interrupt();
      } else {
        session.interrupted = true;
        session.resume();
      }
    } else {
      addFromOther(() -> interrupt(session));
    }
  }

  private void makeReady(SteppedSession session) {
    ready.add(session); // first: it may throw for want of memory
    waking.remove(session);
    session.waits = false;
  }

  private void addFromOther(Runnable step) {
    fromOthers.add(step);
    isFromOthers = true;
  }

  private void takeFromOthers() {
    if (isFromOthers) {
      isFromOthers = false; // before the look: what is added meanwhile sets it again
      for (Runnable next = fromOthers.poll(); next != null; next = fromOthers.poll()) {
        next.run();
      }
    }
  }

  private void requireThread() {
    if (Thread.currentThread() != thread) {
      throw new IllegalStateException(
          "stepped sessions of %s used by %s; use them where they were made"
              .formatted(thread, Thread.currentThread()));
    }
  }

  /** By this, an event space lets its caller wait. */
  private final class Clock implements WaitClock {
    @Override
    public long nanoTime() {
      return nowNs;
    }

    @Override
    public void parkNanos(long durationNs) {
      SteppedSession session = current();
      if (session == null || session.owner != SteppedSessions.this) {
        throw new IllegalStateException(
            "a wait by the clock of stepped sessions outside of them; wait in one of its sessions");
      }
      if (!thread.isInterrupted()) {
        suspend(session, durationNs);
      }
    }

    @Override
    public Object waiter() {
      SteppedSession session = current();
      // who does not wait here is never parked, and need not be woken
      return session == null ? this : session;
    }

    @Override
    public void unpark(Object waiter) {
      if (waiter instanceof SteppedSession session) {
        session.resume();
      }
    }
  }
}
