package dev.takt.bench.host;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** A loopback connection; both sides look again and again. */
final class SocketLink implements Asking, Answering {
  private static final int BYTES = 64;

  private final ServerSocketChannel server;
  private final ByteBuffer message = ByteBuffer.allocateDirect(BYTES);
  private final Spin spin = new Spin();
  private SocketChannel channel;

  private SocketLink(ServerSocketChannel server, SocketChannel channel) {
    this.server = server;
    this.channel = channel;
  }

  private static Path port(Path folder) {
    return folder.resolve("port");
  }

  /** Makes the answering side. */
  static SocketLink answering(Path folder) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    server.configureBlocking(false);
    Files.writeString(port(folder), "" + ((InetSocketAddress) server.getLocalAddress()).getPort());
    return new SocketLink(server, null);
  }

  /** Makes the asking side. */
  static SocketLink asking(Path folder) throws IOException {
    int port = Integer.parseInt(Files.readString(port(folder)));
    SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    return new SocketLink(null, ready(channel));
  }

  private static SocketChannel ready(SocketChannel channel) throws IOException {
    channel.configureBlocking(false);
    return channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
  }

  @Override
  public void ask(int part, long number) throws IOException {
    message.clear().putLong(0, number);
    write();
    message.clear();
    while (message.hasRemaining()) {
      if (channel.read(message) < 0) {
        throw new IOException("the peer has closed the connection");
      }
    }
    if (message.getLong(0) != number) {
      throw new IOException("another answer: " + message.getLong(0));
    }
  }

  private void write() throws IOException {
    while (message.hasRemaining()) {
      channel.write(message);
    }
  }

  @Override
  public boolean serve() throws IOException {
    if (channel == null) {
      SocketChannel accepted = server.accept();
      channel = accepted == null ? null : ready(accepted);
      return false;
    }
    channel.read(message);
    if (message.hasRemaining()) {
      return false;
    }
    message.flip();
    write();
    message.clear();
    spin.reset();
    return true;
  }

  @Override
  public void rest() {
    spin.pause();
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
    if (server != null) {
      server.close();
    }
  }
}
