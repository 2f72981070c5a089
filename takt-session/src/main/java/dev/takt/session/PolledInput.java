package dev.takt.session;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What comes by a connection, from the poller that reads it to the thread that waits for it.
 *
 * <p><b>Purpose.</b> A thread that waits for bytes by the JDK's means reads in vain, asks the
 * kernel for one event, and reads again. Here the connection stays registered, and the poller reads
 * what has come before it wakes the reader.
 *
 * <p><b>Protocol.</b> At any time one of both may read the source, and only that one:
 *
 * <pre>
 *              vain: arm                   poller has read
 *   READER ----------------&gt; POLLER ----------------&gt; POLLER_CAME
 *     ^  ^                    | ^  ^                      |   |
 *     |  +-- end, failure ----+ |  +------- taken --------+   | more came before it
 *     |          full: disarm   v                             | was taken: disarm
 *     +-------- taken ------ READER_CAME &lt;--------------------+
 * </pre>
 *
 * <ul>
 *   <li>{@code READER}: the reader reads the source itself, until it does so in vain; one that
 *       wants an array hands over at once, since the poller makes it.
 *   <li>{@code POLLER}: the source is armed, and the poller reads it when something comes.
 *   <li>{@code POLLER_CAME}: something came, and belongs to the reader. The source is armed, but
 *       the poller does not read it.
 *   <li>{@code READER_CAME}: something came, and belongs to the reader, which reads the source
 *       itself after that: it is slower than what comes, or much comes at once.
 * </ul>
 *
 * <p>The reader alone leaves {@code READER} and {@code READER_CAME}, the poller alone {@code
 * POLLER}, unless the source could not be armed: then the reader takes that back. {@code
 * POLLER_CAME} is left by both, by compare-and-set: the poller has disarmed the source before that,
 * and arms it again if the reader was first. So who may read the source is also who may arm or
 * disarm it.
 *
 * <p><b>Guarantees.</b> Bytes are read in the order in which they came, each once. A reader that
 * waits is woken when something came: it tells that it waits before it looks at the state, the
 * poller changes that before it looks who waits. The end and a failure are learned after all that
 * came before. Of a reader that does not read, no more is kept than one buffer of the poller.
 *
 * <p><b>Thread rule.</b> {@link #poll} is for one poller, of several readers one after the other
 * reads, and its time begins when it is its turn. Any thread may set {@code isClosed}, and then
 * {@link #signal}.
 *
 * <p><b>Memory.</b> 40 bytes, and what came and was not taken yet.
 */
abstract class PolledInput extends SocketWait {
  // who reads the source next, and whether something is here that is to be taken first
  private static final int READER = 0;
  private static final int POLLER = 1;
  private static final int POLLER_CAME = 2;
  private static final int READER_CAME = 3;

  /** The JDK copies what it reads into an array, by a buffer that each carrier keeps. */
  private static final int MAX_READ_BYTES = 1 << 17;

  private static final byte[] NOTHING = {};
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(PolledInput.class, "state", int.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private volatile int state = READER;

  /** Whether all waits are to end. */
  volatile boolean isClosed;

  /** Beside the time that a read is given; null: that alone. */
  private volatile @Nullable WaitLimit limit;

  // ---- written by who may read the source, before it changes the state

  private byte[] came = NOTHING;
  private int taken;
  private @Nullable IOException failure;

  // ---- the source, which does not block

  /** Returns how many bytes were read; 0 if there are none now, -1 if there will be none. */
  abstract int readNow(ByteBuffer room) throws IOException;

  /** Returns how many bytes the source has, as far as that is known; reads none. */
  abstract int sourceAvailable() throws IOException;

  /** Lets the poller be told when something comes; also of what is there already. */
  abstract void arm() throws IOException;

  /** Ends that; is called by the poller alone. */
  abstract void disarm();

  // ---- the reader

  /**
   * Reads some bytes; waits for them.
   *
   * @param timeoutMs how long at most; 0: without end
   * @return how many, or -1 at the end
   * @throws SocketTimeoutException if none came in time; it can be repeated
   */
  synchronized int read(byte[] bytes, int from, int length, int timeoutMs) throws IOException {
    Objects.checkFromIndexSize(from, length, bytes.length);
    if (length == 0) {
      return 0;
    }
    while (true) {
      requireOpen();
      int now = state;
      if (now == POLLER_CAME || now == READER_CAME) {
        return take(bytes, from, length);
      }
      if (now == POLLER) {
        awaitInput(timeoutMs);
        continue;
      }
      int most = Math.min(length, MAX_READ_BYTES);
      int count = readSource(ByteBuffer.wrap(bytes, from, most));
      if (count != 0) {
        return count;
      }
      handOver();
    }
  }

  /**
   * Waits for bytes, and returns what the poller has read, without a copy.
   *
   * @param mostBytes how much that may be
   * @param timeoutMs how long at most; 0: without end
   * @return null if it is more, or a part of it is taken, or the poller does not read: {@link
   *     #read} has the rest, or the end
   * @throws SocketTimeoutException if none came in time; it can be repeated
   */
  synchronized byte @Nullable [] readArray(int mostBytes, int timeoutMs) throws IOException {
    requireOpen();
    if (state == READER && failure == null) {
      handOver();
    }
    while (state == POLLER) {
      awaitInput(timeoutMs);
      requireOpen();
    }
    if (state == READER || taken > 0 || came.length > mostBytes) {
      return null;
    }
    byte[] whole = came;
    allTaken();
    return whole;
  }

  /** Lets the poller read, unless it cannot be told to. */
  private void handOver() throws IOException {
    state = POLLER;
    try {
      arm();
    } catch (Throwable failed) {
      STATE.compareAndSet(this, POLLER, READER);
      throw failed;
    }
  }

  private void requireOpen() throws SocketException {
    if (isClosed) {
      throw new SocketException("Socket closed");
    }
  }

  private int take(byte[] bytes, int from, int length) {
    int count = Math.min(length, came.length - taken);
    System.arraycopy(came, taken, bytes, from, count);
    taken += count;
    if (taken == came.length) {
      allTaken();
    }
    return count;
  }

  private void allTaken() {
    came = NOTHING;
    taken = 0;
    if (!STATE.compareAndSet(this, POLLER_CAME, POLLER)) {
      state = READER;
    }
  }

  private int readSource(ByteBuffer room) throws IOException {
    IOException ofPoller = failure;
    if (ofPoller != null) { // a new one each time, with the place of who reads
      throw new SocketException(ofPoller.getMessage(), ofPoller);
    }
    return readNow(room);
  }

  /**
   * Returns a limit of waits for what comes: what waits when that is exceeded has not come in time.
   */
  final WaitLimit limitReads(long limitNs) {
    WaitLimit made = new WaitLimit(limitNs, this::signal);
    limit = made;
    return made;
  }

  private void awaitInput(int timeoutMs) throws IOException {
    await(timeoutMs == 0 ? Suspension.FOR_EVER_NS : timeoutMs * 1_000_000L);
    if (!hasCome()) { // at the last moment is in time
      throw new SocketTimeoutException("Read timed out");
    }
  }

  private boolean hasCome() {
    return state != POLLER || isClosed;
  }

  @Override
  final boolean isOver() {
    WaitLimit ofReads = limit;
    return hasCome() || ofReads != null && ofReads.isExceeded();
  }

  /**
   * Returns how many bytes can be read without a wait; while others read, about so many. It waits
   * for nobody.
   */
  int available() throws IOException {
    requireOpen();
    int now = state;
    int kept = now == POLLER_CAME || now == READER_CAME ? came.length - taken : 0;
    return Math.max(0, kept) + sourceAvailable();
  }

  // ---- the poller

  /**
   * Reads what has come, and wakes the reader.
   *
   * @param room to read into; nothing of it is used after the call
   */
  void poll(ByteBuffer room) throws IOException {
    if (state == POLLER_CAME) {
      disarm();
      if (STATE.compareAndSet(this, POLLER_CAME, READER_CAME)) {
        return;
      }
      arm(); // it was taken meanwhile
    }
    int count;
    try {
      count = readNow(room.clear());
    } catch (IOException ofSource) {
      failure = ofSource;
      count = -1;
    }
    if (count == 0) {
      return; // somebody was told of what is not there
    }
    boolean isMore = count < 0 || !room.hasRemaining();
    if (count > 0) {
      came = new byte[count];
      room.flip().get(came);
    }
    if (isMore) {
      disarm();
    }
    state = count < 0 ? READER : isMore ? READER_CAME : POLLER_CAME;
    signal();
  }
}
