package dev.takt.client.link;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.takt.space.WaitClock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A thread's sleep at the words of its links, which ends by a wake-up of one of them, of this
 * process, or by an interrupt.
 *
 * <p>It is a {@link Selector} by name only: that is the one interface of the JDK by which an
 * interrupt can call something that ends a sleep. It has no channels.
 *
 * <p><b>Thread rule:</b> one thread; {@link #wakeup} and {@link #close} any thread.
 *
 * <p><b>Memory:</b> 3 KB outside of the heap, which the kernel reads in a sleep: it is freed by who
 * closes this, or by the thread that has announced a sleep when that is over, whichever is later.
 */
final class FutexSleep extends AbstractSelector {
  /** So many words can be slept at. */
  static final int MAX_LINKS = 128;

  /** struct futex_waitv: value, address (64 bits each), flags, nothing (32 bits each). */
  private static final long WAITER_BYTES = 24;

  private static final int FLAG_32_BITS = 2;
  private static final int MONOTONIC_CLOCK = 1;
  private static final long S = 1_000_000_000;

  /** Nobody uses the memory. */
  private static final int FREE = 0;

  /** A sleep is announced. */
  private static final int USED = 1;

  /** No sleep begins any more. */
  private static final int CLOSED = 2;

  private final AtomicInteger state = new AtomicInteger(FREE);
  private final Arena arena = Arena.ofShared();
  private final MemorySegment time = arena.allocate(16, Long.BYTES);
  private final long timeAddress = time.address();
  private final MemorySegment waiters = arena.allocate(MAX_LINKS * WAITER_BYTES, Long.BYTES);

  /** The first link that is slept at: its word is used for all wake-ups of this process. */
  private volatile @Nullable Link slept;

  FutexSleep() {
    super(SelectorProvider.provider());
  }

  /**
   * Says that the caller sleeps at the words of all links; it has to look once more before {@link
   * #await}, and to {@link #clear} in any case.
   *
   * @param links 1 to {@link #MAX_LINKS}, all of which can be slept at so
   * @throws ClosedSelectorException if this is closed; nothing is announced then
   */
  void announce(List<Link> links) {
    if (!state.compareAndSet(FREE, USED)) {
      throw new ClosedSelectorException();
    }
    slept = links.getFirst(); // before the look of the caller
    for (int i = 0; i < links.size(); i++) {
      int word = links.get(i).announceSleep(true);
      long at = i * WAITER_BYTES;
      waiters.set(JAVA_LONG, at, word);
      waiters.set(JAVA_LONG, at + 8, links.get(i).sleepAddress());
      waiters.set(JAVA_INT, at + 16, FLAG_32_BITS);
    }
  }

  /** Sleeps, if nobody has woken or closed this since {@link #announce}. */
  void await(int links, long timeoutNs) {
    if (state.get() == CLOSED) {
      return; // it may have been closed before there was a link to wake
    }
    begin();
    try {
      if (links == 1) {
        setTime(timeoutNs);
        SharedFutex.await(waiters.get(JAVA_LONG, 8), (int) waiters.get(JAVA_LONG, 0), timeAddress);
      } else {
        setTime(WaitClock.system().nanoTime() + timeoutNs);
        SharedFutex.awaitAny(waiters.address(), links, timeAddress, MONOTONIC_CLOCK);
      }
    } finally {
      end();
    }
  }

  /** Says that the caller is awake. */
  void clear(List<Link> links) {
    slept = null;
    for (int i = 0; i < links.size(); i++) {
      links.get(i).clearSleep();
    }
    if (!state.compareAndSet(USED, FREE)) {
      arena.close(); // it was closed meanwhile
    }
  }

  /** Returns whether the memory is there. */
  boolean isAlive() {
    return arena.scope().isAlive();
  }

  private void setTime(long ns) {
    time.set(JAVA_LONG, 0, ns / S);
    time.set(JAVA_LONG, 8, ns % S);
  }

  /** Ends the sleep, or keeps the one from beginning that was announced. */
  @Override
  public Selector wakeup() {
    Link link = slept;
    if (link != null) {
      link.wakeOwn();
    }
    return this;
  }

  @Override
  protected void implCloseSelector() {
    if (state.getAndSet(CLOSED) == FREE) {
      arena.close();
    } else {
      wakeup();
    }
  }

  // ---- what a selector has besides

  @Override
  protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
    throw new UnsupportedOperationException("a sleep has no channels");
  }

  @Override
  public Set<SelectionKey> keys() {
    return Set.of();
  }

  @Override
  public Set<SelectionKey> selectedKeys() {
    return Set.of();
  }

  @Override
  public int selectNow() {
    return 0;
  }

  @Override
  public int select(long timeout) {
    throw new UnsupportedOperationException("use await");
  }

  @Override
  public int select() {
    throw new UnsupportedOperationException("use await");
  }
}
