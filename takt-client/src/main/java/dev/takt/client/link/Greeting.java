package dev.takt.client.link;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;

/**
 * A client that introduces itself, step by step, as far as it has sent something: see the package.
 * Belongs to its {@link LinkListener}.
 */
final class Greeting {
  private final SocketChannel client;
  private final LinkListener listener;
  private final long begin;
  private final ByteBuffer hello = Terms.buffer(Terms.HELLO_BYTES);
  private final ByteBuffer ready = Terms.buffer(1);
  private final Arena arena = Arena.ofShared();
  private @Nullable Terms terms;
  private @Nullable MemorySegment memory;
  private boolean isOver;

  Greeting(SocketChannel client, LinkListener listener) {
    this.client = client;
    this.listener = listener;
    this.begin = listener.nanoTime();
  }

  long leftNs() {
    return listener.settings().helloNs() - (listener.nanoTime() - begin);
  }

  /** Returns whether nothing is left to be done for this client. */
  boolean isOver() {
    return isOver;
  }

  /**
   * Goes as far as it can without waiting.
   *
   * @return the link, when all is done
   * @throws LinkException if the memory cannot be made, which is no fault of the client's
   */
  @Nullable Link proceed() throws IOException {
    if (isOver) {
      return null;
    }
    try {
      if (memory == null && has(hello)) {
        answer();
      }
      if (memory != null && terms != null && has(ready)) {
        return finish(memory, terms);
      }
    } catch (ClientFault e) {
      drop();
    } catch (IOException | RuntimeException | Error failure) {
      try {
        drop(); // the client does not wait for a link that nobody serves
      } catch (IOException | RuntimeException e) {
        failure.addSuppressed(e);
      }
      throw failure;
    }
    if (!isOver && leftNs() <= 0) {
      drop();
    }
    return null;
  }

  private boolean has(ByteBuffer message) throws ClientFault {
    try {
      if (message.hasRemaining() && client.read(message) < 0) {
        throw new ClientFault();
      }
      return !message.hasRemaining();
    } catch (IOException e) {
      throw new ClientFault();
    }
  }

  private void answer() throws IOException, ClientFault {
    int version;
    try {
      version = Terms.versionOf(hello);
    } catch (LinkException e) {
      throw new ClientFault();
    }
    if (version != Terms.VERSION) {
      refuse(Terms.OTHER_VERSION, Terms.VERSION);
    } else if (!listener.enter()) {
      refuse(Terms.TOO_MANY_LINKS, listener.settings().maxLinks());
    } else {
      Terms agreed = listener.nextTerms(Terms.isFutex(hello));
      terms = agreed; // from here on the end gives the place back
      try {
        memory = LinkMemory.create(listener.folder(), agreed, arena);
      } catch (IOException e) {
        refuse(Terms.NO_MEMORY, 0);
        throw e;
      }
      send(agreed.welcome());
    }
  }

  private void refuse(int reason, int limit) throws IOException {
    try {
      send(Terms.refusal(reason, limit));
    } catch (ClientFault e) {
      // It has gone already.
    }
    drop();
  }

  private void send(ByteBuffer message) throws ClientFault {
    try {
      client.write(message);
    } catch (IOException e) {
      throw new ClientFault();
    }
    if (message.hasRemaining()) {
      throw new ClientFault();
    }
  }

  private Link finish(MemorySegment memory, Terms terms) throws IOException {
    listener.forget(client);
    Files.deleteIfExists(listener.folder().resolve(terms.fileName()));
    Link link = new Link(client, arena, memory, terms, true, listener::leave);
    isOver = true;
    return link;
  }

  /** Ends it without a link; nothing is left. */
  void drop() throws IOException {
    if (!isOver) {
      isOver = true;
      try (arena) {
        listener.forget(client);
        client.close();
      } finally {
        if (terms != null) {
          listener.leave();
          Files.deleteIfExists(listener.folder().resolve(terms.fileName()));
        }
      }
    }
  }

  /** The client does not do what it has to; it is its own loss. */
  private static final class ClientFault extends Exception {
    private static final long serialVersionUID = 1L;
  }
}
