package dev.takt.samples.fix;

import dev.takt.session.Suspension;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;

/** A connection over TCP. */
final class SocketWire implements FixWire {
  /** What the operating system keeps for a peer that does not read. */
  private static final int SEND_BYTES = 65_536;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  /** Takes a socket, which is closed with this. */
  SocketWire(Socket socket) throws IOException {
    this.socket = socket;
    socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
    socket.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BYTES);
    in = socket.getInputStream();
    out = socket.getOutputStream();
  }

  @Override
  public int read(byte[] into, int from, int length, long timeoutNs) throws IOException {
    socket.setSoTimeout(Math.clamp(timeoutNs / 1_000_000, 1, 1_000_000));
    try {
      return in.read(into, from, length);
    } catch (SocketTimeoutException _) {
      return 0;
    }
  }

  @Override
  public void write(byte[] bytes) throws IOException {
    out.write(bytes);
  }

  @Override
  public void endOutput() throws IOException {
    socket.shutdownOutput();
  }

  @Override
  public long nanoTime() {
    return Suspension.current().nanoTime();
  }

  @Override
  public String address() {
    return String.valueOf(socket.getRemoteSocketAddress());
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException _) {
      // it is of no use any more in any case
    }
  }
}
