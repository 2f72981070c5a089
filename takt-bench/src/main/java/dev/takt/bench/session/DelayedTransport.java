package dev.takt.bench.session;

import dev.takt.session.Transport;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.locks.LockSupport;

/**
 * A transport whose every read and write takes some time more, as in the mail.
 *
 * @param inner what carries the lines
 * @param delayNs how long each call is delayed, in nanoseconds
 */
record DelayedTransport(Transport inner, long delayNs) implements Transport {
  /** Returns a transport with a delay, or as it is without one. */
  static Transport of(Transport inner, long delayNs) {
    return delayNs == 0 ? inner : new DelayedTransport(inner, delayNs);
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
      LockSupport.parkNanos(leftNs);
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted in a delay");
      }
    }
  }

  @Override
  public void close() {
    inner.close();
  }
}
