package dev.takt.bench.session;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Measurement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.HdrHistogram.Histogram;

/**
 * The clients of an echo server, all on one thread: each sends its next line when the answer to the
 * one before is there. It is the same for all servers, and in a process of its own.
 *
 * @param port where the server is
 * @param connections how many clients
 * @param warmupMs how long nothing counts, in milliseconds
 * @param measureMs how long everything counts after that
 */
public record EchoLoad(int port, int connections, int warmupMs, int measureMs)
    implements ChildRun.Body<EchoLoad.Found> {
  private static final byte[] LINE =
      "a line of thirty-two bytes here\n".getBytes(StandardCharsets.US_ASCII);

  private static final int BUFFER_BYTES = 4_096;
  private static final long SELECT_MS = 10_000;

  /**
   * What was found.
   *
   * @param ns from the sending of a line to its answer
   * @param elapsedNs how long was counted
   * @param answers how many lines were answered, with those that do not count
   */
  public record Found(Histogram ns, long elapsedNs, long answers) {}

  private static final class Client {
    private long sentNs;
    private int received;
  }

  @Override
  public Found run() throws Exception {
    ByteBuffer line = ByteBuffer.allocateDirect(LINE.length).put(LINE);
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    try (Selector selector = Selector.open()) {
      try {
        connect(selector, line);
        Histogram ns = Measurement.histogram();
        Histogram uncounted = Measurement.histogram();
        long fromNs = System.nanoTime() + warmupMs * 1_000_000L;
        long toNs = fromNs + measureMs * 1_000_000L;
        // one request counts in any case
        long nowNs = fromNs - 1;
        for (; nowNs < toNs || ns.getTotalCount() == 0; nowNs = System.nanoTime()) {
          Histogram into = nowNs >= fromNs ? ns : uncounted;
          int ready = selector.select(key -> receive(key, line, buffer, into), SELECT_MS);
          if (ready == 0) {
            throw new IOException("no answer within " + SELECT_MS + " ms");
          }
        }
        long elapsedNs = System.nanoTime() - fromNs;
        return new Found(ns, elapsedNs, ns.getTotalCount() + uncounted.getTotalCount());
      } finally {
        for (SelectionKey each : selector.keys()) {
          each.channel().close();
        }
      }
    }
  }

  private void connect(Selector selector, ByteBuffer line) throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    for (int i = 0; i < connections; i++) {
      SocketChannel channel = SocketChannel.open(address);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ, new Client());
    }
    for (SelectionKey each : selector.keys()) {
      send(each, line);
    }
  }

  private static void send(SelectionKey key, ByteBuffer line) throws IOException {
    Client client = (Client) key.attachment();
    client.received = 0;
    client.sentNs = System.nanoTime();
    if (((SocketChannel) key.channel()).write(line.clear()) < LINE.length) {
      throw new IOException("a socket has no room for a single line");
    }
  }

  private static void receive(SelectionKey key, ByteBuffer line, ByteBuffer buffer, Histogram ns) {
    Client client = (Client) key.attachment();
    try {
      int count = ((SocketChannel) key.channel()).read(buffer.clear());
      if (count < 0) {
        throw new IOException("the server has closed a connection");
      }
      client.received += count;
      if (client.received >= LINE.length) {
        ns.recordValue(Math.min(System.nanoTime() - client.sentNs, ns.getHighestTrackableValue()));
        send(key, line);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
