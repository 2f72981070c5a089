package dev.takt.session;

import org.jspecify.annotations.Nullable;

/**
 * A session on a raw continuation, which is at the same time the place where it waits.
 *
 * <p><b>Thread rule.</b> That of {@link SteppedSessions}; {@link #resume} is for any thread.
 */
final class SteppedSession extends Suspension {
  final SteppedSessions owner;

  /** Null: its only step does not wait. */
  private final @Nullable RawContinuation continuation;

  private final Runnable body;

  /** Whether it waits to be resumed: it is neither ready, nor runs, nor has it ended. */
  boolean waits;

  /** Whether it was resumed while it did not wait. */
  boolean permit;

  /** Whether its code finds itself interrupted in its next step. */
  boolean interrupted;

  /** Its place in the heap of those that wait until a time, or -1. */
  int wakeAt = -1;

  SteppedSession(SteppedSessions owner, Runnable body) {
    this(owner, body, new RawContinuation(body));
  }

  private SteppedSession(
      SteppedSessions owner, Runnable body, @Nullable RawContinuation continuation) {
    this.owner = owner;
    this.body = body;
    this.continuation = continuation;
  }

  /** Makes one that has a single step, in which it must not wait: it needs no stack of its own. */
  static SteppedSession withoutWaits(SteppedSessions owner, Runnable body) {
    return new SteppedSession(owner, body, null);
  }

  /** Runs its next step. */
  void run() {
    if (continuation == null) {
      body.run();
    } else {
      continuation.run();
    }
  }

  @Override
  public void await(long durationNs) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    owner.suspend(this, durationNs);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  @Override
  boolean pause() {
    return false;
  }

  @Override
  public long nanoTime() {
    return owner.nanoTime();
  }

  @Override
  public void resume() {
    owner.resume(this);
  }
}
