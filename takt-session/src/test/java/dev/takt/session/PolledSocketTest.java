package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.takt.testkit.Seeds;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A socket that a poller looks at is a socket, whoever closes, resets, floods or stops reading. */
@Timeout(60)
class PolledSocketTest {
  /** More than the system keeps of a connection whose other end does not read. */
  private static final int MUCH = 20_000_000;

  private final List<Thread> pollerThreads = new CopyOnWriteArrayList<>();
  private ConnectionPollers pollers;
  private Socket client;
  private Socket server;

  @BeforeEach
  void connect() throws IOException {
    ThreadFactory virtual = Thread.ofVirtual().factory();
    pollers =
        new ConnectionPollers(
            code -> {
              Thread thread = virtual.newThread(code);
              pollerThreads.add(thread);
              return thread;
            },
            "poller of a test");
    connectOnce();
  }

  private void connectOnce() throws IOException {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (ServerSocketChannel listener = ServerSocketChannel.open().bind(anyPort)) {
      client = new Socket(InetAddress.getLoopbackAddress(), listener.socket().getLocalPort());
      server = PolledSocket.of(listener.accept(), pollers);
    }
  }

  @AfterEach
  void shouldEndEachPollerWithItsLastConnection() throws Exception {
    pollers.close();
    client.close();
    server.close();
    for (Thread each : pollerThreads) {
      each.join();
    }
  }

  /** Lets a virtual thread do something, and waits until it waits. */
  private static <T> Parked<T> park(Callable<T> code) {
    FutureTask<T> task = new FutureTask<>(code);
    Thread thread = Thread.ofVirtual().start(task);
    while (thread.getState() != Thread.State.WAITING && !task.isDone()) {
      Thread.onSpinWait();
    }
    return new Parked<>(thread, task);
  }

  private record Parked<T>(Thread thread, FutureTask<T> task) {
    T get() throws Exception {
      return task.get(30, TimeUnit.SECONDS);
    }
  }

  private static byte[] random(int count) {
    byte[] bytes = new byte[count];
    new Random(Seeds.seed()).nextBytes(bytes);
    return bytes;
  }

  @Test
  void shouldWakeAReaderForEachByte() throws Exception {
    InputStream in = server.getInputStream();
    for (int i = 0; i < 300; i++) {
      Parked<Integer> reader = park(in::read);
      client.getOutputStream().write(i);
      assertThat(reader.get()).isEqualTo(i & 0xff);
    }
  }

  @Test
  void shouldCarryMoreThanABufferBothWaysAtOnce() throws Exception {
    byte[] much = random(MUCH);
    Parked<byte[]> reader = park(() -> server.getInputStream().readNBytes(MUCH));
    FutureTask<byte[]> echo = new FutureTask<>(() -> client.getInputStream().readNBytes(MUCH));
    FutureTask<Void> writer =
        new FutureTask<>(
            () -> {
              server.getOutputStream().write(much);
              return null;
            });
    Thread.ofVirtual().start(echo);
    Thread.ofVirtual().start(writer);
    client.getOutputStream().write(much);
    writer.get(30, TimeUnit.SECONDS);

    assertThat(reader.get()).isEqualTo(much);
    assertThat(echo.get(30, TimeUnit.SECONDS)).isEqualTo(much);
  }

  @Test
  void shouldHoldBackAWriterUntilItsReaderReads() throws Exception {
    byte[] much = random(MUCH);
    OutputStream out = server.getOutputStream();
    Parked<Void> writer =
        park(
            () -> {
              out.write(much);
              return null;
            });
    assertThat(client.getInputStream().readNBytes(MUCH)).isEqualTo(much);
    writer.get();
  }

  @Test
  void shouldReadAllThatWasSentBeforeTheReaderCame() throws Exception {
    byte[] much = random(MUCH);
    Parked<Integer> first = park(server.getInputStream()::read);
    FutureTask<Void> sending =
        new FutureTask<>(
            () -> {
              client.getOutputStream().write(much);
              client.shutdownOutput();
              return null;
            });
    Thread sender = Thread.ofVirtual().start(sending);
    assertThat(first.get()).isEqualTo(much[0] & 0xff);
    while (sender.getState() != Thread.State.WAITING && !sending.isDone()) {
      Thread.onSpinWait(); // until nobody keeps more of it
    }
    assertThat(server.getInputStream().readAllBytes()).isEqualTo(Arrays.copyOfRange(much, 1, MUCH));
    sending.get();
  }

