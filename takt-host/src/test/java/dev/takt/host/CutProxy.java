package dev.takt.host;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between TCP clients and a host, and cuts each connection after some bytes. */
final class CutProxy implements Closeable {
  private final ServerSocket door = new ServerSocket(0, 50, InetAddress.getByName("localhost"));
  private final InetSocketAddress host;
  private final int mostBytes;
  private final Random random;
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
  private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
  private final AtomicInteger cuts = new AtomicInteger();

  /**
   * Opens one.
   *
   * @param mostBytes how many a connection carries at most, both ways together
   */
  CutProxy(InetSocketAddress host, int mostBytes, Random random) throws IOException {
    this.host = host;
    this.mostBytes = mostBytes;
    this.random = random;
    start(this::accept);
  }

  InetSocketAddress address() {
    return new InetSocketAddress("localhost", door.getLocalPort());
  }

  int cuts() {
    return cuts.get();
  }

  private void start(Runnable body) {
    threads.add(Thread.ofPlatform().name("proxy").start(body));
  }

  private void accept() {
    while (!door.isClosed()) {
      try {
        Socket client = door.accept();
        sockets.add(client);
        Socket server = new Socket();
        sockets.add(server);
        server.connect(host);
        AtomicInteger left = new AtomicInteger(random.nextInt(mostBytes));
        boolean isHalf = random.nextInt(8) == 0;
        boolean isReset = random.nextBoolean();
        Runnable cut = () -> cut(client, server, isHalf, isReset);
        start(() -> carry(client, server, left, cut));
        start(() -> carry(server, client, left, cut));
      } catch (IOException e) {
        if (!door.isClosed()) {
          throw new AssertionError(e);
        }
      }
    }
  }

  private static void carry(Socket from, Socket to, AtomicInteger left, Runnable cut) {
    byte[] buffer = new byte[4_096];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int count = in.read(buffer); count > 0; count = in.read(buffer)) {
        int before = left.getAndAdd(-count);
        out.write(buffer, 0, Math.clamp(before, 0, count));
        if (before <= count) {
          break;
        }
      }
    } catch (IOException _) {
      // the other direction has cut it
    }
    cut.run();
  }

  /** Ends the connection; by half the host does not notice. */
  private void cut(Socket client, Socket server, boolean isHalf, boolean isReset) {
    cuts.incrementAndGet();
    try {
      if (isReset) {
        client.setSoLinger(true, 0);
      }
      client.close();
      if (!isHalf) {
        server.close();
      }
    } catch (IOException _) {
      // cut already
    }
  }

  @Override
  public void close() throws IOException {
    door.close();
    for (Socket each : sockets) {
      each.close();
    }
    for (Thread each : threads) {
      try {
        each.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
