package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What every transport over TCP does with the bytes that a foreign end sends. */
abstract class TcpContract extends TransportContract {
  /** Connects to a server by TCP. */
  abstract Transport connectTo(InetSocketAddress server, TransportSettings settings)
      throws IOException;

  /** Writes bytes to a transport in random pieces and reads all its lines. */
  private List<String> read(TransportSettings settings, byte[] bytes, Random random)
      throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Transport transport =
            connectTo((InetSocketAddress) server.getLocalSocketAddress(), settings);
        Socket peer = server.accept()) {
      peer.setTcpNoDelay(true);
      sessions.start("writer", () -> writePieces(peer, bytes, random));
      List<String> lines = new ArrayList<>();
      for (String line = transport.readLine(); line != null; line = transport.readLine()) {
        lines.add(line);
      }
      return lines;
    }
  }

  private static int writePieces(Socket peer, byte[] bytes, Random random) throws IOException {
    int pieces = 0;
    OutputStream out = peer.getOutputStream();
    for (int at = 0; at < bytes.length; pieces++) {
      int length = Math.min(bytes.length - at, 1 + random.nextInt(random.nextInt(1, 700)));
      out.write(bytes, at, length);
      at += length;
    }
    peer.shutdownOutput();
    return pieces;
  }

  @Test
  void shouldReadLinesWhateverPiecesTheirBytesComeIn() throws Exception {
    Random random = new Random(Seeds.seed());
    for (int run = 0; run < Seeds.size(30, 1_000); run++) {
      List<String> lines = new ArrayList<>();
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < 20; i++) {
        String line = "\u00e4".repeat(random.nextInt(500));
        lines.add(line);
        text.append(line).append(random.nextBoolean() ? "\n" : "\r\n");
      }
      assertThat(read(SETTINGS, bytes(text.toString()), random)).isEqualTo(lines);
    }
  }

  @Test
  void shouldReadTheLongestLineWithEitherEndAndRefuseALongerOneFromOutside() throws Exception {
    for (String end : List.of("\n", "\r\n")) {
      for (int max : new int[] {1, 7, 511, 512, 513, 40_000}) {
        TransportSettings settings = SETTINGS.withMaxLineBytes(max);
        String longest = "x".repeat(max);
        Random random = new Random(Seeds.seed());

        assertThat(read(settings, bytes(longest + end + longest + end), random))
            .containsExactly(longest, longest);
        assertThatThrownBy(() -> read(settings, bytes("a" + end + longest + "y" + end), random))
            .isInstanceOf(TransportException.class)
            .hasMessageContaining("limit: maxLineBytes=" + max);
        assertThatThrownBy(() -> read(settings, bytes(longest + "xxx"), random))
            .isInstanceOf(TransportException.class)
            .hasMessageContaining("limit: maxLineBytes=" + max);
      }
    }
  }

  @Test
  void shouldWriteToAnEndThatHasSentAll() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Transport transport =
            connectTo((InetSocketAddress) server.getLocalSocketAddress(), SETTINGS);
        Socket peer = server.accept()) {
      peer.getOutputStream().write(bytes("all\n"));
      peer.shutdownOutput();

      assertThat(transport.readLine()).isEqualTo("all");
      assertThat(transport.readLine()).isNull();
      transport.writeLine("answer");
      assertThat(peer.getInputStream().readNBytes(7)).isEqualTo(bytes("answer\n"));
    }
  }

  @Test
  void shouldTellThatALineWasCutOff() {
    assertThatThrownBy(() -> read(SETTINGS, bytes("whole\nhalf"), new Random(1)))
        .isInstanceOf(TransportException.class)
        .hasMessageContaining("closed within a line, after 4 bytes");
  }

  @Test
  void shouldRefuseBytesThatAreNoText() {
    assertThatThrownBy(() -> read(SETTINGS, new byte[] {'a', (byte) 0xC3, '\n'}, new Random(1)))
        .isInstanceOf(TransportException.class)
        .hasMessageContaining("2 bytes that are not UTF-8");
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