  @Test
  void shouldTellAResetAfterWhatCameBeforeAndAgain() throws Exception {
    InputStream in = server.getInputStream();
    Parked<Integer> reader = park(in::read);
    client.getOutputStream().write(new byte[] {1});
    assertThat(reader.get()).isEqualTo(1);
    Parked<Integer> next = park(in::read);
    client.setSoLinger(true, 0);
    client.close();

    assertThatThrownBy(next::get)
        .cause()
        .isInstanceOf(SocketException.class)
        .hasMessageContaining("reset");
    assertThatThrownBy(in::read).isInstanceOf(SocketException.class).hasMessageContaining("reset");
    assertThatThrownBy(() -> writeForEver(server)).isInstanceOf(SocketException.class);
  }

  private static Void writeForEver(Socket socket) throws IOException {
    byte[] bytes = new byte[100_000];
    while (true) {
      socket.getOutputStream().write(bytes);
    }
  }

  @Test
  void shouldEndAWriterWithoutRoomWhenTheOtherEndResets() throws Exception {
    Parked<Void> writer = park(() -> writeForEver(server));
    client.setSoLinger(true, 0);
    client.close();
    assertThatThrownBy(writer::get).cause().isInstanceOf(SocketException.class);
  }

  @Test
  void shouldEndReadersAndWritersWhenAnyThreadCloses() throws Exception {
    Parked<Integer> reader = park(server.getInputStream()::read);
    Parked<Void> writer = park(() -> writeForEver(server));
    server.close();

    for (Parked<?> each : List.of(reader, writer)) {
      assertThatThrownBy(each::get)
          .cause()
          .isInstanceOf(SocketException.class)
          .hasMessage("Socket closed");
    }
    assertThatThrownBy(server::getInputStream).isInstanceOf(SocketException.class);
  }

