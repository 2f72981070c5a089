package dev.takt.client;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;

/**
 * Has TCP find out whether the other end's machine is still there when nothing comes: it is asked
 * after a minute, and the connection ends after another one without an answer.
 *
 * {@snippet :
 * KeepAlive.begin(socket.supportedOptions(), socket::setOption);
 * }
 */
public final class KeepAlive {
  private static final int IDLE_S = 60;
  private static final int INTERVAL_S = 10;
  private static final int COUNT = 6;

  /** Sets options of one socket. */
  public interface Options {
    /** Sets one. */
    <T> void set(SocketOption<T> option, T value) throws IOException;
  }

  private KeepAlive() {}

  /**
   * Begins to ask; where the system does not let the times be set, they are its own.
   *
   * @param supported the options that the socket has
   */
  public static void begin(Set<SocketOption<?>> supported, Options socket) throws IOException {
    socket.set(StandardSocketOptions.SO_KEEPALIVE, true);
    if (supported.contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
      socket.set(ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_S);
      socket.set(ExtendedSocketOptions.TCP_KEEPINTERVAL, INTERVAL_S);
      socket.set(ExtendedSocketOptions.TCP_KEEPCOUNT, COUNT);
    }
  }
}
