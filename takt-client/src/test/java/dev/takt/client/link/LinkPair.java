package dev.takt.client.link;

import dev.takt.space.WaitClock;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

/** Both ends of a link in one process, for tests. */
final class LinkPair implements AutoCloseable {
  static final long LONG_NS = 60_000_000_000L;
  private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();

  final LinkListener listener;
  final Link host;
  final Link client;
  final LinkWaiter hostWaiter = waiter();
  final LinkWaiter clientWaiter = waiter();
  final MemorySegment bytes = Arena.ofAuto().allocate(1 << 16, 64);

  LinkPair(Path folder, LinkSettings settings) throws Exception {
    this(folder, settings, SharedFutex.isAvailable());
  }

  /** Makes both ends; {@code isFutex} says whether the client can use a futex. */
  LinkPair(Path folder, LinkSettings settings, boolean isFutex) throws Exception {
    listener = LinkListener.open(folder, settings);
    FutureTask<Link> connecting =
        inBackground(() -> LinkConnector.connect(folder, LONG_NS, isFutex, () -> false));
    host = listener.accept(LONG_NS);
    client = connecting.get();
    hostWaiter.add(host);
    clientWaiter.add(client);
  }

  /** Returns a waiter whose sleep nothing ends but a wake-up: one that is lost lasts a minute. */
  static LinkWaiter waiter() throws IOException {
    return LinkWaiter.open(0, WaitClock.system(), LONG_NS);
  }

  /** Waits until the host has announced that it sleeps. */
  @SuppressWarnings("restricted") // the word is in memory of the client, which is open
  void awaitSleepOfHost() {
    MemorySegment word =
        MemorySegment.ofAddress(client.peerSleep.address()).reinterpret(Integer.BYTES);
    while ((int) WORD.getOpaque(word, 0) == 0) {
      Thread.onSpinWait();
    }
  }

  static <T> FutureTask<T> inBackground(Callable<T> what) {
    FutureTask<T> task = new FutureTask<>(what);
    new Thread(task, "test-background").start();
    return task;
  }

  /** Sends a record of one number. */
  boolean send(Link link, long number) throws LinkException {
    MemorySegment from = bytes.asSlice(0, 8);
    from.set(ValueLayout.JAVA_LONG, 0, number);
    return link.offer(from, 0, 8);
  }

  static void send(Link link, MemorySegment from, long number) throws LinkException {
    from.set(ValueLayout.JAVA_LONG, 0, number);
    if (!link.offer(from, 0, 8)) {
      throw new AssertionError("no room");
    }
  }

  /** Waits for something; false if the time is over, also if there is something by then. */
  static boolean await(LinkWaiter waiter) throws IOException {
    long beginNs = System.nanoTime();
    return waiter.await(LONG_NS) && System.nanoTime() - beginNs < LONG_NS;
  }

  /** Waits for a record of one number. */
  static long receive(Link link, LinkWaiter waiter, MemorySegment into) throws IOException {
    int length = link.poll(into);
    while (length == Link.NONE) {
      if (!await(waiter)) {
        throw new AssertionError("nothing has come");
      }
      length = link.poll(into);
    }
    if (length != 8) {
      throw new AssertionError("a record of " + length + " bytes");
    }
    return into.get(ValueLayout.JAVA_LONG, 0);
  }

  /** The descriptors of this process and what it has mapped of links. */
  static long descriptorsAndMappings() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"));
        Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
      return open.count() + 1_000_000 * maps.filter(each -> each.contains("/link-")).count();
    }
  }

  @Override
  public void close() throws IOException {
    hostWaiter.close();
    clientWaiter.close();
    client.close();
    host.close();
    listener.close();
  }
}
