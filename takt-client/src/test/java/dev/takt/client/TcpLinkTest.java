package dev.takt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import javax.net.ssl.SSLContext;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages go whole and in order over a stream of bytes, and nobody waits who was not told to. */
@Timeout(60)
class TcpLinkTest {
  private static final long LONG_NS = 30_000_000_000L;
  private static final int MAX = 4_096;
  private static final ClientSettings SETTINGS =
      ClientSettings.DEFAULTS
          .withSpinNs(0)
          .withWire(ClientSettings.DEFAULTS.wire().withMaxMessageBytes(MAX));

  private final MemorySegment buffer = MemorySegment.ofArray(new byte[MAX]);
  private ServerSocket server;
  private TcpLink link;
  private Socket host;

  @BeforeEach
  void connect() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    link =
        TcpLink.connect(
            (InetSocketAddress) server.getLocalSocketAddress(), null, SETTINGS, () -> false);
    host = server.accept();
  }

  @AfterEach
  void close() throws IOException {
    host.close(); // first: the link waits for it
    link.close();
    server.close();
  }

  private static byte[] message(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(4, length);
    return bytes;
  }

  private static List<byte[]> messages(Random random) {
    List<byte[]> all = new ArrayList<>();
    for (int i = Seeds.size(300, 20_000); i > 0; i--) {
      all.add(message(random, 24 + (random.nextInt(10) == 0 ? random.nextInt(MAX - 23) : i % 40)));
    }
    return all;
  }

  private byte[] poll() throws IOException {
    int length = link.poll(buffer);
    while (length == MessageLink.NONE) {
      link.await(LONG_NS);
      length = link.poll(buffer);
    }
    return length == MessageLink.ENDED
        ? null
        : buffer.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
  }

  @Test
  void shouldReceiveMessagesWholeWhateverPiecesTheyComeIn() throws Exception {
    Random random = new Random(Seeds.seed());
    List<byte[]> all = messages(random);
    FutureTask<Void> writing =
        new FutureTask<>(
            () -> {
              OutputStream out = host.getOutputStream();
              for (byte[] each : all) {
                int cut = random.nextInt(each.length + 1);
                out.write(each, 0, cut);
                out.write(each, cut, each.length - cut);
              }
              host.shutdownOutput();
              return null;
            });
    Thread.ofVirtual().start(writing);
    for (byte[] each : all) {
      assertThat(poll()).isEqualTo(each);
    }
    assertThat(poll()).isNull();
    writing.get();
  }

  @Test
  void shouldSendMessagesInOrderAndWholeHoweverSlowlyTheHostReads() throws Exception {
    Random random = new Random(Seeds.seed());
    List<byte[]> all = messages(random);
    FutureTask<byte[]> reading =
        new FutureTask<>(
            () -> {
              InputStream in = host.getInputStream();
              ByteBuffer read = ByteBuffer.allocate(all.stream().mapToInt(e -> e.length).sum());
              while (read.hasRemaining()) {
                int most = Math.min(read.remaining(), 1 + random.nextInt(5_000));
                int count = in.read(read.array(), read.position(), most);
                read.position(read.position() + count);
              }
              return read.array();
            });
    Thread.ofVirtual().start(reading);
    ByteBuffer expected = ByteBuffer.allocate(all.stream().mapToInt(e -> e.length).sum());
    for (byte[] each : all) {
      expected.put(each);
      while (!link.offer(MemorySegment.ofArray(each), each.length)) {
        assertThat(link.poll(buffer)).isEqualTo(MessageLink.NONE);
        link.await(LONG_NS);
      }
    }
    while (!reading.isDone()) {
      assertThat(link.poll(buffer)).isEqualTo(MessageLink.NONE); // sends what is left
    }
    assertThat(reading.get()).isEqualTo(expected.array());
  }

  @Test
  void shouldRefuseAMessageAtOnceWhileTheHostDoesNotReadAndTakeItWhenItDoes() throws Exception {
    byte[] message = message(new Random(1), MAX);
    int sent = 0;
    while (link.offer(MemorySegment.ofArray(message), message.length)) {
      sent++;
    }
    assertThat(sent).isPositive();
    int before = sent;
    Thread reader =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    host.getInputStream().readNBytes(before * MAX);
                  } catch (IOException ofClose) {
                    // the rest has no reader
                  }
                });
    while (!link.offer(MemorySegment.ofArray(message), message.length)) {
      link.poll(buffer);
      link.await(LONG_NS); // ends when there is room: no message comes
    }
    host.close();
    reader.join();
  }

  @Test
  void shouldEndTheLinkForALengthThatTheFormatDoesNotAllow() throws Exception {
    for (int length : new int[] {0, 23, MAX + 1, Integer.MIN_VALUE, -1, 0x0203_0015}) {
      byte[] bytes = new byte[24];
      ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(4, length);
      host.getOutputStream().write(bytes);
      assertThatThrownBy(this::poll)
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll(
              Integer.toUnsignedString(length),
              "24 to 4096",
              "WireLimits.maxMessageBytes",
              "tls://");
      close();
      connect();
    }
  }

  @Test
  void shouldSayThatTheLinkHasEndedWithinAMessage() throws Exception {
    host.getOutputStream().write(message(new Random(1), 30), 0, 7);
    host.shutdownOutput();
    assertThatThrownBy(this::poll)
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("within a message, after 7 bytes", "for tcp:// and not");
  }

  @Test
  void shouldEndTheWaitWhenItIsWokenOrClosedAndNotDieOfAnInterrupt() throws Exception {
    assertThat(link.poll(buffer)).isEqualTo(MessageLink.NONE);
    link.wakeUp();
    link.await(LONG_NS);

    Thread.currentThread().interrupt();
    link.await(LONG_NS);
    byte[] message = message(new Random(2), 24);
    assertThat(link.offer(MemorySegment.ofArray(message), 24)).isTrue();
    assertThat(link.poll(buffer)).isEqualTo(MessageLink.NONE);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(host.getInputStream().readNBytes(24)).isEqualTo(message);

    FutureTask<Void> waiting =
        new FutureTask<>(
            () -> {
              link.await(LONG_NS);
              return null;
            });
    Thread waiter = Thread.ofPlatform().start(waiting);
    host.shutdownOutput();
    link.close();
    waiting.get();
    waiter.join();
    assertThat(link.poll(buffer)).isEqualTo(MessageLink.ENDED);
    assertThatThrownBy(() -> link.offer(buffer, 24)).isInstanceOf(IOException.class);
  }

  @Test
  void shouldSayWhatIsWrongWithAnAddress() throws Exception {
    InetSocketAddress address = (InetSocketAddress) server.getLocalSocketAddress();
    ClientSettings hasty = SETTINGS.withTimeoutNs(50_000_000);
    assertThatThrownBy(() -> Takt.connect(address, null, "", hasty))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(
            "the host has not answered for 50 ms (ClientSettings.timeoutNs)", "for tcp:// and not");
    assertThatThrownBy(() -> TcpLink.connect(address, SSLContext.getDefault(), hasty, () -> false))
        .isInstanceOf(SocketTimeoutException.class)
        .hasMessageContainingAll("within 50 ms (ClientSettings.timeoutNs)", "for tls:// and not");
    server.close();
    assertThatThrownBy(() -> TcpLink.connect(address, null, SETTINGS, () -> false))
        .isInstanceOf(ConnectException.class)
        .hasMessageContainingAll(
            "no host listens at",
            "for example ./takt serve --listen tcp://",
            ":" + address.getPort());
    for (String wrong : List.of("http://a:1", "tcp://a", "tls:a:1", "tcp:///x")) {
      assertThatThrownBy(() -> Takt.connect(URI.create(wrong), "", SETTINGS))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("expected: tcp://HOST:PORT or tls://HOST:PORT");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldTellAnInterruptFromAHostThatIsLate(boolean isTls) throws Exception {
    InetSocketAddress address = (InetSocketAddress) server.getLocalSocketAddress();
    SSLContext tls = isTls ? SSLContext.getDefault() : null;

    Thread.currentThread().interrupt();
    Throwable failure = catchThrowable(() -> Takt.connect(address, tls, "", SETTINGS));

    assertThat(Thread.interrupted()).as("is still interrupted").isTrue();
    assertThat(failure)
        .isExactlyInstanceOf(InterruptedIOException.class)
        .hasMessageStartingWith("interrupted before the ");
  }

  /** What a listener for lines, for WebSocket and for TLS says to a message. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "error protocol: not a text\n",
        "HTTP/1.1 400 Bad Request\r\n\r\n",
        "\u0015\u0003\u0003\u0000\u0002\u0002\u0050",
        ""
      })
  void shouldHintThatAPortServesAnotherScheme(String answer) throws Exception {
    InetSocketAddress address = (InetSocketAddress) server.getLocalSocketAddress();
    boolean isTls = !answer.startsWith("\u0015"); // which is no other scheme to TLS
    // Of one that says nothing it is not clear that it is no host that starts anew.
    ClientSettings once = answer.isEmpty() ? SETTINGS.withReconnectNs(0) : SETTINGS;
    for (SSLContext tls :
        isTls ? new SSLContext[] {null, SSLContext.getDefault()} : new SSLContext[1]) {
      FutureTask<Throwable> connecting =
          new FutureTask<>(() -> catchThrowable(() -> Takt.connect(address, tls, "", once)));
      Thread client = Thread.ofPlatform().start(connecting);
      try (Socket other = server.accept()) {
        assertThat(other.getInputStream().read(new byte[1_000])).isPositive();
        other.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
        other.shutdownOutput();
        assertThat(connecting.get())
            .isInstanceOf(IOException.class)
            .hasMessageContaining(tls == null ? "for tcp:// and not for tls" : "for tls:// and not")
            .hasMessageContaining("lines:// or ws://");
      }
      client.join();
    }
  }

  @Test
  void shouldAskAfterAMinuteWhetherTheMachineOfTheHostIsThere() throws Exception {
    assumeTrue(link.channel.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE));
    assertThat(link.channel.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
    assertThat(link.channel.getOption(ExtendedSocketOptions.TCP_KEEPIDLE)).isEqualTo(60);
    assertThat(link.channel.getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL)).isEqualTo(10);
    assertThat(link.channel.getOption(ExtendedSocketOptions.TCP_KEEPCOUNT)).isEqualTo(6);
  }
}
