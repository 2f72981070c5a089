package dev.takt.client;

import dev.takt.client.link.Link;
import dev.takt.client.link.LinkWaiter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A link by shared memory: a message is a record. */
final class SharedMemoryLink implements MessageLink {
  private final Link link;
  private final LinkWaiter waiter;
  private final long spinNs;

  /**
   * A record, for a caller that takes shorter messages than the records are; null: none was. It is
   * in the heap, since only a collection frees other memory that needs not be closed.
   */
  private @Nullable MemorySegment record;

  private SharedMemoryLink(Link link, LinkWaiter waiter, long spinNs) {
    this.link = link;
    this.waiter = waiter;
    this.spinNs = spinNs;
  }

  /**
   * Takes a link over, which is closed with this one, or if this fails.
   *
   * @param spinNs see {@link #spinNs}
   */
  static SharedMemoryLink of(Link link, long spinNs) throws IOException {
    LinkWaiter waiter = null;
    try {
      waiter = LinkWaiter.open(0);
      waiter.add(link);
      return new SharedMemoryLink(link, waiter, spinNs);
    } catch (Throwable failure) {
      if (waiter != null) {
        waiter.close();
      }
      link.close();
      throw failure;
    }
  }

  @Override
  public boolean offer(MemorySegment message, int length) throws IOException {
    return link.offer(message, 0, length);
  }

  @Override
  public int poll(MemorySegment into) throws IOException {
    if (into.byteSize() >= link.maxRecordBytes()) {
      return link.poll(into); // its codes are the same
    }
    MemorySegment whole = record;
    if (whole == null) {
      whole = MemorySegment.ofArray(new byte[link.maxRecordBytes()]);
      record = whole;
    }
    int length = link.poll(whole);
    if (length > into.byteSize()) {
      throw new IOException(
          "a message of %s bytes: limit=%s, WireLimits.maxMessageBytes"
              .formatted(length, into.byteSize()));
    }
    if (length > 0) {
      MemorySegment.copy(whole, 0, into, 0, length);
    }
    return length;
  }

  @Override
  public void await(long timeoutNs) throws IOException {
    waiter.await(timeoutNs);
  }

  @Override
  public void wakeUp() {
    waiter.wakeUp();
  }

  @Override
  public long spinNs() {
    return spinNs;
  }

  @Override
  public int maxMessageBytes() {
    return link.maxRecordBytes();
  }

  @Override
  public boolean acknowledge(long request) throws IOException {
    link.acknowledge(request);
    return true;
  }

  @Override
  public void setPolled(boolean isPolled) {
    if (isPolled) {
      link.clearSleep();
    } else {
      link.announceSleep();
    }
  }

  @Override
  public void close() throws IOException {
    try (waiter) {
      link.close();
    }
  }
}