  @Test
  void shouldEndAReadThatIsClosedWhileThePollerReads() throws Exception {
    Random random = new Random(Seeds.seed());
    for (int i = 0; i < Seeds.size(200, 20_000); i++) {
      Socket flooded = server;
      Socket flooding = client;
      Parked<Long> reader = park(() -> readForEver(flooded));
      FutureTask<Void> flood = new FutureTask<>(() -> writeForEver(flooding));
      Thread.ofVirtual().start(flood);
      for (int spins = random.nextInt(20_000); spins > 0; spins--) {
        Thread.onSpinWait();
      }
      flooded.close();

      assertThatThrownBy(reader::get).cause().isInstanceOf(SocketException.class);
      assertThatThrownBy(() -> flood.get(30, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(SocketException.class);
      client.close();
      connectOnce();
    }
  }

  private static long readForEver(Socket socket) throws IOException {
    byte[] bytes = new byte[100];
    long total = 0;
    for (int count = 0; count >= 0; count = socket.getInputStream().read(bytes)) {
      total += count;
    }
    return total;
  }

  @Test
  void shouldCloseForAnInterruptOfAVirtualThreadThatWaits() throws Exception {
    Parked<Void> writer = park(() -> writeForEver(server));
    writer.thread().interrupt();

    assertThatThrownBy(writer::get)
        .cause()
        .isInstanceOf(SocketException.class)
        .hasMessage("Closed by interrupt");
    assertThat(server.isClosed()).isTrue();
  }

  @Test
  void shouldCloseForAnInterruptOfAVirtualThreadThatWaitsForAnArray() throws Exception {
    Parked<byte[]> reader = park(() -> ((PolledSocket) server).readArray(100));
    reader.thread().interrupt();

    assertThatThrownBy(reader::get)
        .cause()
        .isInstanceOf(SocketException.class)
        .hasMessage("Closed by interrupt");
    assertThat(server.isClosed()).isTrue();
  }

  @Test
  void shouldNotEndTheReadOfAPlatformThreadByAnInterrupt() throws Exception {
    InputStream in = server.getInputStream();
    FutureTask<Boolean> task =
        new FutureTask<>(
            () -> {
              assertThat(in.read()).isEqualTo(7);
              return Thread.currentThread().isInterrupted();
            });
    Thread reader = Thread.ofPlatform().start(task);
    while (reader.getState() != Thread.State.WAITING && !task.isDone()) {
      Thread.onSpinWait();
    }
    reader.interrupt();
    client.getOutputStream().write(7);

    assertThat(task.get(30, TimeUnit.SECONDS)).as("still interrupted").isTrue();
  }

  @Test
  void shouldEndAReadInTimeAndReadLater() throws Exception {
    InputStream in = server.getInputStream();
    server.setSoTimeout(10);
    assertThat(server.getSoTimeout()).isEqualTo(10);
    assertThatThrownBy(in::read)
        .isInstanceOf(SocketTimeoutException.class)
        .hasMessage("Read timed out");
    server.setSoTimeout(0);
    client.getOutputStream().write(5);
    assertThat(in.read()).isEqualTo(5);
  }

  private Transport transport(Duration readTimeout) throws IOException {
    return SocketTransport.of(server, TransportSettings.DEFAULTS.withReadTimeout(readTimeout));
  }

  @Test
  void shouldWaitWithoutATimerForALineThatHasItsTime() throws Exception {
    try (Transport transport = transport(Duration.ofSeconds(20))) {
      Parked<String> reader = park(transport::readLine); // a timed wait has another state
      client.getOutputStream().write("line\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(reader.get()).isEqualTo("line");
    }
  }

  @Test
  void shouldKeepTheBeginningOfALineThatHasNotEndedInTime() throws Exception {
    try (Transport transport = transport(Duration.ofMillis(20))) {
      client.getOutputStream().write("li".getBytes(StandardCharsets.US_ASCII));
      String expected = "(2 bytes of it are here); the other end is silent, or";
      for (String message = ""; !message.contains(expected); ) {
        Throwable late = catchThrowable(transport::readLine);
        assertThat(late).isInstanceOf(SocketTimeoutException.class);
        message = late.getMessage();
      }
      client.getOutputStream().write("ne\n".getBytes(StandardCharsets.US_ASCII));
      String line = null;
      while (line == null) {
        try {
          line = transport.readLine();
        } catch (SocketTimeoutException late) {
          // on a slow machine it has yet to come
        }
      }
      assertThat(line).isEqualTo("line");
    }
  }

  @Test
  void shouldReadOnWithinItsTimeWhateverTimeoutTheSocketHas() throws Exception {
    server.setSoTimeout(1);
    try (Transport transport = transport(Duration.ofSeconds(20))) {
      Parked<String> reader = park(transport::readLine);
      client.getOutputStream().write("line\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(reader.get()).isEqualTo("line");
    }
  }

  @Test
  void shouldCloseOneDirectionAlone() throws Exception {
    client.getOutputStream().write(1);
    client.shutdownOutput();
    assertThat(server.getInputStream().readAllBytes()).containsExactly(1);
    assertThat(server.getInputStream().read()).isNegative();
    server.getOutputStream().write(2);
    server.shutdownOutput();

    assertThat(client.getInputStream().readAllBytes()).containsExactly(2);
    assertThatThrownBy(server::getOutputStream).hasMessageContaining("shutdown");
  }

  @Test
  void shouldReadNothingMoreWhenItsInputIsShut() throws Exception {
    InputStream in = server.getInputStream();
    Parked<Integer> reader = park(in::read);
    client.getOutputStream().write(new byte[] {1, 2, 3});
    assertThat(reader.get()).isEqualTo(1);
    server.shutdownInput();
    assertThat(in.read()).as("what has come before").isNegative();
  }

  @Test
  void shouldTellHowMuchCanBeRead() throws Exception {
    InputStream in = server.getInputStream();
    assertThat(in.available()).isZero();
    client.getOutputStream().write(new byte[] {1, 2, 3});
    while (in.available() == 0) {
      Thread.onSpinWait();
    }
    assertThat(in.readNBytes(3)).containsExactly(1, 2, 3);
    Parked<Integer> reader = park(in::read);
    client.getOutputStream().write(new byte[] {4, 5, 6});
    assertThat(reader.get()).isEqualTo(4);
    assertThat(in.available()).isEqualTo(2);
  }

  @Test
  void shouldHaveAddressesAndOptionsOfTheConnection() throws Exception {
    assertThat(server.isConnected()).isTrue();
    assertThat(server.getRemoteSocketAddress()).isEqualTo(client.getLocalSocketAddress());
    assertThat(server.getLocalSocketAddress()).isEqualTo(client.getRemoteSocketAddress());
    assertThat(server.toString()).contains("port=" + client.getLocalPort());
    server.setTcpNoDelay(true);
    assertThat(server.getOption(StandardSocketOptions.TCP_NODELAY)).isTrue();
    server.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    assertThat(server.getKeepAlive()).isTrue();
    assertThat(server.getSoLinger()).isNegative();
    server.setSoLinger(true, 3);
    assertThat(server.getSoLinger()).isEqualTo(3);
    server.setSendBufferSize(50_000);
    assertThat(server.getSendBufferSize()).isPositive();
    server.setTrafficClass(8);
    assertThat(server.getTrafficClass()).isEqualTo(8);
    assertThat(server.supportedOptions()).contains(StandardSocketOptions.TCP_NODELAY);
    assertThatThrownBy(() -> server.setOOBInline(true))
        .isInstanceOf(SocketException.class)
        .hasMessageContaining("not supported");
  }

  @Test
  void shouldTellItsConnectionsWhenAPollerFailsAndStartAnother() throws Exception {
    List<Parked<?>> waiting = new ArrayList<>();
    waiting.add(park(server.getInputStream()::read));
    waiting.add(park(() -> writeForEver(server)));
    assertThat(pollerThreads).hasSize(1);
    pollerThreads.getFirst().interrupt();

    for (Parked<?> each : waiting) {
      assertThatThrownBy(each::get)
          .cause()
          .isInstanceOf(SocketException.class)
          .hasMessage("Socket closed")
          .hasCauseInstanceOf(InterruptedException.class);
    }
    client.close();
    for (int i = 0; i <= Runtime.getRuntime().availableProcessors(); i++) {
      connectOnce();
      Parked<Integer> reader = park(server.getInputStream()::read);
      client.getOutputStream().write(9);
      assertThat(reader.get()).isEqualTo(9);
      client.close();
      server.close();
    }
  }

  @Test
  void shouldGoOnWithTheOthersWhenOneConnectionFails() throws Exception {
    Socket other = server;
    Socket otherClient = client;
    Parked<Integer> reader = park(other.getInputStream()::read);
    for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
      connectOnce();
      Parked<Integer> failing = park(server.getInputStream()::read);
      client.setSoLinger(true, 0);
      client.close();
      assertThatThrownBy(failing::get).cause().isInstanceOf(SocketException.class);
      server.close();
    }
    otherClient.getOutputStream().write(3);
    assertThat(reader.get()).isEqualTo(3);
    otherClient.close();
    other.close();
  }

  @Test
  void shouldTellHowMuchCanBeReadWhileAnotherReads() throws Exception {
    Parked<Integer> reader = park(server.getInputStream()::read);
    FutureTask<Integer> available = new FutureTask<>(server.getInputStream()::available);
    Thread.ofVirtual().start(available);
    assertThat(available.get(30, TimeUnit.SECONDS)).isZero();
    client.getOutputStream().write(1);
    assertThat(reader.get()).isEqualTo(1);
  }

  @Test
  void shouldReadWhatCameBeforeAResetThroughABufferThatAsksWhatIsThere() throws Exception {
    InputStream in = new BufferedInputStream(server.getInputStream());
    Parked<Integer> reader = park(in::read);
    client.getOutputStream().write(new byte[100]);
    assertThat(reader.get()).isZero();
    client.setSoLinger(true, 0);
    client.close();
    byte[] bytes = new byte[200];
    assertThat(in.read(bytes)).isEqualTo(99);
    assertThatThrownBy(() -> in.read(bytes)).isInstanceOf(SocketException.class);
  }

  @Test
  void shouldReadMuchAtOnceThroughABufferThatAsksWhatIsThere() throws Exception {
    InputStream in = server.getInputStream();
    client.getOutputStream().write(new byte[20_000]);
    while (in.available() < 20_000) {
      Thread.onSpinWait();
    }
    assertThat(new BufferedInputStream(in).read(new byte[20_000])).isEqualTo(20_000);
  }
}
