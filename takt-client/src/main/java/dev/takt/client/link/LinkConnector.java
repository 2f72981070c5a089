package dev.takt.client.link;

import dev.takt.space.WaitClock;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/** The client's part of the introduction: see the package. */
final class LinkConnector {
  private static final long NS_IN_MS = 1_000_000;
  private static final long RETRY_NS = 10_000_000;

  /** How long a wait for the host goes on at most without a look whether it is given up. */
  private static final long LOOK_NS = 20_000_000;

  private static final WaitClock CLOCK = WaitClock.system();

  private LinkConnector() {}

  /**
   * As {@link Link#connect(Path, long, BooleanSupplier)}; {@code isFutex} says whether this side
   * can use {@link SharedFutex}.
   */
  static Link connect(Path folder, long timeoutNs, boolean isFutex, BooleanSupplier isGivenUp)
      throws IOException {
    long beginNs = CLOCK.nanoTime();
    long leftNs = timeoutNs;
    boolean wasThere = false;
    while (true) {
      try {
        return attempt(folder, leftNs, isFutex, isGivenUp);
      } catch (LinkException refused) {
        throw refused;
      } catch (IOException cut) { // of a host that is there, or was until now
        leftNs = timeoutNs - (CLOCK.nanoTime() - beginNs);
        requireWanted(folder, isGivenUp);
        boolean isAbsent = cut instanceof AbsentException;
        boolean isOver = leftNs <= 0;
        if (isAbsent && (isOver || !wasThere)) {
          throw noHost(folder, cut);
        }
        requireUninterrupted(folder);
        if (isOver) {
          throw new LinkException(
              ("the link to the host in %s could not be made within %s ms"
                      + " (ClientSettings.timeoutNs): %s; is the host stopped, or too busy? wait"
                      + " longer, or start it again")
                  .formatted(folder, Math.ceilDiv(timeoutNs, NS_IN_MS), cut),
              cut);
        }
        wasThere = true;
        CLOCK.parkNanos(Math.min(RETRY_NS, leftNs));
      }
    }
  }

  private static void requireWanted(Path folder, BooleanSupplier isGivenUp) throws LinkException {
    if (isGivenUp.getAsBoolean()) {
      throw new LinkException("the link to the host in " + folder + " was given up");
    }
  }

  /**
   * Connects once.
   *
   * @throws LinkException if another attempt would end in the same way
   * @throws AbsentException if there is no host
   * @throws IOException if the host did not answer in time, or gave this client up meanwhile
   */
  private static Link attempt(
      Path folder, long timeoutNs, boolean isFutex, BooleanSupplier isGivenUp) throws IOException {
    try {
      LinkFolder.checkFolder(folder);
    } catch (NoSuchFileException e) {
      throw new AbsentException(e);
    }
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    Arena arena = Arena.ofShared();
    try {
      // A host that does not accept cannot hold up who does not block.
      channel.configureBlocking(false);
      reach(channel, folder);
      Terms terms = introduce(channel, folder, timeoutNs, isFutex, isGivenUp);
      MemorySegment memory = memory(folder, terms, arena);
      Link link = new Link(channel, arena, memory, terms, false, () -> {});
      send(channel, ByteBuffer.wrap(new byte[] {Terms.READY}));
      return link;
    } catch (IOException | RuntimeException | Error e) {
      arena.close();
      channel.close();
      throw e;
    }
  }

  /** Opens the memory, which a host removes that gives this client up. */
  private static MemorySegment memory(Path folder, Terms terms, Arena arena) throws IOException {
    try {
      return LinkMemory.open(folder, terms, arena);
    } catch (LinkException e) {
      if (e.getCause() instanceof NoSuchFileException gone) {
        throw gone;
      }
      throw e;
    }
  }

  private static void reach(SocketChannel channel, Path folder) throws IOException {
    try {
      channel.connect(UnixDomainSocketAddress.of(LinkFolder.socket(folder)));
    } catch (IOException e) {
      if (!(e instanceof ConnectException) && Files.exists(LinkFolder.socket(folder))) {
        throw e; // many wait for the host to let them in
      }
      throw new AbsentException(e);
    }
  }

  /** What was never there, has ended and was killed is the same to a client. */
  private static LinkException noHost(Path folder, IOException e) {
    return new LinkException(
        "no host answers in %s: start it (./takt host %s JAR), or check its name"
            .formatted(folder, folder.getFileName()),
        e);
  }

  /** No host is there; one that was there a moment ago may be starting again. */
  private static final class AbsentException extends IOException {
    private static final long serialVersionUID = 1L;

    AbsentException(IOException cause) {
      super(cause);
    }
  }

  private static Terms introduce(
      SocketChannel channel,
      Path folder,
      long timeoutNs,
      boolean isFutex,
      BooleanSupplier isGivenUp)
      throws IOException {
    send(channel, Terms.hello(isFutex));
    ByteBuffer answer = Terms.buffer(Terms.WELCOME_BYTES);
    long begin = CLOCK.nanoTime();
    try (Selector selector = Selector.open()) {
      channel.register(selector, SelectionKey.OP_READ);
      while (answer.hasRemaining()) {
        requireUninterrupted(folder); // no wait would wait
        long left = timeoutNs - (CLOCK.nanoTime() - begin);
        if (left <= 0) {
          throw new SocketTimeoutException("it has not answered");
        }
        requireWanted(folder, isGivenUp);
        selector.select(key -> {}, Math.ceilDiv(Math.min(left, LOOK_NS), NS_IN_MS));
        if (channel.read(answer) < 0) {
          throw new EOFException("it has ended, or does not take more clients");
        }
      }
    }
    Terms terms = Terms.read(answer);
    if (terms.isFutex() && !isFutex) {
      throw new LinkException("the host in " + folder + " wakes in a way that was not offered");
    }
    return terms;
  }

  private static void requireUninterrupted(Path folder) throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException(
          "interrupted before the host in " + folder + " has answered; connect again");
    }
  }

  /** The messages fit into any empty socket. */
  private static void send(SocketChannel channel, ByteBuffer message) throws IOException {
    int length = message.remaining();
    if (channel.write(message) != length) {
      throw new LinkException("the socket of the link takes no " + length + " bytes; try again");
    }
  }
}
