package dev.takt.client.link;

import dev.takt.space.WaitClock;
import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The host's door: makes a {@link Link} for each client that introduces itself.
 *
 * <p><b>Guarantees:</b> clients that stall, say nonsense or die while they introduce themselves
 * hold up no other one, take a place for {@link LinkSettings#helloNs} at most, and leave nothing.
 * No more than {@link LinkSettings#maxLinks} links are there at once; who comes then is told so.
 *
 * <p><b>Thread rule:</b> one thread at a time. The links that it makes may be used and closed by
 * others.
 *
 * <p><b>Memory:</b> none beside that of its links and some file descriptors; in its folder a socket
 * and a file that is locked, until it is closed.
 */
public final class LinkListener implements Closeable {
  /** Who comes while so many introduce themselves is turned away. */
  private static final int MAX_GREETINGS = 64;

  private static final long NS_IN_MS = 1_000_000;

  private final Path folder;
  private final LinkSettings settings;
  private final ListenerLock lock;
  private final ServerSocketChannel door;
  private final Selector selector;
  private final WaitClock clock = WaitClock.system();
  private final AtomicInteger links = new AtomicInteger();
  private final List<Greeting> greetings = new ArrayList<>();
  private long made;

  private LinkListener(
      Path folder,
      LinkSettings settings,
      ListenerLock lock,
      ServerSocketChannel door,
      Selector selector) {
    this.folder = folder;
    this.settings = settings;
    this.lock = lock;
    this.door = door;
    this.selector = selector;
  }

  /**
   * Opens the door in a folder, which is made if it is not there. What a host that was killed has
   * left in it is removed.
   *
   * @param folder private to the user (mode 0700), with a path of at most some 100 bytes
   * @throws LinkException if a host listens there already, or the folder is not private
   * @throws IOException if the system refuses
   */
  public static LinkListener open(Path folder, LinkSettings settings) throws IOException {
    ListenerLock lock = ListenerLock.take(folder);
    if (lock == null) {
      throw new LinkException(
          "a host listens in " + folder + " already; end it, or give this one another name");
    }
    try {
      return open(folder, settings, lock);
    } catch (IOException | RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  private static LinkListener open(Path folder, LinkSettings settings, ListenerLock lock)
      throws IOException {
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(LinkFolder.socket(folder));
    clear(folder);
    ServerSocketChannel door = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      door.bind(address);
      Files.setPosixFilePermissions(address.getPath(), LinkFolder.FILE_MODE);
      door.configureBlocking(false);
      Selector selector = Selector.open();
      door.register(selector, SelectionKey.OP_ACCEPT);
      return new LinkListener(folder, settings, lock, door, selector);
    } catch (IOException e) {
      door.close();
      throw new LinkException("no socket can be made in " + folder + " (" + e + ")", e);
    }
  }

  /** Removes what a host that was killed has left. */
  private static void clear(Path folder) throws IOException {
    Files.deleteIfExists(LinkFolder.socket(folder));
    try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, LinkMemory.PREFIX + "*")) {
      for (Path file : left) {
        Files.delete(file);
      }
    }
  }

  /**
   * Waits for a client.
   *
   * @param timeoutNs how long, in nanoseconds, up to a whole millisecond; 0 to take only who is
   *     there
   * @return its link, which the caller has to close, or null if none has come, or the thread was
   *     interrupted
   * @throws LinkException if the memory of a link could not be made; the listener goes on
   * @throws IOException if the system refuses
   */
  public @Nullable Link accept(long timeoutNs) throws IOException {
    long begin = clock.nanoTime();
    long left = timeoutNs;
    do {
      long ms = Math.ceilDiv(Math.max(0, Math.min(left, untilExpiry())), NS_IN_MS);
      if (ms == 0) {
        selector.selectNow();
      } else {
        selector.select(ms);
      }
      Link link = serve();
      if (link != null) {
        return link;
      }
      left = timeoutNs - (clock.nanoTime() - begin);
    } while (left > 0 && !Thread.currentThread().isInterrupted());
    return null;
  }

  /** Returns how many links there are now, with those that are being made. */
  public int links() {
    return links.get();
  }

  private @Nullable Link serve() throws IOException {
    selector.selectedKeys().clear();
    takeNewcomers();
    for (int i = greetings.size() - 1; i >= 0; i--) {
      Greeting greeting = greetings.get(i);
      Link link = greeting.proceed();
      if (link != null || greeting.isOver()) {
        greetings.remove(i);
        // The socket leaves this selector.
        selector.selectNow();
      }
      if (link != null) {
        return link;
      }
    }
    return null;
  }

  private void takeNewcomers() throws IOException {
    SocketChannel client = door.accept();
    while (client != null) {
      if (greetings.size() < MAX_GREETINGS) {
        greet(client);
      } else {
        client.close();
      }
      client = door.accept();
    }
  }

  private void greet(SocketChannel client) throws IOException {
    try {
      client.configureBlocking(false);
      client.register(selector, SelectionKey.OP_READ);
      greetings.add(new Greeting(client, this));
    } catch (Throwable failure) {
      client.close();
      throw failure;
    }
  }

  private long untilExpiry() {
    long least = Long.MAX_VALUE;
    for (Greeting each : greetings) {
      least = Math.min(least, each.leftNs());
    }
    return least;
  }

  Path folder() {
    return folder;
  }

  LinkSettings settings() {
    return settings;
  }

  long nanoTime() {
    return clock.nanoTime();
  }

  /** Takes a place for a link; {@link #leave} gives it back. */
  boolean enter() {
    if (links.get() >= settings.maxLinks()) {
      return false;
    }
    links.incrementAndGet();
    return true;
  }

  void leave() {
    links.decrementAndGet();
  }

  /** Returns what is agreed with the next client. */
  Terms nextTerms(boolean isFutex) {
    return new Terms(
        settings.ringBytes(),
        settings.maxRecordBytes(),
        ProcessHandle.current().pid(),
        made++,
        isFutex && SharedFutex.isAvailable());
  }

  void forget(SocketChannel client) {
    SelectionKey key = client.keyFor(selector);
    if (key != null) {
      key.cancel();
    }
  }

  /** Closes the door and removes its socket, and the folder if that is all; the links stay. */
  @Override
  public void close() throws IOException {
    if (door.isOpen()) {
      try (lock;
          selector;
          door) {
        Files.deleteIfExists(LinkFolder.socket(folder));
        for (Greeting each : greetings) {
          each.drop();
        }
        greetings.clear();
      }
    }
  }
}
