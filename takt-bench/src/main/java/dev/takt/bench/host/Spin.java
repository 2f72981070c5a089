package dev.takt.bench.host;

import java.util.concurrent.locks.LockSupport;

/**
 * How a peer waits: it looks again and again, as Takt's host and client do, here for 20 ms, and
 * then only now and then, so that it takes no processor while another one is measured.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class Spin {
  /** For how long all look again and again, in nanoseconds. */
  static final long SPIN_NS = 20_000_000;

  /** How seldom they look after that, in nanoseconds. */
  static final long REST_NS = 1_000_000;

  private static final int LOOKS = 64;

  private int looks;
  private long sinceNs;

  /** There was something. */
  void reset() {
    looks = 0;
  }

  /** There was nothing. */
  void pause() {
    if (isOver()) {
      LockSupport.parkNanos(REST_NS);
    } else {
      Thread.onSpinWait();
    }
  }

  /** There was nothing; returns whether that is so for longer than all spin. */
  boolean isOver() {
    if (looks++ % LOOKS == 0) {
      long nowNs = System.nanoTime();
      if (looks == 1) {
        sinceNs = nowNs;
      } else if (nowNs - sinceNs > SPIN_NS) {
        looks = LOOKS; // the next look is a look at the clock
        return true;
      }
    }
    return false;
  }
}
