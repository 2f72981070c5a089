package dev.takt.bench.session;

import dev.takt.session.InVmTransport;
import dev.takt.session.Transport;
import dev.takt.session.TransportSettings;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.LongUnaryOperator;

/**
 * A connection as one has it with the JDK alone: a bounded queue for each direction.
 *
 * @param in what the other end has written
 * @param out what the other end is to read
 */
record QueueTransport(BlockingQueue<String> in, BlockingQueue<String> out) implements Transport {
  /** No line, and not equal to one by identity. */
  @SuppressWarnings("StringOperationCanBeSimplified")
  private static final String END = new String("end");

  /** Makes a connection. */
  static InVmTransport.Pair pair() {
    int lines = TransportSettings.DEFAULTS.maxQueuedLines();
    BlockingQueue<String> one = new ArrayBlockingQueue<>(lines);
    BlockingQueue<String> other = new ArrayBlockingQueue<>(lines);
    return new InVmTransport.Pair(new QueueTransport(one, other), new QueueTransport(other, one));
  }

  @Override
  @SuppressWarnings("ReferenceEquality")
  public String readLine() throws IOException {
    try {
      String line = in.take();
      return line == END ? null : line;
    } catch (InterruptedException e) {
      throw new InterruptedIOException("interrupted");
    }
  }

  @Override
  public void writeLine(String line) throws IOException {
    try {
      out.put(line);
    } catch (InterruptedException e) {
      throw new InterruptedIOException("interrupted");
    }
  }

  @Override
  public void excuseIdle(LongUnaryOperator moreNs) {
    // no read ends for want of a line
  }

  @Override
  public void close() {
    out.offer(END);
  }
}
