package dev.takt.session;

/**
 * A session on a raw continuation, which is at the same time the place where it waits.
 *
 * <p><b>Thread rule.</b> That of {@link SteppedSessions}; {@link #resume} is for any thread.
 */
final class SteppedSession extends Suspension {
  final SteppedSessions owner;
  final RawContinuation continuation;

  /** Whether it waits to be resumed: it is neither ready, nor runs, nor has it ended. */
  boolean waits;

  /** Whether it was resumed while it did not wait. */
  boolean permit;

  /** Whether its code finds itself interrupted in its next step. */
  boolean interrupted;

  // ---- of the heap

  int wakeAt = -1;
  long wakeNs;
  long wakeOrder;

  SteppedSession(SteppedSessions owner, Runnable body) {
    this.owner = owner;
    continuation = new RawContinuation(body);
  }

  boolean wakesBefore(SteppedSession other) {
    return wakeNs != other.wakeNs ? wakeNs < other.wakeNs : wakeOrder < other.wakeOrder;
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
