package dev.takt.host;

import dev.takt.client.MessageLink;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Both ends of a link within this process: messages are copied into queues. */
final class MemoryLink implements MessageLink {
  private static final byte[] END = {};

  final BlockingQueue<byte[]> toHost = new LinkedBlockingQueue<>();
  private final BlockingQueue<byte[]> toClient = new LinkedBlockingQueue<>();
  private final Semaphore wakeUps = new Semaphore(0);
  private volatile boolean isClosed;

  static byte[] copy(MemorySegment message, int length) {
    byte[] bytes = new byte[length];
    MemorySegment.copy(message, ValueLayout.JAVA_BYTE, 0, bytes, 0, length);
    return bytes;
  }

  @Override
  public boolean offer(MemorySegment message, int length) throws IOException {
    if (isClosed) {
      throw new IOException("the link is closed");
    }
    toHost.add(copy(message, length));
    return true;
  }

  @Override
  public int poll(MemorySegment into) {
    byte[] message = toClient.poll();
    if (message == null) {
      return NONE;
    }
    if (message == END) {
      toClient.add(END);
      return ENDED;
    }
    MemorySegment.copy(message, 0, into, ValueLayout.JAVA_BYTE, 0, message.length);
    return message.length;
  }

  @Override
  public void await(long timeoutNs) {
    try {
      if (toClient.isEmpty()) {
        wakeUps.tryAcquire(timeoutNs, TimeUnit.NANOSECONDS);
      }
      wakeUps.drainPermits();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void wakeUp() {
    wakeUps.release();
  }

  /** Gives the client a message. */
  void toClient(MemorySegment message, int length) {
    toClient.add(copy(message, length));
    wakeUps.release();
  }

  boolean isClosed() {
    return isClosed;
  }

  @Override
  public void close() {
    isClosed = true;
    toClient.add(END);
    wakeUps.release();
  }
}
