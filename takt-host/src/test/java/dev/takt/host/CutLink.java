package dev.takt.host;

import dev.takt.client.MessageLink;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/** A link that is cut when so many messages have passed: one before, between, or after both. */
final class CutLink implements MessageLink {
  private final MessageLink link;
  private final AtomicInteger left;
  private final boolean isAfterSending;
  private volatile boolean isCut;

  CutLink(MessageLink link, int messages, boolean isAfterSending) {
    this.link = link;
    this.isAfterSending = isAfterSending;
    left = new AtomicInteger(messages);
  }

  private boolean isLast() {
    return left.getAndDecrement() <= 0;
  }

  private void cut() throws IOException {
    isCut = true;
    link.close();
  }

  @Override
  public boolean offer(MemorySegment message, int length) throws IOException {
    boolean isLast = !isCut && isLast();
    if (isLast && !isAfterSending) {
      cut();
    }
    if (isCut) {
      throw new IOException("cut");
    }
    boolean isSent = link.offer(message, length);
    if (isLast) {
      cut();
    }
    return isSent;
  }

  @Override
  public int poll(MemorySegment into) throws IOException {
    if (isCut) {
      return ENDED;
    }
    int length = link.poll(into);
    if (length >= 0 && isLast()) {
      cut();
      return ENDED;
    }
    return length;
  }

  @Override
  public void await(long timeoutNs) throws IOException {
    if (!isCut) {
      link.await(timeoutNs);
    }
  }

  @Override
  public void wakeUp() {
    link.wakeUp();
  }

  @Override
  public long spinNs() {
    return link.spinNs();
  }

  @Override
  public int maxMessageBytes() {
    return link.maxMessageBytes();
  }

  @Override
  public void setPolled(boolean isPolled) {
    if (!isCut) {
      link.setPolled(isPolled);
    }
  }

  @Override
  public void close() throws IOException {
    isCut = true;
    link.close();
  }
}
