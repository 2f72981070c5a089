package dev.takt.host.text;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** The bytes of a client by WebSocket, whatever they are. */
final class RawWebSocket implements AutoCloseable {
  static final int TEXT = 1;
  static final int CLOSE = 8;
  static final int PING = 9;
  static final int PONG = 10;

  final Socket socket;

  /** The opcode of the last frame of the host. */
  int opcode;

  RawWebSocket(InetSocketAddress address) throws IOException {
    socket = new Socket(address.getAddress(), address.getPort());
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(60_000);
  }

  static String request(String... more) {
    return """
    GET /takt HTTP/1.1
    Host: localhost
    Upgrade: WebSocket
    Connection: keep-alive, Upgrade
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
    Sec-WebSocket-Version: 13
    """
        + String.join("\n", more)
        + (more.length == 0 ? "\n" : "\n\n");
  }

  /** Sends the request of HTTP; returns the first line of the answer. */
  String shakeHands(String request) throws IOException {
    send(request.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    String head = head();
    if (head.startsWith("HTTP/1.1 101 ")) { // the example of RFC 6455, section 1.3
      if (!head.contains("\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n")) {
        throw new IOException(head);
      }
    }
    return head.substring(0, head.indexOf('\r'));
  }

  private String head() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (!bytes.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      bytes.write(read());
    }
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }

  static RawWebSocket connect(InetSocketAddress address) throws IOException {
    RawWebSocket socket = new RawWebSocket(address);
    String status = socket.shakeHands(request());
    if (!status.startsWith("HTTP/1.1 101 ")) {
      throw new IOException(status);
    }
    return socket;
  }

  /** Makes a frame in its shortest form. */
  static byte[] frame(boolean isLast, int opcode, byte[] payload) {
    int headBytes = payload.length < 126 ? 2 : payload.length < 1 << 16 ? 4 : 10;
    byte[] frame = new byte[headBytes + 4 + payload.length];
    frame[0] = (byte) ((isLast ? 0x80 : 0) | opcode);
    frame[1] = (byte) (0x80 | (headBytes == 2 ? payload.length : headBytes == 4 ? 126 : 127));
    for (int i = headBytes - 1, left = payload.length; i >= 2; i--, left >>>= 8) {
      frame[i] = (byte) left;
    }
    for (int i = 0; i < 4; i++) {
      frame[headBytes + i] = (byte) (0x5A + i);
    }
    for (int i = 0; i < payload.length; i++) {
      frame[headBytes + 4 + i] = (byte) (payload[i] ^ (0x5A + (i & 3)));
    }
    return frame;
  }

  static byte[] text(String text) {
    return frame(true, TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  private int read() throws IOException {
    int next = socket.getInputStream().read();
    if (next < 0) {
      throw new EOFException("the host has ended the connection");
    }
    return next;
  }

  /** Receives a frame; returns its payload. */
  byte[] receive() throws IOException {
    opcode = read() & 0xF;
    long length = read();
    int more = length == 126 ? 2 : length == 127 ? 8 : 0;
    if (more > 0) {
      length = 0;
      for (int i = 0; i < more; i++) {
        length = length << 8 | read();
      }
    }
    return socket.getInputStream().readNBytes((int) length);
  }

  String receiveText() throws IOException {
    return new String(receive(), StandardCharsets.UTF_8);
  }

  /** Returns the code of the close frame that comes, after whatever comes before. */
  int closeCode() throws IOException {
    byte[] payload = receive();
    while (opcode != CLOSE) {
      payload = receive();
    }
    InputStream in = socket.getInputStream();
    if (in.read() >= 0) {
      throw new IOException("something comes behind the close frame");
    }
    return (payload[0] & 0xFF) << 8 | payload[1] & 0xFF;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
