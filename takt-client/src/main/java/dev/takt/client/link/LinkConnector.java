package dev.takt.client.link;

import dev.takt.space.WaitClock;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The client's part of the introduction: see the package. */
final class LinkConnector {
  private static final long NS_IN_MS = 1_000_000;

  private LinkConnector() {}

  /** As {@link Link#connect}; {@code isFutex} says whether this side can use {@link Futex}. */
  static Link connect(Path folder, long timeoutNs, boolean isFutex) throws IOException {
    try {
      LinkFolder.checkFolder(folder);
    } catch (NoSuchFileException e) {
      throw noHost(folder, e);
    }
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    Arena arena = Arena.ofShared();
    try {
      // A host that does not accept cannot hold up who does not block.
      channel.configureBlocking(false);
      reach(channel, folder);
      Terms terms = introduce(channel, folder, timeoutNs, isFutex);
      MemorySegment memory = LinkMemory.open(folder, terms, arena);
      Link link = new Link(channel, arena, memory, terms, false, () -> {});
      send(channel, ByteBuffer.wrap(new byte[] {Terms.READY}));
      return link;
    } catch (IOException | RuntimeException e) {
      arena.close();
      channel.close();
      if (e instanceof LinkException || e instanceof RuntimeException) {
        throw e;
      }
      throw new LinkException(
          "the link to the host in "
              + folder
              + " could not be made ("
              + e
              + "): the host may have ended, or not have waited for this process; try again",
          e);
    }
  }

  private static void reach(SocketChannel channel, Path folder) throws IOException {
    try {
      channel.connect(UnixDomainSocketAddress.of(LinkFolder.socket(folder)));
    } catch (IOException e) {
      throw noHost(folder, e);
    }
  }

  /** What was never there, has ended and was killed is the same to a client. */
  private static LinkException noHost(Path folder, IOException e) {
    return new LinkException(
        "no host answers in %s: start it (./takt host %s JAR), or check its name"
            .formatted(folder, folder.getFileName()),
        e);
  }

  private static Terms introduce(
      SocketChannel channel, Path folder, long timeoutNs, boolean isFutex) throws IOException {
    send(channel, Terms.hello(isFutex));
    ByteBuffer answer = Terms.buffer(Terms.WELCOME_BYTES);
    WaitClock clock = WaitClock.system();
    long begin = clock.nanoTime();
    try (Selector selector = Selector.open()) {
      channel.register(selector, SelectionKey.OP_READ);
      while (answer.hasRemaining()) {
        long left = timeoutNs - (clock.nanoTime() - begin);
        if (left <= 0) {
          throw new LinkException(
              "the host in "
                  + folder
                  + " has not answered within "
                  + timeoutNs
                  + " ns; is it stopped? wait longer, or start it again");
        }
        selector.select(key -> {}, Math.ceilDiv(left, NS_IN_MS));
        if (channel.read(answer) < 0) {
          throw new LinkException(
              "the host in " + folder + " has ended, or does not take more clients; try again");
        }
      }
    }
    Terms terms = Terms.read(answer);
    if (terms.isFutex() && !isFutex) {
      throw new LinkException("the host in " + folder + " wakes in a way that was not offered");
    }
    return terms;
  }

  /** The messages fit into any empty socket. */
  private static void send(SocketChannel channel, ByteBuffer message) throws IOException {
    int length = message.remaining();
    if (channel.write(message) != length) {
      throw new LinkException("the socket of the link takes no " + length + " bytes; try again");
    }
  }
}
