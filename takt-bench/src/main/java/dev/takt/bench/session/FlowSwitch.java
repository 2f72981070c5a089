package dev.takt.bench.session;

import org.apache.commons.javaflow.api.Continuation;
import org.apache.commons.javaflow.api.continuable;

/**
 * Code that javaflow suspends again and again, two calls below where it began: a session that waits
 * in a transport is deeper.
 */
final class FlowSwitch implements Runnable {
  @Override
  @continuable
  public void run() {
    for (int round = 0; round >= 0; round = (round + 1) & Integer.MAX_VALUE) {
      transaction(round);
    }
  }

  @continuable
  private void transaction(int round) {
    if (read() < 0) {
      throw new IllegalStateException("round " + round);
    }
  }

  @continuable
  private int read() {
    Continuation.suspend();
    return 1;
  }
}
