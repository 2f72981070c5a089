package dev.takt.client;

import dev.takt.space.WaitClock;
import java.io.IOException;
import java.io.InterruptedIOException;

/**
 * Until when the steps of making a link have to be done, all of them together: to connect, to be
 * greeted, and to ask what became of requests. So a host that stands still costs its caller the
 * time of the setting once, and not once for each step.
 *
 * <p><b>Thread rule:</b> any thread.
 */
final class Deadline {
  private static final long MS = 1_000_000;

  private final WaitClock clock;
  private final long beginNs;
  private final long timeoutNs;
  private final String setting;

  /**
   * Makes one that begins at once.
   *
   * @param timeoutNs from 1 on
   * @param setting where that comes from, for the message of a failure
   */
  Deadline(WaitClock clock, long timeoutNs, String setting) {
    this.clock = clock;
    beginNs = clock.nanoTime();
    this.timeoutNs = timeoutNs;
    this.setting = setting;
  }

  /** Returns how much time is left, in nanoseconds; 0 or less: none. */
  long leftNs() {
    return timeoutNs - (clock.nanoTime() - beginNs);
  }

  /**
   * Returns how much time is left for an answer of the host.
   *
   * @throws InterruptedIOException if the thread is interrupted, which it is afterwards, too
   * @throws IOException if there is none
   */
  long requireLeft(MessageLink link) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("interrupted before the host has answered; connect again");
    }
    long left = leftNs();
    if (left <= 0) {
      throw new IOException(
          "the host has not answered for %s ms (%s); %s"
              .formatted(Math.ceilDiv(timeoutNs, MS), setting, link.doubt()));
    }
    return left;
  }
}
