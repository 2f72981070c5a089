package dev.takt.host;

import dev.takt.session.WaitLimit;
import dev.takt.space.WaitClock;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What is sent to one client by TCP: messages are collected, and written by {@link #flush} or when
 * they are many.
 *
 * <p>While a client does not read, a write waits, for {@link TcpLimits#writeNs} at most, and so
 * does who serves its session. A timer rolls back meanwhile what is not over in time, {@value
 * #LOOK_NS} ns too late at most, since others may want the events.
 *
 * <p><b>Thread rule:</b> that of its session; {@link #hasRoom} and {@link #requireGoingOn} any
 * thread.
 *
 * <p><b>Memory:</b> a buffer that grows to {@value TcpConnection#KEPT_BYTES} bytes.
 */
final class TcpOutbox implements Outbox, AutoCloseable {
  private static final WaitClock CLOCK = WaitClock.system();
  private static final Logger LOG = System.getLogger(TcpOutbox.class.getName());
  private static final int FIRST_BYTES = 512;

  /** After so long a write is looked at: less would cost a timer for each, see WaitLimit. */
  private static final long LOOK_NS = 200_000_000;

  private final Socket bytes;
  private final OutputStream out;
  private final long writeNs;
  private final WaitLimit limit;
  private final Runnable cutOff;
  private byte[] answers = new byte[FIRST_BYTES];
  private int answerBytes;

  /** Whether a message was longer than what is kept. */
  private boolean wasLong;

  /** Long messages that are on their way, of all connections. */
  private final HeldBytes outgoing;

  /** As how much that of this connection is counted there. */
  private long counted;

  private volatile @Nullable IOException failure;

  // ---- of the write that is going on

  private final ReentrantLock lock = new ReentrantLock();

  /** Whether there is one, so that the session may be changed by who has the lock. */
  private boolean isWriting;

  private long beginNs;
  private @Nullable LongUnaryOperator rollBack;

  /**
   * Makes one with nothing in it.
   *
   * @param outgoing where long messages are counted
   * @param writeNs how long a write may wait, in nanoseconds
   * @param close ends the connection, when a write has waited for so long
   * @param cutOff as {@link Outbox#cutOff}
   */
  TcpOutbox(Socket bytes, HeldBytes outgoing, long writeNs, Runnable close, Runnable cutOff)
      throws IOException {
    this.bytes = bytes;
    this.outgoing = outgoing;
    this.writeNs = writeNs;
    this.cutOff = cutOff;
    out = bytes.getOutputStream();
    limit = new WaitLimit(Math.min(writeNs, LOOK_NS), close);
    limit.excuse(this::leftNs);
  }

  /**
   * Sets what is done by time while a write waits.
   *
   * @param newRollBack as {@link ClientSession#rollBackLate}
   */
  void rollBackBy(LongUnaryOperator newRollBack) {
    rollBack = newRollBack;
  }

  @Override
  public boolean hasRoom() {
    return failure == null;
  }

  @Override
  public void cutOff() {
    cutOff.run();
  }

  /** Throws what has ended the connection, if something has. */
  void requireGoingOn() throws IOException {
    IOException why = failure;
    if (why != null) {
      throw why;
    }
  }

  /** Notes that a message was longer than what is kept. */
  void setLong() {
    wasLong = true;
  }

  /** Returns whether one was since the last call. */
  boolean wasLong() {
    boolean was = wasLong;
    wasLong = false;
    return was;
  }

  @Override
  public void reserve(int length) {
    long next = length > TcpConnection.KEPT_BYTES ? length : 0;
    if (next > counted && !outgoing.tryAdd(counted, next - counted)) {
      wasLong = true; // it was written
      String what = "an answer of %s bytes".formatted(length);
      throw new IllegalStateException(outgoing.noRoom(what, counted, HeldBytes.LEAVING));
    }
    outgoing.release(counted - next);
    counted = next;
  }

  @Override
  public void send(MemorySegment message, int length) {
    if (answerBytes + length > TcpConnection.KEPT_BYTES) {
      flush();
    }
    int at = 0;
    while (length - at > TcpConnection.KEPT_BYTES) { // a long one is not copied as a whole
      wasLong = true;
      put(message, at, TcpConnection.KEPT_BYTES);
      flush();
      at += TcpConnection.KEPT_BYTES;
    }
    put(message, at, length - at);
    reserve(0);
  }

  private void put(MemorySegment message, int at, int count) {
    if (answerBytes + count > answers.length) {
      answers = Arrays.copyOf(answers, Math.max(answerBytes + count, FIRST_BYTES));
    }
    MemorySegment.copy(message, ValueLayout.JAVA_BYTE, at, answers, answerBytes, count);
    answerBytes += count;
  }

  /** Writes what is collected. */
  void flush() {
    int count = answerBytes;
    answerBytes = 0;
    if (count == 0 || failure != null) {
      return;
    }
    try {
      begin();
      out.write(answers, 0, count);
      out.flush();
    } catch (IOException e) {
      failure =
          limit.isExceeded()
              ? new SocketTimeoutException("the client does not read, TcpLimits.writeNs")
              : e;
    } finally {
      end();
    }
  }

  /** Lets the client know that nothing was cut off. */
  void sayGoodbye() {
    try {
      begin();
      bytes.shutdownOutput();
    } catch (IOException _) {
      // it has gone
    } finally {
      end();
    }
  }

  private void begin() {
    setWriting(true);
    limit.begin();
  }

  private void end() {
    limit.end();
    setWriting(false);
  }

  private void setWriting(boolean is) {
    lock.lock(); // held by the timer for as long as it rolls back
    try {
      isWriting = is;
      if (is) {
        beginNs = CLOCK.nanoTime();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns for how long the write may go on until this is asked again; of the timer. */
  private long leftNs(long nowNs) {
    lock.lock();
    try {
      long leftNs = beginNs + writeNs - nowNs;
      LongUnaryOperator late = rollBack;
      if (isWriting && late != null) {
        long nextNs = late.applyAsLong(nowNs);
        return nextNs == Long.MAX_VALUE ? leftNs : Math.min(leftNs, nextNs - nowNs);
      }
      return leftNs;
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "a client has met a fault of the host and is cut off", e);
      return 0;
    } finally {
      lock.unlock();
    }
  }

  /** Lets the timer go, and what is counted. */
  @Override
  public void close() {
    limit.close();
    reserve(0);
  }
}
