package dev.takt.session;

/**
 * The turn of a session on the carrier that it shares with others, if its work may come as fast as
 * it is done.
 *
 * <p><b>Purpose.</b> A session gives its carrier to others where it waits. One that always has work
 * never waits, and as many of these as there are carriers keep all other sessions from running, for
 * good. So after a millisecond without a wait it passes the carrier on.
 *
 * <p><b>How.</b> It waits for a moment, by time. A yield is not enough: it goes behind those of its
 * carrier alone, and while these yield, too, nobody comes to run whom another thread has woken.
 *
 * <p><b>Thread rule.</b> One session at a time. <b>Memory.</b> 32 bytes.
 *
 * {@snippet :
 * CarrierTurn turn = new CarrierTurn();
 * for (String line = transport.readLine(); line != null; line = transport.readLine()) {
 *   turn.beginIfWaited();
 *   handle(line);
 *   if (turn.isOver()) {
 *     turn.pass(); // or turn.next(...), if it can be seen whether the next line is here
 *   }
 * }
 * }
 */
public final class CarrierTurn {
  /** For how long a session keeps its carrier from the others. */
  private static final long TURN_NS = 1_000_000;

  /** Work that took so long to come was waited for. */
  private static final long WAITED_NS = 50_000;

  private static final long PAUSE_NS = 1_000;

  private long beganNs;
  private long lookedNs;

  /** Begins the first turn. */
  public CarrierTurn() {
    begin();
  }

  /** Begins a turn: the session has waited, or has no work. */
  public void begin() {
    beganNs = Suspension.now();
    lookedNs = beganNs;
  }

  /** Begins a turn if the session has waited since it asked whether its turn is over. */
  public void beginIfWaited() {
    long nowNs = Suspension.now();
    if (nowNs - lookedNs >= WAITED_NS) {
      beganNs = nowNs;
    }
  }

  /** Returns whether others are to run before this session goes on. */
  public boolean isOver() {
    lookedNs = Suspension.now();
    return lookedNs - beganNs >= TURN_NS;
  }

  /**
   * Lets others run, then begins a turn.
   *
   * @throws InterruptedException if the session is cancelled
   */
  public void pass() throws InterruptedException {
    Suspension here = Suspension.current();
    long endNs = here.nanoTime() + PAUSE_NS;
    for (long leftNs = PAUSE_NS; leftNs > 0; leftNs = endNs - here.nanoTime()) {
      here.await(leftNs); // may return early
    }
    begin();
  }

  /**
   * Begins the next turn when one is over. A session that is cancelled meanwhile goes on until it
   * waits.
   *
   * @param hasWork whether the session would go on without a wait, so that others run first
   */
  public void next(boolean hasWork) {
    if (!hasWork) {
      begin();
      return;
    }
    try {
      pass();
    } catch (InterruptedException cancelled) {
      Thread.currentThread().interrupt();
    }
  }
}
