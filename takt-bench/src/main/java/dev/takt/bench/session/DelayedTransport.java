package dev.takt.bench.session;

import dev.takt.session.Transport;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.function.LongUnaryOperator;

/**
 * A transport whose every read and write takes some time more, as in the mail.
 *
 * @param inner what carries the lines
 * @param delayNs how long each call is delayed, in nanoseconds
 * @param pause by what it is delayed
 */
record DelayedTransport(Transport inner, long delayNs, Pause pause) implements Transport {
  /** Lets the caller wait. */
  interface Pause {
    /** Waits for some time, in nanoseconds; may return early. */
    void await(long durationNs) throws InterruptedException;
  }

  /** Returns a transport with a delay, or as it is without one. */
  static Transport of(Transport inner, long delayNs, Pause pause) {
    return delayNs == 0 ? inner : new DelayedTransport(inner, delayNs, pause);
  }

  @Override
  public String readLine() throws IOException {
    delay();
    return inner.readLine();
  }

  @Override
  public void writeLine(String line) throws IOException {
    delay();
    inner.writeLine(line);
  }

  private void delay() throws IOException {
    long endNs = System.nanoTime() + delayNs;
    for (long leftNs = delayNs; leftNs > 0; leftNs = endNs - System.nanoTime()) {
      try {
        pause.await(leftNs);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted in a delay");
      }
    }
  }

  @Override
  public void excuseIdle(LongUnaryOperator moreNs) {
    inner.excuseIdle(moreNs);
  }

  @Override
  public void close() {
    inner.close();
  }
}
