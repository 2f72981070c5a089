package dev.takt.host;

import dev.takt.client.MessageLink;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Both ends of a link within this process: messages are copied into queues. */
final class MemoryLink implements MessageLink {
  private static final byte[] END = {};

  final BlockingQueue<byte[]> toHost = new LinkedBlockingQueue<>();
  final BlockingQueue<byte[]> toClient = new LinkedBlockingQueue<>();
  private volatile boolean isClosed;

  static byte[] copy(MemorySegment message, int length) {
    byte[] bytes = new byte[length];
    MemorySegment.copy(message, ValueLayout.JAVA_BYTE, 0, bytes, 0, length);
    return bytes;
  }

  @Override
  public void send(MemorySegment message, int length) throws IOException {
    if (isClosed) {
      throw new IOException("the link is closed");
    }
    toHost.add(copy(message, length));
  }

  @Override
  public int receive(MemorySegment into) throws IOException {
    try {
      byte[] message = toClient.take();
      if (message == END) {
        return ENDED;
      }
      MemorySegment.copy(message, 0, into, ValueLayout.JAVA_BYTE, 0, message.length);
      return message.length;
    } catch (InterruptedException e) {
      throw new IOException("interrupted", e);
    }
  }

  boolean isClosed() {
    return isClosed;
  }

  @Override
  public void close() {
    isClosed = true;
    toClient.add(END);
  }
}
