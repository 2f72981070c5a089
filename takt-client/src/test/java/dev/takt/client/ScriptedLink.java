package dev.takt.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.MessageReader;
import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.Refusal;
import dev.takt.client.wire.WireLimits;
import dev.takt.space.Event;
import dev.takt.space.SpaceSettings;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A link whose other side is the test: it says what comes, when, and how much room there is. */
final class ScriptedLink implements MessageLink {
  static final WireLimits WIRE = WireLimits.DEFAULTS.withMaxMessageBytes(512);
  private static final byte[] END = {};
  private static final long LONG_S = 20;

  /** What the client has sent, without its content. */
  record Sent(MessageKind kind, Operation operation, int transaction, long request, long number) {}

  final AtomicInteger room = new AtomicInteger(Integer.MAX_VALUE);
  private final BlockingQueue<byte[]> toHost = new LinkedBlockingQueue<>();
  private final Queue<byte[]> toClient = new ConcurrentLinkedQueue<>();
  private final Semaphore wakeUps = new Semaphore(0);

  /** How often a thread has begun to wait, and how often one that could not: it was interrupted. */
  final AtomicInteger waits = new AtomicInteger();

  final AtomicInteger vainWaits = new AtomicInteger();
  private final AtomicInteger waiting = new AtomicInteger();
  private final MessageReader reader = new MessageReader(WIRE);
  private final MessageWriter writer = new MessageWriter(WIRE);
  private final long spinNs;
  private volatile boolean isClosed;

  /** What {@link #await} throws, or null. */
  volatile Error fault;

  /** Whether only {@link #await} sees the end, as by shared memory. */
  volatile boolean endsInAwait;

  private volatile boolean isEndSeen;
  private volatile boolean isPolled;

  ScriptedLink(long spinNs) {
    this.spinNs = spinNs;
  }

  // ---- the side of the client

  @Override
  public boolean offer(MemorySegment message, int length) throws IOException {
    if (isClosed) {
      throw new IOException("the link is closed");
    }
    if (room.getAndUpdate(left -> Math.max(0, left - 1)) == 0) {
      return false;
    }
    toHost.add(bytes(message, length));
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
      return endsInAwait && !isEndSeen ? NONE : ENDED;
    }
    MemorySegment.copy(message, 0, into, ValueLayout.JAVA_BYTE, 0, message.length);
    return message.length;
  }

  @Override
  public void await(long timeoutNs) {
    Error broken = fault;
    if (broken != null) {
      throw broken;
    }
    waiting.incrementAndGet();
    waits.incrementAndGet();
    if (Thread.currentThread().isInterrupted()) {
      vainWaits.incrementAndGet();
    }
    isPolled = false; // who sleeps says so each time
    isEndSeen |= isClosed;
    try {
      if (toClient.isEmpty()) {
        wakeUps.tryAcquire(timeoutNs, TimeUnit.NANOSECONDS);
      }
      wakeUps.drainPermits();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      waiting.decrementAndGet();
    }
  }

  @Override
  public void wakeUp() {
    wakeUps.release();
  }

  @Override
  public long spinNs() {
    return spinNs;
  }

  @Override
  public void setPolled(boolean polled) {
    isPolled = polled;
  }

  @Override
  public void close() {
    isClosed = true;
    toClient.add(END);
    wakeUps.release();
  }

  // ---- the side of the test

  private static byte[] bytes(MemorySegment message, int length) {
    byte[] bytes = new byte[length];
    MemorySegment.copy(message, ValueLayout.JAVA_BYTE, 0, bytes, 0, length);
    return bytes;
  }

  /** Ends what comes; there is no room for what is sent, if there was none. */
  void hangUp() {
    toClient.add(END);
    wakeUps.release();
  }

  /** Waits for what the client sends next. */
  Sent next() throws Exception {
    byte[] message = toHost.poll(LONG_S, TimeUnit.SECONDS);
    assertThat(message).as("a message of the client").isNotNull();
    reader.begin(MemorySegment.ofArray(message), 0, message.length);
    return new Sent(
        reader.kind(), reader.operation(), reader.transaction(), reader.request(), reader.number());
  }

  boolean hasSentNothing() {
    return toHost.isEmpty();
  }

  void welcome() {
    welcome(0);
  }

  void welcome(long outcomes) {
    writer.welcome(512, outcomes, SpaceSettings.DEFAULTS);
    put();
  }

  /** Answers; the client is not woken before {@link #flush}. */
  void answer(MessageKind kind, Sent to, long number, Event... events) {
    writer.answer(kind, to.operation, to.request, number);
    for (Event event : events) {
      writer.event(event);
    }
    writer.end();
    put();
  }

  void answer(Sent to, long number, Event... events) {
    answer(MessageKind.ANSWER, to, number, events);
  }

  void refuse(Sent to, Refusal why, String text) {
    writer.refusal(to.operation, to.request, why, text);
    put();
  }

  void notice(long subscription) {
    writer.notice(subscription);
    put();
  }

  private void put() {
    toClient.add(bytes(writer.segment(), writer.length()));
  }

  /** Wakes who sleeps, as the other side of a link does: unless somebody polls. */
  void flush() {
    if (!isPolled) {
      wakeUps.release();
    }
  }

  /** Waits until a thread sleeps in the link, and everything that has come is received. */
  void awaitSleeper() {
    while (waiting.get() == 0 || !toClient.isEmpty() || wakeUps.availablePermits() > 0) {
      Thread.onSpinWait();
    }
  }
}
