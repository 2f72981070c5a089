package dev.takt.rtsj.event;

/**
 * What {@link PendingFires} should do, one call after the other, written down as plainly as can be.
 */
public final class PendingFiresModel {
  private long count;
  private boolean queued;
  private boolean running;
  private boolean closed;
  private boolean ended;

  public String fire() {
    if (closed) {
      return "REFUSED of " + count;
    }
    boolean wakes = !queued && !running;
    queued |= wakes;
    count++;
    return (wakes ? "READY" : "DONE") + " of " + (count - 1);
  }

  /** Claims if it does not run, finishes if it does. */
  public String step() {
    if (running) {
      running = false;
      queued = count > 0;
      return queued ? "READY" : rest();
    }
    if (!queued) {
      return "DONE";
    }
    queued = false;
    if (count == 0) {
      return rest();
    }
    running = true;
    count--;
    return "READY";
  }

  /** Gives back what was claimed, if it runs. */
  public String unclaim() {
    if (!running) {
      return "DONE";
    }
    running = false;
    queued = true;
    count++;
    return "READY";
  }

  public String close(boolean discard) {
    final long before = count;
    closed = true;
    count = discard ? 0 : count;
    boolean ends = (!queued || count == 0) && !running && !ended;
    queued &= !ends;
    ended |= ends;
    return (ends ? "ENDED" : "DONE") + " of " + before;
  }

  public long getAndDecrement() {
    return count > 0 ? count-- : 0;
  }

  public long getAndClear() {
    long before = count;
    count = 0;
    return before;
  }

  public String look() {
    return count + (queued ? " ready" : "") + (closed ? " closed" : "") + (ended ? " ended" : "");
  }

  private String rest() {
    ended |= closed;
    return closed ? "ENDED" : "DONE";
  }
}
