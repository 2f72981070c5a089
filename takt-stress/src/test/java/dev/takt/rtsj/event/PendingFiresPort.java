package dev.takt.rtsj.event;

import dev.takt.rtsj.event.PendingFires.Outcome;

/** The shipped {@link PendingFires}, with results that can be compared with the model's. */
public final class PendingFiresPort {
  private final PendingFires fires = new PendingFires();

  /** Whether the one server runs the handler; nobody else's. */
  private boolean running;

  public String fire() {
    long before = fires.fire();
    return PendingFires.outcomeOfFire(before) + " of " + PendingFires.countIn(before);
  }

  public String step() {
    if (running) {
      running = false;
      return fires.finish().toString();
    }
    Outcome claim = fires.claim();
    running = claim == Outcome.READY;
    return claim.toString();
  }

  public String unclaim() {
    if (!running) {
      return "DONE";
    }
    running = false;
    fires.unclaim();
    return "READY";
  }

  public String close(boolean discard) {
    long before = fires.close(discard);
    return PendingFires.outcomeOfClose(before, discard) + " of " + PendingFires.countIn(before);
  }

  public long getAndDecrement() {
    return fires.getAndDecrement();
  }

  public long getAndClear() {
    return fires.getAndClear();
  }

  /** Only for one thread: it looks several times. */
  public String look() {
    return fires.count()
        + (fires.isReady() ? " ready" : "")
        + (fires.isClosed() ? " closed" : "")
        + (fires.isEnded() ? " ended" : "");
  }
}
