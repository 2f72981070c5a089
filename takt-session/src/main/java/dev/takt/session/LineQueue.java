package dev.takt.session;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Lines on their way from one writer to one reader in the same JVM.
 *
 * <p><b>How.</b> A ring of slots; the writer owns {@code tail} and the reader {@code head}. Who has
 * to wait says so in a volatile field and looks once more before it suspends; the other side moves
 * its index and then looks whether somebody waits. So one of them sees the other. A reader looks
 * for a line for a learned short time before it suspends ({@link LearnedPatience}).
 *
 * <p><b>Thread rule.</b> One writer and one reader at a time; closing by any thread.
 * <b>Progress.</b> Without locks. <b>Memory.</b> 4 to 8 bytes for each line of capacity.
 */
final class LineQueue {
  private final AtomicReferenceArray<@Nullable String> ring;
  private final TransportSettings settings;

  private volatile long head;
  private volatile long tail;

  /** The writer's end is closed: what is queued is still read. */
  private volatile boolean ended;

  /** The reader's end is closed: nothing is written any more. */
  private volatile boolean refused;

  private final LearnedPatience patience;

  private volatile @Nullable Suspension reader;
  private final WaitLimit readLimit;

  /** When the line came for which a reader was suspended. */
  private volatile long cameNs;

  private volatile @Nullable Suspension writer;
  private final WaitLimit roomLimit;

  LineQueue(TransportSettings settings) {
    ring = new AtomicReferenceArray<>(settings.maxQueuedLines());
    this.settings = settings;
    patience = new LearnedPatience(settings.maxPatience().toNanos());
    readLimit = new WaitLimit(settings.readLimitNs(), () -> resume(reader));
    roomLimit = new WaitLimit(settings.writeTimeout().toNanos(), () -> resume(writer));
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
    Suspension waiting = reader;
    if (waiting != null) {
      cameNs = waiting.nanoTime();
      waiting.resume();
    }
    if (ended) {
      // the reader may have found the end before the line
      throw new TransportException(
          "this end was closed while it wrote; the line may not have been read");
    }
  }

  private boolean hasRoom() {
    return tail - head < ring.length() || ended || refused;
  }

  private void awaitRoom() throws IOException {
    Suspension here = Suspension.current();
    writer = here;
    roomLimit.begin();
    try {
      while (!hasRoom()) {
        if (roomLimit.isExceeded()) {
          throw new SocketTimeoutException(
              "no room for a line within %d ms: %d lines wait for the reader; read them, or raise"
                      .formatted(settings.writeTimeout().toMillis(), ring.length())
                  + " TransportSettings.maxQueuedLines or writeTimeout");
        }
        await(here, "room for a line");
      }
    } finally {
      roomLimit.end();
      writer = null;
    }
  }

  void end() {
    ended = true;
    roomLimit.close();
    resume(reader);
    resume(writer);
  }

  // ---- the reader's side

  /** As {@link Transport#excuseIdle}. */
  void excuseIdle(LongUnaryOperator moreNs) {
    if (settings.closesWhenIdle()) {
      readLimit.excuse(moreNs);
    }
  }

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
    long beginNs = here.nanoTime();
    if (lookForLine(here, beginNs)) {
      return;
    }
    cameNs = beginNs;
    reader = here;
    readLimit.begin();
    try {
      while (!hasLine()) {
        if (readLimit.isExceeded()) {
          throw settings.noLine(0);
        }
        await(here, "a line");
      }
    } finally {
      readLimit.end();
      reader = null;
    }
    long nowNs = here.nanoTime();
    long untilNs = cameNs == beginNs ? nowNs : cameNs;
    patience.suspended(untilNs - beginNs, nowNs - untilNs);
  }

  /** Looks for a line for as long as that has paid so far; returns whether one came. */
  private boolean lookForLine(Suspension here, long beginNs) {
    long looksNs = patience.patienceNs();
    if (looksNs > 0) {
      while (here.pause()) {
        long passedNs = here.nanoTime() - beginNs;
        if (hasLine()) {
          patience.foundLooking(passedNs);
          return true;
        }
        if (passedNs >= looksNs) {
          return false;
        }
      }
    }
    return false;
  }

  void refuse() {
    refused = true;
    readLimit.close();
    resume(reader);
    resume(writer);
  }

  // ---- both

  private static void await(Suspension here, String what) throws InterruptedIOException {
    try {
      here.await(Suspension.FOR_EVER_NS);
    } catch (InterruptedException cancelled) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the session is cancelled while it waits for " + what);
    }
  }

  private static void resume(@Nullable Suspension waiting) {
    if (waiting != null) {
      waiting.resume();
    }
  }
}
