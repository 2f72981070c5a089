package dev.takt.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which sessions there are: bounds their number, counts how they end, and knows when all have.
 *
 * <p><b>Guarantees.</b> (1) The code of at most {@code maxSessions} runs; one whose outcome is
 * there may be in it for a moment beside the one that has taken its place. (2) One that was
 * withdrawn counts nowhere; each other one counts as running, and after that as what it ended as.
 * (3) A session that begins while the roster is drained or stopped either is seen by who waits for
 * the end, or is refused.
 *
 * <p><b>Thread rule.</b> Any thread.
 */
final class SessionRoster {
  private enum State {
    OPEN,
    DRAINING,
    STOPPED
  }

  /** So many are named where many have not ended. */
  private static final int NAMED = 5;

  private final SessionSettings settings;
  private final Set<Session<?>> running = ConcurrentHashMap.newKeySet();
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicInteger numbers = new AtomicInteger();
  private final LongAdder completed = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder cancelled = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final SessionFailureLog failures = new SessionFailureLog();
  private final Awaiters awaiters = new Awaiters();
  private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

  SessionRoster(SessionSettings settings) {
    this.settings = settings;
    failed.add(0); // links what counts, which a session that fails with a full heap could not
  }

  // ---- beginning and end of a session

  /** Adds a session that is to begin next, or throws. */
  <T extends @Nullable Object> Session<T> add(String name, Callable<T> code) {
    requireOpen(name);
    // made before it takes a place: what then fails gives that back
    Session<T> session = new Session<>(name, numbers.getAndIncrement(), code);
    int max = settings.maxSessions();
    int before = taken.getAndUpdate(count -> count < max ? count + 1 : count);
    if (before >= max) {
      refused.increment();
      throw new RejectedExecutionException(
          ("session %s is not started: there are %d (limit: maxSessions=%d); wait until some have"
                  + " ended, or raise SessionSettings.maxSessions")
              .formatted(name, before, max));
    }
    try {
      running.add(session);
    } catch (Throwable noMemory) {
      withdraw(session, noMemory); // it may be there all the same
      throw noMemory;
    }
    return session;
  }

  /** Throws if a drain or stop may not have seen this session, which is in the roster. */
  void requireOpen(Session<?> session) {
    requireOpen(session.name());
  }

  private void requireOpen(String name) {
    State now = state.get();
    if (now != State.OPEN) {
      throw new RejectedExecutionException(
          "session %s is not started: the sessions are %s; open others"
              .formatted(name, now == State.DRAINING ? "being drained" : "stopped"));
    }
  }

  /** Takes back a session whose code was not begun; who has found it running learns that, too. */
  void withdraw(Session<?> session, Throwable why) {
    taken.decrementAndGet();
    try {
      session.publish(new SessionOutcome.Cancelled<>(why));
    } finally {
      leave(session);
    }
  }

  /** Publishes how a session has ended. */
  <T extends @Nullable Object> void end(Session<T> session, SessionOutcome<T> outcome) {
    try {
      // nothing that is loaded or linked at its first time: the heap may be full
      if (outcome instanceof SessionOutcome.Failed<T> end) {
        failed.increment();
        tell(session, end.cause());
      } else if (outcome instanceof SessionOutcome.Cancelled<T>) {
        cancelled.increment();
      } else {
        completed.increment();
      }
    } finally {
      // who sees the outcome finds room for another; who sees that all have gone, the outcomes
      taken.decrementAndGet();
      try {
        session.publish(outcome);
      } finally {
        leave(session);
      }
    }
  }

  /** Tells of a failure: that of a session whose outcome nobody asks for would go unseen. */
  private void tell(Session<?> session, Throwable failure) {
    SessionFailureHandler handler = settings.failureHandler();
    if (handler == null) {
      log(session, failure);
      return;
    }
    try {
      handler.onFailure(session, failure);
    } catch (RuntimeException | Error ofHandler) {
      failures.warn("the failure handler has failed for " + session, ofHandler);
    }
  }

  private void log(Session<?> session, Throwable failure) {
    if (failure instanceof IOException || failure instanceof UncheckedIOException) {
      System.getLogger(Sessions.LOG).log(Level.DEBUG, () -> session + " has failed", failure);
    } else {
      failures.warn(session + " has failed", failure);
    }
  }

  private void leave(Session<?> session) {
    running.remove(session);
    if (state.get() != State.OPEN && running.isEmpty()) {
      awaiters.signal();
    }
  }

  // ---- the end of all

  void drain() {
    state.compareAndSet(State.OPEN, State.DRAINING);
  }

  void stop() {
    state.set(State.STOPPED);
    running.forEach(Session::cancel);
  }

  /** Waits until there are none; returns those that are left when the time is over. */
  List<Session<?>> awaitEnd(Duration timeout) throws InterruptedException {
    boolean isOver = awaiters.await(this::isEmpty, timeout);
    return isOver ? List.of() : running(); // what has come since is refused before it begins
  }

  /** Whether there is none: the set's own answer is a sum that others may change meanwhile. */
  private boolean isEmpty() {
    return running.isEmpty() && !running.iterator().hasNext();
  }

  /**
   * Throws if sessions are left that were to end.
   *
   * @param when the message says after "have not ended"
   * @param why it says after "their code goes on when it is", with the remedy
   */
  static void requireNone(List<Session<?>> left, String when, String why) {
    if (!left.isEmpty()) {
      throw new IllegalStateException(
          "%d sessions have not ended %s, among them %s: their code goes on when it is %s"
              .formatted(
                  left.size(),
                  when,
                  left.stream().limit(NAMED).map(Session::name).collect(Collectors.joining(", ")),
                  why));
    }
  }

  // ---- to look at

  /** Whether it is drained or stopped and all sessions have ended. */
  boolean hasEnded() {
    return state.get() != State.OPEN && isEmpty();
  }

  List<Session<?>> running() {
    return List.copyOf(running);
  }

  SessionStats stats() {
    return new SessionStats(
        running.size(), completed.sum(), failed.sum(), cancelled.sum(), refused.sum());
  }
}
