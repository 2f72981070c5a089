package dev.takt.host;

import com.sun.management.ThreadMXBean;
import dev.takt.client.ClientSettings;
import dev.takt.client.RemoteSpace;
import dev.takt.client.Takt;
import dev.takt.client.link.LinkSettings;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;

/** A host that serves clients by shared memory on a thread of its own, in this process. */
final class SharedMemoryHost implements AutoCloseable {
  private static final LinkSettings LINKS = LinkSettings.DEFAULTS.withSizes(1 << 14, 1 << 10);

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Path folder;
  private final LinkServer server;
  private final Thread thread;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean isClosed;
  private volatile int clients;

  /** How often the host's thread has told how many there are. */
  private volatile long told;

  SharedMemoryHost(EventSpace space, Path folder, ClientLimits limits) throws IOException {
    this.folder = folder;
    server = LinkServer.open(space, folder, LINKS, limits, 10_000);
    thread = Thread.ofPlatform().name("host").start(this::serve);
  }

  private void serve() {
    try (server) {
      while (!isClosed) {
        boolean isBusy = server.serve(64);
        tellClients();
        if (!isBusy) {
          server.await(1_000_000);
        }
      }
    } catch (Throwable thrown) {
      failure.set(thrown);
    }
    tellClients();
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes it
  private void tellClients() {
    clients = server.clients();
    told++;
  }

  /**
   * Returns how many clients there are, as the host's thread sees after this call: it may have
   * answered one that it has not told of.
   */
  int clients() {
    long next = told + 2; // the turn that is under way may have begun before
    while (told < next && thread.isAlive()) {
      Thread.onSpinWait();
    }
    return clients;
  }

  /** Returns what the serving thread has allocated so far. */
  long allocatedBytes() {
    return THREADS.getThreadAllocatedBytes(thread.threadId());
  }

  RemoteSpace connect() throws IOException {
    return Takt.connect(folder, ClientSettings.DEFAULTS);
  }

  @Override
  public void close() {
    isClosed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError("the host does not end", e);
    }
    if (failure.get() != null) {
      throw new AssertionError("the host has failed", failure.get());
    }
  }
}
