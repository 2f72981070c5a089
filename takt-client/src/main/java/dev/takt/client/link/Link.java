package dev.takt.client.link;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection between a client and a host on one machine that carries records both ways: two rings
 * in shared memory, and a socket that shows when the other process has ended, and wakes who sleeps
 * without native access.
 *
 * <p><b>Guarantees:</b> records arrive whole, in order, once. {@link #offer} and {@link #poll}
 * never wait; they make a system call only to wake the other side, and allocate nothing. Whatever
 * the other process does, they end, with a value or a {@link LinkException}. After the end of the
 * other process its whole records can still be read.
 *
 * <p><b>Thread rule:</b> one thread at a time, and another one may wait in its {@link LinkWaiter}
 * meanwhile; {@link #close} any thread at any time.
 *
 * <p><b>Memory:</b> twice {@link LinkSettings#ringBytes} and 5 KB, outside of the heap, in common
 * with the other side; one file descriptor.
 *
 * <pre>{@code
 * try (Link link = Link.connect(folder, 1_000_000_000);
 *     LinkWaiter waiter = LinkWaiter.open(20_000)) {
 *   waiter.add(link);
 *   link.offer(request, 0, length);
 *   waiter.await(1_000_000_000);
 *   int answered = link.poll(answer);
 * }
 * }</pre>
 */
public final class Link implements Closeable {
  /** What {@link #poll} returns if there is no record. */
  public static final int NONE = RingConsumer.NONE;

  /** What {@link #poll} returns if there is no record, and the other process has gone. */
  public static final int ENDED = -2;

  /** How often a loop looks for faults: what is volatile keeps it from being unrolled. */
  private static volatile int faultLooks = 2;

  private static final VarHandle ACKNOWLEDGED = RingLayout.WORD;
  private static final int NO_OFFER = -1;
  private static final int DRAINED = 64;

  private final SocketChannel channel;
  private final Arena arena;
  private final Terms terms;
  private final Runnable atClose;
  private final MemorySegment memory;
  private final RingProducer producer;
  private final RingConsumer consumer;
  private final SleepWord ownSleep;
  final SleepWord peerSleep;

  // In the heap, where they go with the link: only a full collection frees old direct buffers.
  private final ByteBuffer wakeUp = ByteBuffer.allocate(1);
  private final ByteBuffer woken = ByteBuffer.allocate(DRAINED);
  private final AtomicBoolean isClosed = new AtomicBoolean();

  /** The length of the last offer, if it was refused. */
  private volatile int refused = NO_OFFER;

  /** Whether only room is waited for, see {@link #hasRoom}. */
  private volatile boolean isHeldUp;

  /** Whether the thread in the {@link LinkWaiter} sleeps at this side's word. */
  private volatile boolean isAtFutex;

  private volatile boolean hasEnded;

  /** Why the link cannot go on, since when it is known. */
  private volatile @Nullable LinkException failure;

  /** Makes one of a channel that does not block; both are closed with the link. */
  Link(
      SocketChannel channel,
      Arena arena,
      MemorySegment memory,
      Terms terms,
      boolean isHost,
      Runnable atClose) {
    this.channel = channel;
    this.arena = arena;
    this.memory = memory;
    this.terms = terms;
    this.atClose = atClose;
    MemorySegment toHost = LinkMemory.toHost(memory, terms);
    MemorySegment toClient = LinkMemory.toClient(memory, terms);
    producer = new RingProducer(isHost ? toClient : toHost, terms.maxRecordBytes());
    consumer = new RingConsumer(isHost ? toHost : toClient, terms.maxRecordBytes());
    SleepWord host = new SleepWord(memory, LinkMemory.HOST_SLEEPS);
    SleepWord client = new SleepWord(memory, LinkMemory.CLIENT_SLEEPS);
    ownSleep = isHost ? host : client;
    peerSleep = isHost ? client : host;
  }

  /**
   * Connects to the host that listens in a folder. A host that is there and gives this client up,
   * as it does with one that was too slow, is asked again.
   *
   * @param folder the host's, as it was given to {@link LinkListener#open}
   * @param timeoutNs how long to wait for its answers and to try again, in nanoseconds
   * @throws LinkException if there is no host, it refuses, or the folder is not as it has to be
   * @throws IOException if the system refuses
   */
  public static Link connect(Path folder, long timeoutNs) throws IOException {
    return connect(folder, timeoutNs, () -> false);
  }

  /**
   * As {@link #connect(Path, long)}, and gives up soon when the link is not wanted any more.
   *
   * @param isGivenUp says so; it is asked several times a second
   */
  public static Link connect(Path folder, long timeoutNs, BooleanSupplier isGivenUp)
      throws IOException {
    return LinkConnector.connect(folder, timeoutNs, SharedFutex.isAvailable(), isGivenUp);
  }

  /** Returns the bytes of the longest record. */
  public int maxRecordBytes() {
    return terms.maxRecordBytes();
  }

  /**
   * Sends a record, if there is room.
   *
   * @param from where its bytes are
   * @param offset where it begins there
   * @param length its bytes, 0 to {@link #maxRecordBytes}
   * @return whether it was sent; if not, the ring is full, or the other process has ended, which
   *     {@link #poll} tells
   * @throws LinkException if the other side has broken the protocol, or the link is closed
   * @throws IllegalArgumentException if the record is too long
   */
  public boolean offer(MemorySegment from, long offset, int length) throws LinkException {
    checkFailure();
    try {
      if (hasEnded || !producer.offer(from, offset, length)) {
        refused = length;
        meetFaults();
        return false;
      }
      if (refused != NO_OFFER) {
        refused = NO_OFFER;
      }
      wakePeer(peerSleep.claim(SleepWord.RECORDS));
      meetFaults();
      return true;
    } catch (LinkException | IllegalStateException | InternalError e) {
      throw fail(e);
    }
  }

  /**
   * Receives a record, if there is one.
   *
   * @param into has room for the longest record
   * @return the record's length in bytes, {@link #NONE} or {@link #ENDED}
   * @throws LinkException if the other side has broken the protocol, or the link is closed
   * @throws IllegalArgumentException if {@code into} is too short
   */
  public int poll(MemorySegment into) throws LinkException {
    checkFailure();
    try {
      long told = consumer.told();
      int length = consumer.poll(into);
      if (consumer.told() != told) {
        wakePeer(peerSleep.claim(SleepWord.ROOM));
      }
      meetFaults();
      return length == NONE && hasEnded ? ENDED : length;
    } catch (LinkException | IllegalStateException | InternalError e) {
      throw fail(e);
    }
  }

  /**
   * Returns whether {@link #poll} has something to tell, in a part of its time; the end of the
   * other process is told by {@code poll} alone.
   */
  public boolean hasRecord() {
    if (failure != null) {
      return true;
    }
    try {
      boolean isRecord = consumer.isReady();
      meetFaults();
      return isRecord;
    } catch (IllegalStateException | InternalError e) {
      fail(e);
      return true;
    }
  }

  /**
   * Tells the host a number without a record, as a client: it sees the last one when it looks, also
   * after this process has ended.
   *
   * @throws LinkException if the link is closed
   */
  public void acknowledge(long number) throws LinkException {
    checkFailure();
    try {
      ACKNOWLEDGED.setRelease(memory, LinkMemory.ACKNOWLEDGED, number);
      meetFaults();
    } catch (IllegalStateException | InternalError e) {
      throw fail(e);
    }
  }

  /**
   * Returns the number that the client has told last, or 0; a hostile one may tell any.
   *
   * @throws LinkException if the link is closed
   */
  public long acknowledged() throws LinkException {
    checkFailure();
    try {
      long number = (long) ACKNOWLEDGED.getAcquire(memory, LinkMemory.ACKNOWLEDGED);
      meetFaults();
      return number;
    } catch (IllegalStateException | InternalError e) {
      throw fail(e);
    }
  }

  /**
   * Returns whether there is room for a record of any length. If not, the {@link LinkWaiter} of the
   * link waits for that, and not for records: so whoever answers each record with one reads none
   * that it cannot answer.
   *
   * @throws LinkException if the other side has broken the protocol, or the link is closed
   */
  public boolean hasRoom() throws LinkException {
    checkFailure();
    try {
      boolean isRoom = producer.hasRoom(terms.maxRecordBytes());
      meetFaults();
      if (isRoom == isHeldUp) {
        isHeldUp = !isRoom;
        refused = isRoom ? NO_OFFER : terms.maxRecordBytes();
      }
      return isRoom;
    } catch (LinkException | IllegalStateException | InternalError e) {
      throw fail(e);
    }
  }

  /** Returns whether the last {@link #hasRoom} has found none. */
  public boolean isHeldUp() {
    return isHeldUp;
  }

  /** Returns whether the other process has ended or closed the link, as far as was looked. */
  public boolean hasEnded() {
    return hasEnded;
  }

  /** Returns whether this side has closed the link. */
  public boolean isClosed() {
    return isClosed.get();
  }

  /**
   * Ends the link: the other side learns of it at once, and nothing of it is left in this process.
   * Records that were not read are lost. The second call does nothing.
   */
  @Override
  public void close() throws IOException {
    if (isClosed.compareAndSet(false, true)) {
      try (arena) {
        channel.close();
        tellEnd();
      } finally {
        atClose.run();
      }
    }
  }

  /** Who sleeps at a futex does not see the end of the socket at once. */
  private void tellEnd() {
    if (terms.isFutex()) {
      try {
        wakePeer(peerSleep.claim(SleepWord.ANY));
        meetFaults();
      } catch (IllegalStateException | InternalError e) {
        fail(e);
      }
    }
  }

  /** Returns whether both sides can sleep and wake by {@link SharedFutex}. */
  boolean isFutex() {
    return terms.isFutex();
  }

  /** The socket, for a {@link LinkWaiter}. */
  SocketChannel channel() {
    return channel;
  }

  /**
   * Returns whether a poll, or the offer that was refused, would have another outcome; beside a
   * thread that polls it may say so of a record that this one has just taken.
   */
  boolean isReady() {
    if (hasEnded || failure != null) {
      return true;
    }
    try {
      boolean isReady =
          (!isHeldUp && consumer.isReady()) || (refused != NO_OFFER && producer.hasRoom(refused));
      meetFaults();
      return isReady;
    } catch (LinkException | IllegalStateException | InternalError e) {
      fail(e);
      return true;
    }
  }

  /**
   * Says that this side sleeps, so that the other one wakes it for a record; a thread that is in
   * its {@link LinkWaiter} is meant. Whoever calls it has to {@link #poll} once more.
   */
  public void announceSleep() {
    boolean isFutex;
    do { // the sleeper may have gone elsewhere meanwhile, and been announced there before
      isFutex = isAtFutex;
      announce(isFutex);
    } while (isFutex != isAtFutex);
  }

  /**
   * Says that the thread in the {@link LinkWaiter} sleeps.
   *
   * @param isFutex where: at this side's word, or at the socket
   * @return what the word is until the other side, or this one, is awake
   */
  int announceSleep(boolean isFutex) {
    isAtFutex = isFutex;
    return announce(isFutex);
  }

  /** Returns where this side's word is. */
  long sleepAddress() {
    return ownSleep.address();
  }

  /** Wakes this side's own thread, if it sleeps at the word. */
  void wakeOwn() {
    clearSleep();
    SharedFutex.wake(ownSleep.address());
  }

  private int announce(boolean isFutex) {
    int word =
        SleepWord.RECORDS
            | (refused == NO_OFFER ? 0 : SleepWord.ROOM)
            | (isFutex ? SleepWord.AT_FUTEX : 0);
    try {
      ownSleep.announce(word);
      meetFaults();
    } catch (IllegalStateException | InternalError e) {
      fail(e);
    }
    return word;
  }

  /**
   * Says that this side is awake: it polls again and again, and needs no wake-up, although a thread
   * may be in its {@link LinkWaiter}.
   */
  public void clearSleep() {
    try {
      ownSleep.clear();
      meetFaults();
    } catch (IllegalStateException | InternalError e) {
      fail(e);
    }
  }

  /**
   * Meets the error of an access to memory that the other process has cut off: compiled code has it
   * at the next safepoint, and the back edge of a loop that is not counted is one.
   */
  private static void meetFaults() {
    int i = 0;
    do {
      i++;
    } while (i < faultLooks);
  }

  /** Reads the wake-ups that have come; the end of the socket is that of the other process. */
  void readWakeUps() {
    woken.clear();
    try {
      if (channel.read(woken) < 0) {
        hasEnded = true;
      }
    } catch (IOException e) {
      hasEnded = true;
    }
  }

  /** Wakes the other side if it sleeps, where it has announced that it does. */
  private void wakePeer(int announced) {
    if (announced == 0) {
      return;
    }
    if ((announced & SleepWord.AT_FUTEX) != 0 && terms.isFutex()) {
      SharedFutex.wake(peerSleep.address());
      return;
    }
    wakeUp.clear();
    try {
      // If the socket takes no more, wake-ups are waiting in it already.
      int ignored = channel.write(wakeUp);
    } catch (IOException e) {
      hasEnded = true;
    }
  }

  private void checkFailure() throws LinkException {
    if (failure != null) {
      throw failure;
    }
  }

  /** Keeps why the link cannot go on: what has been seen wrong once stays wrong. */
  private LinkException fail(Throwable cause) {
    LinkException found;
    if (cause instanceof LinkException broken) {
      found = broken;
    } else if (isClosed.get()) {
      found = new LinkException("the link is closed; connect again", cause);
    } else {
      found =
          new LinkException("the link's memory was cut off by the other process; end it", cause);
    }
    failure = found;
    return found;
  }
}
