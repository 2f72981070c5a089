package dev.takt.host;

import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.MessageReader;
import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.WireLimits;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;

/** The bytes of a client, whatever they are. */
final class TcpPeer implements AutoCloseable {
  final Socket socket;
  final MessageWriter writer = new MessageWriter(WireLimits.DEFAULTS);
  final MessageReader reader = new MessageReader(WireLimits.DEFAULTS);

  TcpPeer(InetSocketAddress address) throws IOException {
    this(new Socket(address.getAddress(), address.getPort()));
  }

  TcpPeer(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(60_000);
  }

  /** Sends what the writer has. */
  void send() throws IOException {
    socket.getOutputStream().write(MemoryLink.copy(writer.segment(), writer.length()));
  }

  /** Receives a message; returns its kind. */
  MessageKind receive() throws IOException {
    InputStream in = socket.getInputStream();
    byte[] header = in.readNBytes(24);
    if (header.length < 24) {
      throw new EOFException("the host has ended the link");
    }
    ByteBuffer message = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
    int length = message.getInt(4);
    byte[] bytes = new byte[length];
    System.arraycopy(header, 0, bytes, 0, 24);
    in.readNBytes(bytes, 24, length - 24);
    reader.begin(MemorySegment.ofArray(bytes), 0, length);
    return reader.kind();
  }

  MessageKind hello(String token) throws IOException {
    writer.hello(1 << 16, token);
    send();
    return receive();
  }

  /** Says hello without a token. */
  MessageKind hello(UUID client) throws IOException {
    writer.hello(1 << 16, client, "");
    send();
    return receive();
  }

  /** Returns whether the host has ended the link, after whatever else it sends. */
  boolean awaitEnd() throws IOException {
    try {
      socket.getInputStream().skip(Long.MAX_VALUE);
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
