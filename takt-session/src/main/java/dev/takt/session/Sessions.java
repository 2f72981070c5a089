package dev.takt.session;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Runs ordinary blocking code as sessions, each on a virtual thread of its own.
 *
 * <p><b>Purpose.</b> A protocol is written as it reads: one call after the other, each of which
 * waits. Thousands of them run on a few threads of the operating system, because a session that
 * waits gives its carrier to others.
 *
 * <p><b>Assumptions.</b> The code waits by the JDK's means: sockets, streams, locks, queues, {@code
 * LockSupport}, and what is built on them, such as the timed operations of an event space. Code
 * that waits in native code, or computes for long, keeps its carrier.
 *
 * <p><b>Guarantees.</b> (1) There are at most {@link SessionSettings#maxSessions} sessions at once.
 * (2) A session that was started is in {@link SessionStats#running} until its code has ended, and
 * after that in exactly one of the other figures. (3) After {@link #stop} or {@link #drain} has
 * begun, none starts. (4) After {@link #stop} has returned an empty list, no code of a session
 * runs.
 *
 * <p><b>Thread rule.</b> Any thread, sessions included, but for {@link #drain}, {@link #stop} and
 * {@link #close}: a session that called them would wait for itself.
 *
 * <p><b>Memory.</b> Some 300 bytes for each session while it runs, and the used part of its stack.
 *
 * {@snippet :
 * try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS)) {
 *   Session<String> session = sessions.start("greeting", () -> client.ask("hello"));
 *   String answer = session.await().value();
 * }
 * }
 */
public final class Sessions implements AutoCloseable {
  private enum State {
    OPEN,
    DRAINING,
    STOPPED
  }

  private final SessionSettings settings;
  private final ThreadFactory threads = Thread.ofVirtual().factory();
  private final Set<Session<?>> running = ConcurrentHashMap.newKeySet();
  private final AtomicInteger taken = new AtomicInteger();
  private final LongAdder completed = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder cancelled = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final Awaiters awaiters = new Awaiters();
  private volatile State state = State.OPEN;

  private Sessions(SessionSettings settings) {
    this.settings = settings;
  }

  /** Makes a set without sessions. */
  public static Sessions open(SessionSettings settings) {
    return new Sessions(settings);
  }

  /**
   * Starts a session.
   *
   * @param name for messages and thread dumps; need not be unique
   * @param code what it runs
   * @throws RejectedExecutionException if there are {@link SessionSettings#maxSessions} sessions,
   *     or the set drains or is stopped
   */
  public <T extends @Nullable Object> Session<T> start(String name, Callable<T> code) {
    takeRoom(name);
    Session<T> session = new Session<>(name, code);
    Thread thread = threads.newThread(() -> run(session));
    thread.setName(name);
    session.onCancel(thread::interrupt);
    running.add(session);
    try {
      // a stop or drain that has not seen this session is seen here
      requireOpen(name);
      thread.start();
    } catch (Throwable notStarted) {
      taken.decrementAndGet();
      leave(session);
      throw notStarted;
    }
    return session;
  }

  private void takeRoom(String name) {
    requireOpen(name);
    int max = settings.maxSessions();
    int before = taken.getAndUpdate(count -> count < max ? count + 1 : count);
    if (before >= max) {
      refused.increment();
      throw new RejectedExecutionException(
          "session "
              + name
              + " is not started: there are "
              + before
              + " (limit: maxSessions="
              + max
              + "); wait until some have ended, or raise SessionSettings.maxSessions");
    }
  }

  private void requireOpen(String name) {
    State now = state;
    if (now != State.OPEN) {
      throw new RejectedExecutionException(
          "session %s is not started: the sessions are %s; open others"
              .formatted(name, now == State.DRAINING ? "being drained" : "stopped"));
    }
  }

  private <T extends @Nullable Object> void run(Session<T> session) {
    end(session, session.run());
  }

  private <T extends @Nullable Object> void end(Session<T> session, SessionOutcome<T> outcome) {
    switch (outcome) {
      case SessionOutcome.Completed<T> _ -> completed.increment();
      case SessionOutcome.Failed<T> _ -> failed.increment();
      case SessionOutcome.Cancelled<T> _ -> cancelled.increment();
    }
    // who sees the outcome finds room for another; who sees that all have gone, the outcomes
    taken.decrementAndGet();
    session.publish(outcome);
    leave(session);
  }

  private void leave(Session<?> session) {
    running.remove(session);
    if (state != State.OPEN && running.isEmpty()) {
      awaiters.signal();
    }
  }

  /** Returns the counters. */
  public SessionStats stats() {
    return new SessionStats(
        running.size(), completed.sum(), failed.sum(), cancelled.sum(), refused.sum());
  }

  /**
   * Lets no further session start, and waits until those that run have ended.
   *
   * @param timeout how long to wait at most
   * @return the sessions that have not ended within that time; they go on
   */
  public List<Session<?>> drain(Duration timeout) throws InterruptedException {
    if (state == State.OPEN) {
      state = State.DRAINING;
    }
    return awaitEnd(timeout);
  }

  /**
   * Lets no further session start, cancels those that run, and waits until they have ended.
   *
   * @param timeout how long to wait at most
   * @return the sessions whose code has not ended within that time: it ignores that it was
   *     interrupted, or does not wait by the JDK's means
   */
  public List<Session<?>> stop(Duration timeout) throws InterruptedException {
    state = State.STOPPED;
    running.forEach(Session::cancel);
    return awaitEnd(timeout);
  }

  private List<Session<?>> awaitEnd(Duration timeout) throws InterruptedException {
    awaiters.await(running::isEmpty, Limits.nanos(timeout));
    return List.copyOf(running);
  }

  /**
   * Stops within {@link SessionSettings#closeTimeout}.
   *
   * @throws IllegalStateException with their names, if sessions have not ended within that time, or
   *     the caller is interrupted, which it stays
   */
  @Override
  public void close() {
    List<Session<?>> left;
    try {
      left = stop(settings.closeTimeout());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(
          "interrupted while " + running.size() + " sessions were to end; they are cancelled", e);
    }
    if (!left.isEmpty()) {
      throw new IllegalStateException(
          left.size()
              + " sessions have not ended within "
              + settings.closeTimeout()
              + ", among them "
              + left.getFirst().name()
              + ": their code goes on when it is interrupted, or computes; mend it, or raise"
              + " SessionSettings.closeTimeout");
    }
  }
}
