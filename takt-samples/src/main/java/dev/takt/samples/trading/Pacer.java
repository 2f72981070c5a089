package dev.takt.samples.trading;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.ReleaseTimer;

/**
 * Says when a line is due: as long after the first line as it was in the market, divided by the
 * speed. Waits on an absolute schedule, so that delays do not add up.
 *
 * <p><b>Thread rule:</b> one thread; {@link #cancel} from any.
 */
final class Pacer {
  private final NanoClock clock;
  private final ReleaseTimer timer;
  private final int speed;
  private boolean started;
  private long startNs;
  private long firstNs;

  /**
   * Makes a pacer.
   *
   * @param speed how many times faster than the market; 0: no waiting at all
   */
  Pacer(NanoClock clock, int speed) {
    this.clock = clock;
    this.speed = speed;
    timer = new ReleaseTimer(clock);
  }

  boolean isPaced() {
    return speed > 0;
  }

  /** The next line is the first of a pass. */
  void restart() {
    started = false;
  }

  /** Whether a line of this market time is due now; the first one always is. */
  boolean isDue(long timeNs) {
    long nowNs = clock.nanoTime();
    if (!started) {
      started = true;
      startNs = nowNs;
      firstNs = timeNs;
    }
    return dueNs(timeNs) - nowNs <= 0;
  }

  /** Waits until a line of this market time is due; false if cancelled. */
  boolean await(long timeNs) {
    return timer.await(dueNs(timeNs));
  }

  private long dueNs(long timeNs) {
    return startNs + (timeNs - firstNs) / speed;
  }

  /** Ends the present wait and all later ones. */
  void cancel() {
    timer.cancel();
  }
}
