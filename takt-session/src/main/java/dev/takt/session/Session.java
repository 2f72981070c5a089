package dev.takt.session;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * One run of blocking code beside others, which costs no thread while it waits.
 *
 * <p><b>Guarantees.</b> The code is called exactly once. After {@link #outcome} is there, none of
 * it runs any more, and another session can take its place.
 *
 * <p><b>Thread rule.</b> Any thread, sessions included.
 *
 * @param <T> what the code returns
 */
public final class Session<T extends @Nullable Object> {
  private static final OutOfMemoryError NO_MEMORY =
      new OutOfMemoryError("the heap was full when the session ended, whatever it ended by");

  // made before, for sessions that end while the heap is full
  private static final SessionOutcome<?> FAILED = new SessionOutcome.Failed<>(NO_MEMORY);
  private static final SessionOutcome<?> CANCELLED = new SessionOutcome.Cancelled<>(NO_MEMORY);

  private final String name;
  private final int number;
  private final Callable<T> code;

  /** Made when somebody waits: most sessions end without. */
  private volatile @Nullable Awaiters awaiters;

  /**
   * What stops a wait of the code: set once, before the session starts. Volatile, as {@link
   * #cancelled}: who cancels writes that and then reads this, the session the other way round, so
   * one of them sees the other.
   */
  private volatile @Nullable Runnable interruption;

  private volatile @Nullable Thread thread;
  private volatile boolean cancelled;
  private volatile @Nullable SessionOutcome<T> outcome;

  Session(String name, int number, Callable<T> code) {
    this.name = name;
    this.number = number;
    this.code = code;
  }

  void onCancel(Runnable interruption) {
    this.interruption = interruption;
  }

  /** Sets the virtual thread that it runs on. */
  void runsOn(Thread thread) {
    this.thread = thread;
    interruption = thread::interrupt;
  }

  /** Returns the virtual thread that it runs on, or null if it has none. */
  @Nullable Thread thread() {
    return thread;
  }

  /** Returns the name that it was started with. */
  public String name() {
    return name;
  }

  /** Returns how it has ended, or null while it has not. */
  public @Nullable SessionOutcome<T> outcome() {
    return outcome;
  }

  /** Waits until the session has ended. */
  public SessionOutcome<T> await() throws InterruptedException {
    SessionOutcome<T> end = await(Duration.ofNanos(Suspension.FOR_EVER_NS));
    if (end == null) {
      throw new IllegalStateException("146 years have passed, and " + this + " has not ended");
    }
    return end;
  }

  /**
   * Waits until the session has ended.
   *
   * @param timeout how long at most
   * @return how it has ended, or null if it has not within that time
   */
  public @Nullable SessionOutcome<T> await(Duration timeout) throws InterruptedException {
    if (outcome == null) {
      awaiters().await(() -> outcome != null, timeout);
    }
    return outcome;
  }

  private synchronized Awaiters awaiters() {
    Awaiters present = awaiters;
    if (present == null) {
      present = new Awaiters();
      awaiters = present;
    }
    return present;
  }

  /**
   * Asks the session to end: what it waits for ends by an exception ({@code InterruptedException},
   * of a socket {@code SocketException}, which closes the socket). Code that has not begun finds
   * itself interrupted when it begins. Code that catches that and goes on is not ended. Of a
   * session that has ended, nothing happens.
   */
  public void cancel() {
    cancelled = true;
    Runnable interrupt = interruption;
    if (outcome == null && interrupt != null) {
      interrupt.run();
    }
  }

  /** Returns whether it was asked to end. */
  public boolean isCancelled() {
    return cancelled;
  }

  /** Runs the code; returns how it ended, which is to be published when all is put in order. */
  SessionOutcome<T> run() {
    if (cancelled) {
      // whoever cancelled it may have found nothing to interrupt
      Thread.currentThread().interrupt();
    }
    try {
      return new SessionOutcome.Completed<>(code.call());
    } catch (Throwable failure) {
      return ended(failure);
    }
  }

  @SuppressWarnings("unchecked") // those that were made before have no value
  private SessionOutcome<T> ended(Throwable failure) {
    boolean wasCancelled = cancelled;
    try {
      return wasCancelled
          ? new SessionOutcome.Cancelled<>(failure)
          : new SessionOutcome.Failed<>(failure);
    } catch (OutOfMemoryError _) {
      return (SessionOutcome<T>) (wasCancelled ? CANCELLED : FAILED);
    }
  }

  void publish(SessionOutcome<T> end) {
    outcome = end;
    Awaiters waiting = awaiters; // who comes later sees the outcome
    if (waiting != null) {
      waiting.signal();
    }
  }

  /** Its number, so that a set of sessions has the same order in each run with the same seed. */
  @Override
  public int hashCode() {
    return number;
  }

  /** Each session is itself alone. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public String toString() {
    return "session " + name;
  }
}
