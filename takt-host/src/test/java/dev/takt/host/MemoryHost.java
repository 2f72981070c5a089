package dev.takt.host;

import dev.takt.client.RemoteSpace;
import dev.takt.client.wire.WireLimits;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** A host that serves one client on a thread of its own, and that client. */
final class MemoryHost implements AutoCloseable {
  final MemoryLink link = new MemoryLink();
  final RemoteSpace client;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final Thread server;
  private volatile Thread receiver;

  MemoryHost(EventSpace space, ClientLimits limits) throws IOException {
    ClientSession session = new ClientSession(space, limits, link::toClient, () -> {});
    server = Thread.ofPlatform().name("host").start(() -> serve(session));
    client =
        RemoteSpace.connect(
            link,
            "",
            limits.wire(),
            body -> receiver = Thread.ofPlatform().name("receiver").unstarted(body),
            60_000_000_000L);
  }

  static MemoryHost of(EventSpace space) throws IOException {
    return new MemoryHost(
        space,
        ClientLimits.DEFAULTS
            .withWire(WireLimits.DEFAULTS.withMaxMessageBytes(768))
            .withMaxTransactionNs(60_000_000_000L) // however busy the machine is
            .withMaxPriority(5));
  }

  private void serve(ClientSession session) {
    try (session) {
      while (!link.isClosed()) {
        byte[] message = link.toHost.poll(1, TimeUnit.MILLISECONDS);
        if (message != null) {
          session.handle(MemorySegment.ofArray(message), message.length, System.nanoTime());
        }
        session.advance(System.nanoTime());
      }
    } catch (Throwable thrown) {
      failure.set(thrown);
      link.close();
    } finally {
      session.putBack();
    }
  }

  /** Ends both; throws what the host has failed with. */
  @Override
  public void close() {
    try {
      client.close();
      server.join();
      if (receiver != null) {
        receiver.join();
      }
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("the host does not end", e);
    }
    if (failure.get() != null) {
      throw new AssertionError("the host has failed", failure.get());
    }
  }
}
