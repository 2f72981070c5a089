package dev.takt.client.link;

import dev.takt.space.WaitClock;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets a thread wait for what its links bring: it spins for a bounded time, then sleeps until one
 * of them has something, or its process ends.
 *
 * <p>It sleeps at the words of its links if all of them can be slept at so, see the package, and at
 * their sockets otherwise.
 *
 * <p><b>Guarantees:</b> what is there before or during a wait ends it; a link whose other process
 * has ended does, too. A wait allocates nothing, takes O(links) a look, and returns after its time
 * limit whatever the others do.
 *
 * <p><b>Thread rule:</b> one thread at a time. While it waits another one may use the links: what
 * that one takes is not waited for. {@link #wakeUp} and {@link #close} any thread.
 *
 * <p><b>Memory:</b> two file descriptors, and 3 KB outside of the heap, until it is closed.
 */
public final class LinkWaiter implements Closeable {
  private static final long NS_IN_MS = 1_000_000;

  /** How many looks there are to one at the clock, which takes longer than they do. */
  private static final int LOOKS = 16;

  /** So late does a sleep at a futex see that another process has ended. */
  private static final long END_NS = 50 * NS_IN_MS;

  private final Selector selector;
  private final WaitClock clock;
  private final long spinNs;
  private final long endNs;
  private final List<Link> links = new ArrayList<>();
  private final Consumer<SelectionKey> reading = LinkWaiter::read;

  /** For links at whose words one can sleep. */
  private final @Nullable FutexSleep futex = SharedFutex.isAvailable() ? new FutexSleep() : null;

  /** Of how many links one can not. */
  private int socketLinks;

  /** Whether {@link #wakeUp} was called and no wait has ended by it. */
  private volatile boolean isWoken;

  /** Whether a wait sleeps at a futex: a wake-up of the selector is not needed then. */
  private volatile boolean isAtFutex;

  private LinkWaiter(Selector selector, WaitClock clock, long spinNs, long endNs) {
    this.selector = selector;
    this.endNs = endNs;
    this.clock = clock;
    this.spinNs = spinNs;
  }

  /**
   * Makes one without links.
   *
   * @param spinNs how long a wait looks again and again before it sleeps, in nanoseconds; 0 for a
   *     single look. More than a wake-up takes, some 10 us, is wasted if the other process needs
   *     the processor on which this thread spins
   */
  public static LinkWaiter open(long spinNs) throws IOException {
    return open(spinNs, WaitClock.system(), END_NS);
  }

  /**
   * As {@link #open(long)}.
   *
   * @param clock of which only the time is used
   * @param endNs how late a sleep at a futex may see that another process has ended
   */
  static LinkWaiter open(long spinNs, WaitClock clock, long endNs) throws IOException {
    return new LinkWaiter(Selector.open(), clock, spinNs, endNs);
  }

  /**
   * Adds a link that no other waiter has.
   *
   * @throws LinkException if it is closed
   */
  public void add(Link link) throws IOException {
    try {
      link.channel().register(selector, SelectionKey.OP_READ, link);
    } catch (ClosedChannelException e) {
      throw new LinkException("the link is closed; connect again", e);
    }
    links.add(link);
    socketLinks += link.isFutex() ? 0 : 1;
  }

  /** Takes a link out; one that is closed or has ended has to be taken out. */
  public void remove(Link link) throws IOException {
    if (links.remove(link)) {
      socketLinks -= link.isFutex() ? 0 : 1;
      SelectionKey key = link.channel().keyFor(selector);
      if (key != null) {
        key.cancel();
      }
      // Without it the descriptor of a closed channel stays open until the next wait.
      selector.selectNow(reading);
    }
  }

  /**
   * Waits until one of the links has a record, or room for the record that its last offer was
   * refused for, or has ended or failed, which its next operation tells. The end of a process that
   * has not closed its link is seen within 50 ms.
   *
   * @param timeoutNs how long, in nanoseconds; sleeping at sockets ends at a whole millisecond
   *     after it, or earlier. 0 and less do not wait, and look at all: so a thread that never
   *     sleeps learns of ends, too
   * @return whether there is something; false if the time is over or the thread is interrupted
   * @throws IOException if the system refuses, or the waiter is closed
   */
  public boolean await(long timeoutNs) throws IOException {
    try {
      return awaitOpen(timeoutNs);
    } catch (ClosedSelectorException e) {
      throw new LinkException("the waiter is closed; connect again", e);
    }
  }

  private boolean awaitOpen(long timeoutNs) throws IOException {
    if (timeoutNs <= 0) {
      selector.selectNow(reading);
      return isReady();
    }
    long begin = clock.nanoTime();
    long spin = Math.min(spinNs, timeoutNs);
    do {
      for (int i = spin > 0 ? LOOKS : 1; i > 0 && !isWoken; i--) {
        if (isReady()) {
          return true;
        }
        Thread.onSpinWait();
      }
    } while (!isWoken && clock.nanoTime() - begin < spin);
    long left = timeoutNs - spin;
    while (left > 0 && !isWoken && !Thread.currentThread().isInterrupted()) {
      if (sleep(left)) {
        return true;
      }
      left = timeoutNs - (clock.nanoTime() - begin);
    }
    isWoken = false;
    return isReady();
  }

  /** Ends the wait that a thread is in, or the next one, as if its time were over. */
  public void wakeUp() {
    isWoken = true;
    if (futex != null) {
      futex.wakeup();
    }
    if (!isAtFutex) {
      selector.wakeup();
    }
  }

  private boolean sleep(long timeoutNs) throws IOException {
    int count = links.size();
    if (futex != null && socketLinks == 0 && count > 0 && count <= FutexSleep.MAX_LINKS) {
      return sleepAt(futex, Math.min(timeoutNs, endNs));
    }
    for (int i = 0; i < count; i++) {
      links.get(i).announceSleep(false);
    }
    try {
      if (isReady()) {
        return true;
      }
      selector.select(reading, Math.ceilDiv(timeoutNs, NS_IN_MS));
      return isReady();
    } finally {
      for (int i = 0; i < links.size(); i++) {
        links.get(i).clearSleep();
      }
    }
  }

  private boolean sleepAt(FutexSleep futex, long timeoutNs) throws IOException {
    futex.announce(links);
    isAtFutex = true;
    try {
      selector.selectNow(reading); // who has closed its link before has woken nobody
      if (isReady()) {
        return true;
      }
      if (!isWoken) { // after it was announced: who wakes now ends the sleep
        futex.await(links.size(), timeoutNs);
      }
    } finally {
      futex.clear(links);
      isAtFutex = false;
    }
    if (isReady()) {
      return true;
    }
    selector.selectNow(reading);
    return isReady();
  }

  private boolean isReady() {
    for (int i = 0; i < links.size(); i++) {
      if (links.get(i).isReady()) {
        return true;
      }
    }
    return false;
  }

  private static void read(SelectionKey key) {
    Link link = (Link) key.attachment();
    link.readWakeUps();
    if (link.hasEnded()) {
      // Its socket would be readable for ever.
      key.cancel();
    }
  }

  /** Closes the waiter, and not its links; a wait that is under way ends. Any thread. */
  @Override
  public void close() throws IOException {
    try (selector) {
      if (futex != null) {
        futex.close();
      }
    }
  }
}
