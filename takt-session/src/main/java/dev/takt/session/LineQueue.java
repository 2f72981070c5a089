package dev.takt.session;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Lines on their way from one writer to one reader in the same JVM.
 *
 * <p><b>How.</b> A ring of slots; the writer owns {@code tail} and the reader {@code head}. Who has
 * to wait says so in a volatile field and looks once more before it suspends; the other side moves
 * its index and then looks whether somebody waits. So one of them sees the other.
 *
 * <p><b>Thread rule.</b> One writer and one reader at a time; closing by any thread.
 * <b>Progress.</b> Without locks. <b>Memory.</b> 4 to 8 bytes for each line of capacity.
 */
final class LineQueue {
  private final AtomicReferenceArray<@Nullable String> ring;
  private final long timeNs;
  private final long roomNs;

  private volatile long head;
  private volatile long tail;

  /** The writer's end is closed: what is queued is still read. */
  private volatile boolean ended;

  /** The reader's end is closed: nothing is written any more. */
  private volatile boolean refused;

  private volatile @Nullable Suspension reader;
  private volatile @Nullable Suspension writer;

  LineQueue(TransportSettings settings) {
    ring = new AtomicReferenceArray<>(settings.maxQueuedLines());
    timeNs = orForEver(settings.readTimeout().toNanos());
    roomNs = orForEver(settings.writeTimeout().toNanos());
  }

  private static long orForEver(long ns) {
    return ns == 0 ? Suspension.FOR_EVER_NS : ns;
  }

  // ---- the writer's side

  void put(String line) throws IOException {
    if (!hasRoom()) {
      awaitRoom();
    }
    if (ended || refused) {
      throw new TransportException(
          (ended ? "this end" : "the other end") + " is closed; the line is not written");
    }
    long at = tail;
    ring.setPlain((int) (at % ring.length()), line);
    tail = at + 1;
    resume(reader);
  }

  private boolean hasRoom() {
    return tail - head < ring.length() || ended || refused;
  }

  private void awaitRoom() throws IOException {
    Suspension here = Suspension.current();
    writer = here;
    try {
      long endNs = here.nanoTime() + roomNs;
      for (long leftNs = roomNs; !hasRoom(); leftNs = left(here, endNs, roomNs)) {
        if (leftNs <= 0) {
          throw new SocketTimeoutException(
              "no room for a line within %d ms: %d lines wait for the reader; read them, or raise"
                      .formatted(roomNs / 1_000_000, ring.length())
                  + " TransportSettings.maxQueuedLines or writeTimeout");
        }
        await(here, leftNs);
      }
    } finally {
      writer = null;
    }
  }

  void end() {
    ended = true;
    resume(reader);
    resume(writer);
  }

  // ---- the reader's side

  @Nullable String take() throws IOException {
    if (!hasLine()) {
      awaitLine();
    }
    if (refused) {
      throw new TransportException("this end is closed; no line is read from it");
    }
    long at = head;
    if (at == tail) {
      return null;
    }
    String line = ring.getPlain((int) (at % ring.length()));
    ring.setPlain((int) (at % ring.length()), null);
    head = at + 1;
    resume(writer);
    return line;
  }

  private boolean hasLine() {
    return head != tail || ended || refused;
  }

  private void awaitLine() throws IOException {
    Suspension here = Suspension.current();
    reader = here;
    try {
      long endNs = here.nanoTime() + timeNs;
      for (long leftNs = timeNs; !hasLine(); leftNs = left(here, endNs, timeNs)) {
        if (leftNs <= 0) {
          throw new SocketTimeoutException(
              "no line within %d ms; the other end is silent, or TransportSettings.readTimeout is"
                      .formatted(timeNs / 1_000_000)
                  + " too short for it");
        }
        await(here, leftNs);
      }
    } finally {
      reader = null;
    }
  }

  void refuse() {
    refused = true;
    resume(reader);
    resume(writer);
  }

  // ---- both

  private static long left(Suspension here, long endNs, long durationNs) {
    return durationNs >= Suspension.FOR_EVER_NS ? durationNs : endNs - here.nanoTime();
  }

  private static void await(Suspension here, long durationNs) throws InterruptedIOException {
    try {
      here.await(durationNs);
    } catch (InterruptedException cancelled) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the session is cancelled while it waits for a line");
    }
  }

  private static void resume(@Nullable Suspension waiting) {
    if (waiting != null) {
      waiting.resume();
    }
  }
}
