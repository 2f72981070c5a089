package dev.takt.bench.host;

import dev.takt.bench.measure.Helper;
import dev.takt.client.link.Link;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that sends mutated messages to a host by each link, each connection for itself, as fast
 * as it can. It knows the commands
 *
 * <ul>
 *   <li>{@code attack memory} and {@code attack all}: begins, by shared memory alone or by all;
 *   <li>{@code rest}: ends it, and tells how many messages were sent, as {@link Sent}.
 * </ul>
 *
 * @param folder where the host is found by shared memory
 * @param tcp the port of the binary format
 * @param lines the port of the line protocol
 * @param webSocket the port of WebSockets
 */
public record HostileRole(String folder, int tcp, int lines, int webSocket) implements Helper.Role {
  private static final long CONNECT_NS = 1_000_000_000;
  private static final long AGAIN_NS = 1_000_000;
  private static final int END_LIMIT_MS = 20;

  /** How often one connection says all that it has to say. */
  private static final int ROUNDS = 8;

  /**
   * How many messages were sent.
   *
   * @param memory by shared memory
   * @param tcp by TCP
   * @param lines by the line protocol
   * @param webSocket by WebSocket
   */
  public record Sent(long memory, long tcp, long lines, long webSocket) {
    /** None. */
    static final Sent NOTHING = new Sent(0, 0, 0, 0);

    Sent plus(Sent more) {
      return new Sent(
          memory + more.memory, tcp + more.tcp, lines + more.lines, webSocket + more.webSocket);
    }

    long all() {
      return memory + tcp + lines + webSocket;
    }
  }

  @Override
  public Helper.Running open() {
    return new Process(
        List.of(
            new ByMemory(Path.of(folder)),
            new BySocket(tcp, HostileMessages.binary()),
            new BySocket(lines, HostileMessages.lines()),
            new BySocket(webSocket, HostileMessages.frames())));
  }

  private static final class Process implements Helper.Running {
    private final List<Attack> attacks;
    private final List<Thread> threads = new ArrayList<>();

    Process(List<Attack> attacks) {
      this.attacks = attacks;
    }

    @Override
    public Object ask(String command) throws Exception {
      return switch (command) {
        case "attack memory" -> begin(attacks.subList(0, 1));
        case "attack all" -> begin(attacks);
        case "rest" -> {
          end();
          yield new Sent(
              attacks.get(0).sent, attacks.get(1).sent, attacks.get(2).sent, attacks.get(3).sent);
        }
        default -> throw new IOException("no command " + command);
      };
    }

    private Helper.Done begin(List<Attack> chosen) {
      for (Attack each : attacks) {
        each.sent = 0;
        each.isOver = false;
      }
      for (Attack each : chosen) {
        threads.add(Thread.ofPlatform().daemon().start(each));
      }
      return Helper.Done.DONE;
    }

    private void end() throws InterruptedException {
      for (Attack each : attacks) {
        each.isOver = true;
      }
      for (Thread each : threads) {
        each.join();
      }
      threads.clear();
    }

    @Override
    public void close() {
      for (Attack each : attacks) {
        each.isOver = true;
      }
    }
  }

  /** One connection after the other. */
  private abstract static class Attack implements Runnable {
    volatile boolean isOver;

    /** Of its thread while it runs. */
    long sent;

    @Override
    public void run() {
      while (!isOver) {
        try {
          connect();
        } catch (IOException _) {
          LockSupport.parkNanos(AGAIN_NS); // it is cut off, or not let in
        }
      }
    }

    /** Connects, sends what it has, and leaves. */
    abstract void connect() throws IOException;
  }

  private static final class ByMemory extends Attack {
    private final HostileMessages messages = new HostileMessages(1);
    private final List<byte[]> good = HostileMessages.binary();
    private final Path folder;

    ByMemory(Path folder) {
      this.folder = folder;
    }

    @Override
    void connect() throws IOException {
      try (Link link = Link.connect(folder, CONNECT_NS)) {
        offer(link, good.getFirst());
        for (int round = 0; round < ROUNDS && !isOver; round++) {
          for (byte[] each : good) {
            offer(link, messages.isHeads() ? each : messages.mutated(each, 0));
          }
        }
      }
    }

    private void offer(Link link, byte[] message) throws IOException {
      while (!link.offer(MemorySegment.ofArray(message), 0, message.length)) {
        if (isOver || link.hasEnded()) {
          throw new IOException("the link has ended");
        }
        Thread.onSpinWait();
      }
      sent++;
    }
  }

  private static final class BySocket extends Attack {
    private final HostileMessages messages;
    private final List<byte[]> good = new ArrayList<>();
    private final int port;

    BySocket(int port, List<byte[]> good) {
      this.port = port;
      messages = new HostileMessages(port);
      this.good.add(good.getFirst());
      for (int round = 0; round < ROUNDS; round++) {
        this.good.addAll(good.subList(1, good.size()));
      }
    }

    @Override
    void connect() throws IOException {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.setSoTimeout(END_LIMIT_MS);
        socket.getOutputStream().write(messages.mutated(good));
        sent += good.size();
        if (messages.isHeads()) {
          abandon(socket);
        } else {
          socket.shutdownOutput();
          socket.getInputStream().skip(Long.MAX_VALUE);
        }
      }
    }

    /** Ends the connection as a process does that is killed while bytes come. */
    private static void abandon(Socket socket) throws SocketException {
      socket.setSoLinger(true, 0);
    }
  }
}
