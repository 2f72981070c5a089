package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.client.ClientSettings;
import dev.takt.client.RemoteSpace;
import dev.takt.client.Takt;
import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.Operation;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Template;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever bytes come by TCP, the host and its other clients go on, and nobody gets in by them. */
@Timeout(600)
class HostileTcpTest {
  private static final Event X = new Event("x", 1);
  private static final ClientSettings PATIENT =
      new ClientSettings(ClientSettings.DEFAULTS.wire(), 0, 60_000_000_000L);

  @TempDir private static Path folder;
  private static SSLContext tls;

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS);
  private TcpServer server;

  @BeforeAll
  static void makeKey() throws Exception {
    tls = TlsSpaceContractTest.context(folder);
  }

  @AfterEach
  void close() {
    server.close();
    assertThat(server.clients()).isZero();
    assertThat(space.stats().subscriptions()).isZero();
  }

  private void open(SSLContext context) throws IOException {
    server =
        TcpServer.open(
            space,
            new InetSocketAddress("localhost", 0),
            context,
            ClientAccounts.open(ClientRights.all("all", ClientLimits.DEFAULTS)),
            TcpLimits.DEFAULTS);
  }

  private InetSocketAddress address() {
    return new InetSocketAddress("localhost", server.address().getPort());
  }

  /** Messages of every operation, one after the other. */
  private static byte[] conversation(TcpPeer peer) {
    ByteBuffer all = ByteBuffer.allocate(1 << 14);
    peer.writer.hello(1 << 16, "");
    all.put(MemoryLink.copy(peer.writer.segment(), peer.writer.length()));
    for (Operation operation : Operation.values()) {
      if (operation != Operation.NONE) {
        peer.writer.request(operation, 0, operation.ordinal(), 1);
        switch (operation.asked()) {
          case EVENT -> peer.writer.event(new Event("a", 1).add("b", "text").add("c", 2.5));
          case TEMPLATE -> peer.writer.template(new Template("a", null).atLeast("d", 3));
          case NONE, EVENTS -> {}
        }
        peer.writer.end();
        all.put(MemoryLink.copy(peer.writer.segment(), peer.writer.length()));
      }
    }
    return Arrays.copyOf(all.array(), all.position());
  }

  @Test
  void shouldGoOnWhateverMutatedMessagesComeInWhateverPieces() throws Exception {
    open(null);
    Random random = new Random(Seeds.seed());
    try (RemoteSpace client = Takt.connect(address(), null, "", PATIENT)) {
      int messages = Operation.values().length;
      for (int i = Seeds.size(400, 1_000_000 / messages + 1); i > 0; i--) {
        try (TcpPeer peer = new TcpPeer(address())) {
          byte[] bytes = conversation(peer);
          for (int k = random.nextInt(1, 8); k > 0; k--) {
            bytes[random.nextInt(bytes.length)] =
                (byte) (random.nextBoolean() ? random.nextInt() : random.nextInt(4));
          }
          int cut = random.nextInt(bytes.length);
          peer.socket.getOutputStream().write(bytes, 0, cut);
          peer.socket.getOutputStream().write(bytes, cut, random.nextInt(bytes.length - cut));
          if (random.nextBoolean()) {
            peer.socket.shutdownOutput();
            assertThat(peer.awaitEnd()).isTrue();
          }
        } catch (IOException cutOff) {
          // as it should be
        }
        client.write(X);
        assertThat(client.take(X, new Event())).as("round %s", i).isTrue();
        client.takeAll(new Event(), 64, event -> {}); // what was right of it: the space fills up
      }
      while (server.clients() > 1) {
        Thread.onSpinWait();
      }
      assertThat(server.cutOff()).isPositive();
    }
  }

  @Test
  void shouldCutOffLengthsThatAreNotAllowedAndKeepNothingOfThem() throws Exception {
    open(null);
    for (boolean isGreeted : new boolean[] {false, true}) {
      for (int length : new int[] {0, 23, 1 << 17, Integer.MAX_VALUE, Integer.MIN_VALUE, -1}) {
        try (TcpPeer peer = new TcpPeer(address())) {
          if (isGreeted) {
            assertThat(peer.hello("")).isEqualTo(MessageKind.WELCOME);
          }
          byte[] header = new byte[24];
          header[0] = 3;
          ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).putInt(4, length);
          peer.socket.getOutputStream().write(header);
          assertThat(peer.awaitEnd()).isTrue();
        }
      }
    }
    try (TcpPeer peer = new TcpPeer(address())) {
      peer.writer.request(Operation.WRITE, 0, 1, 0).event(X).end();
      peer.send(); // without a HELLO
      assertThat(peer.awaitEnd()).isTrue();
    }
    assertThat(space.count(new Event())).isZero();
  }

  @Test
  void shouldSpeakNothingBelowTls12WhereItSpeaksTls() throws Exception {
    open(tls);
    try (TcpPeer plain = new TcpPeer(address())) {
      plain.writer.hello(1 << 16, "");
      plain.send();
      assertThat(plain.awaitEnd()).isTrue();
    }
    try (TcpPeer old = new TcpPeer(address())) {
      old.socket.getOutputStream().write(clientHello(2)); // TLS 1.1
      byte[] alert = old.socket.getInputStream().readNBytes(7);
      assertThat(alert[0]).as("an alert").isEqualTo((byte) 21);
      assertThat(alert[6]).as("protocol version").isEqualTo((byte) 70);
      assertThat(old.awaitEnd()).isTrue();
    }
    try (TcpPeer allowed = new TcpPeer(address())) {
      allowed.socket.getOutputStream().write(clientHello(3)); // TLS 1.2
      assertThat(allowed.socket.getInputStream().read()).as("a handshake").isEqualTo(22);
    }
    assertThatThrownBy(() -> Takt.connect(address(), null, "", PATIENT))
        .isInstanceOf(IOException.class);
    try (RemoteSpace client = Takt.connect(address(), tls, "", PATIENT)) {
      client.write(X);
      assertThat(client.test(X)).isTrue();
    }
  }

  /** The first message of TLS, by hand: a JVM does not send one of an old version. */
  private static byte[] clientHello(int minor) {
    ByteBuffer hello = ByteBuffer.allocate(200);
    hello.put((byte) 22).putShort((short) 0x0301).putShort((short) 0);
    hello.put((byte) 1).put((byte) 0).putShort((short) 0);
    hello.put((byte) 3).put((byte) minor).put(new byte[32]).put((byte) 0);
    hello.putShort((short) 6);
    hello.putShort((short) 0xC009).putShort((short) 0xC02B).putShort((short) 0x00FF);
    hello.put((byte) 1).put((byte) 0);
    int extensionsAt = hello.position();
    hello.putShort((short) 0);
    hello.putShort((short) 10).putShort((short) 6);
    hello.putShort((short) 4).putShort((short) 23).putShort((short) 24);
    hello.putShort((short) 11).putShort((short) 2).put((byte) 1).put((byte) 0);
    hello.putShort((short) 13).putShort((short) 6);
    hello.putShort((short) 4).putShort((short) 0x0403).putShort((short) 0x0503);
    hello.putShort(extensionsAt, (short) (hello.position() - extensionsAt - 2));
    hello.putShort(3, (short) (hello.position() - 5));
    hello.putShort(7, (short) (hello.position() - 9));
    return Arrays.copyOf(hello.array(), hello.position());
  }

  @Test
  void shouldNotTrustAHostThatHasAnotherKeyOrName() throws Exception {
    open(tls);
    SSLContext others = SSLContext.getDefault();
    assertThatThrownBy(() -> Takt.connect(address(), others, "", PATIENT))
        .isInstanceOf(SSLException.class);
    InetSocketAddress elsewhere =
        new InetSocketAddress(
            InetAddress.getByAddress("other.example", server.address().getAddress().getAddress()),
            server.address().getPort());
    assertThatThrownBy(() -> Takt.connect(elsewhere, tls, "", PATIENT))
        .isInstanceOf(SSLException.class)
        .hasMessageContaining("other.example");
  }

  @Test
  void shouldServeOthersWhileAHandshakeStandsStill() throws Exception {
    open(tls);
    try (Socket silent = new Socket(address().getAddress(), address().getPort());
        Socket half = new Socket(address().getAddress(), address().getPort())) {
      half.getOutputStream().write(Arrays.copyOf(clientHello(3), 20));
      try (RemoteSpace client = Takt.connect(address(), tls, "", PATIENT)) {
        client.write(X);
      }
      assertThat(silent.isConnected()).isTrue();
    }
  }
}
