package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** TCP does what every transport does, whatever pieces its bytes come in. */
class SocketTransportTest extends TcpContract {
  @Override
  Transport connectTo(InetSocketAddress server, TransportSettings settings) throws IOException {
    return SocketTransport.connect(server, settings);
  }

  @Override
  InVmTransport.Pair connect(TransportSettings settings) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Transport first =
          SocketTransport.connect((InetSocketAddress) server.getLocalSocketAddress(), settings);
      return new InVmTransport.Pair(first, SocketTransport.of(server.accept(), settings));
    }
  }

  @Test
  void shouldNameTheAddressToWhichItCannotConnect() throws Exception {
    InetSocketAddress unused;
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      unused = (InetSocketAddress) server.getLocalSocketAddress();
    }
    assertThatThrownBy(() -> SocketTransport.connect(unused, SETTINGS))
        .isInstanceOf(ConnectException.class)
        .hasMessageStartingWith("cannot connect to " + unused + ": ")
        .hasMessageEndingWith("; start the server there, or give the port that it has")
        .hasCauseInstanceOf(ConnectException.class);
    InetSocketAddress unknown = InetSocketAddress.createUnresolved("nowhere.invalid", 7);
    assertThatThrownBy(() -> SocketTransport.connect(unknown, SETTINGS))
        .isInstanceOf(UnknownHostException.class)
        .hasMessage("nowhere.invalid (is the name of the host right?)");
  }

  @Test
  void shouldRefuseAWriteWithoutEnd() {
    assertThatThrownBy(() -> SETTINGS.withWriteTimeout(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("writeTimeout=PT0S")
        .hasMessageContaining("would keep the writer for ever");
    assertThat(SETTINGS.withReadTimeout(Duration.ZERO).readTimeout()).isZero();
  }

  @Test
  void shouldRoundATimeToConnectUpAndNotToWithoutEnd() {
    assertThat(SETTINGS.withConnectTimeout(Duration.ofNanos(1)).connectTimeoutMs()).isEqualTo(1);
    assertThat(SETTINGS.withConnectTimeout(Duration.ofNanos(1_000_001)).connectTimeoutMs())
        .isEqualTo(2);
    assertThat(SETTINGS.withConnectTimeout(Duration.ZERO).connectTimeoutMs()).isZero();
    assertThat(SETTINGS.withConnectTimeout(Duration.ofMillis(Integer.MAX_VALUE)).connectTimeoutMs())
        .isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void shouldLimitLinesOfWhomItDoesNotKnowYet() throws Exception {
    InVmTransport.Pair pair = connect(SETTINGS.withMaxLineBytes(100));
    try (SocketTransport reader = (SocketTransport) pair.second();
        Transport writer = pair.first()) {
      reader.limitLines(5, 60_000_000_000L);
      writer.writeLine("12345");
      assertThat(reader.readLine()).isEqualTo("12345");
      reader.limitLines(100, 0);
      writer.writeLine("1234567");
      assertThat(reader.readLine()).isEqualTo("1234567");
      reader.limitLines(5, 0);
      writer.writeLine("1234567");
      assertThatThrownBy(reader::readLine).hasMessageContaining("maxLineBytes=5");
      assertThatThrownBy(reader::readLine).hasMessageContaining("behind one that was refused");
      reader.writeLine("no");
      assertThat(writer.readLine()).isEqualTo("no");
      assertThatThrownBy(() -> reader.limitLines(101, 0)).hasMessageContaining("maxBytes=101");
    }
  }

  @Test
  void shouldAskForRoomForALongLineAndGiveItBack() throws Exception {
    InVmTransport.Pair pair = connect(SETTINGS.withMaxLineBytes(100_000));
    List<Integer> sizes = new ArrayList<>();
    try (SocketTransport reader = (SocketTransport) pair.second();
        Transport writer = pair.first()) {
      reader.askForRoom(
          bytes -> {
            if (sizes.contains(bytes)) {
              throw new TransportException("no room");
            }
            sizes.add(bytes);
          });
      String line = "x".repeat(40_000);
      writer.writeLine(line);
      assertThat(reader.readLine()).isEqualTo(line);
      assertThat(sizes).isSorted().startsWith(1_024).endsWith(1 << 16);
      writer.writeLine("short");
      assertThat(reader.readLine()).isEqualTo("short");
      assertThat(sizes.getLast()).as("the room of the long one").isEqualTo(512);
      writer.writeLine(line);
      assertThatThrownBy(reader::readLine).hasMessage("no room");
      reader.endReading();
      assertThatThrownBy(reader::readLine).hasMessageContaining("behind one that was refused");
      reader.writeLine("no");
      assertThat(writer.readLine()).isEqualTo("no");
    }
  }

  @Test
  void shouldTakeNoConnectionThatWaitsForItsWriterWhenItIsClosed() throws Exception {
    try (Socket tls = SSLSocketFactory.getDefault().createSocket()) {
      assertThatThrownBy(() -> SocketTransport.of(tls, SETTINGS))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("SocketTransport.of(connection, tls, settings)");
    }
  }

  @Test
  void shouldEndALineThatComesTooSlowly() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
        SocketTransport reader =
            SocketTransport.of(server.accept(), SETTINGS.withIdleTimeout(Duration.ZERO))) {
      reader.limitLines(100, 20_000_000);
      client.getOutputStream().write('x');
      assertThatThrownBy(reader::readLine)
          .isInstanceOf(SocketTimeoutException.class)
          .hasMessageContaining("1 bytes of it are here");
      assertThat(client.getInputStream().read()).as("the end").isNegative();
    }
  }

  @Test
  void shouldWaitLongerThanATimeoutThatTheSocketHas() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket connection = server.accept();
        SocketTransport reader =
            SocketTransport.of(connection, new SilentUntilTimeout(connection), SETTINGS)) {
      client.getOutputStream().write("late\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(reader.readLine()).isEqualTo("late");
    }
  }

  /** Somebody has set a timeout; bytes come after it. */
  private static final class SilentUntilTimeout extends Socket {
    private final Socket inner;
    private int timeoutMs = 1;

    SilentUntilTimeout(Socket inner) {
      this.inner = inner;
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(inner.getInputStream()) {
        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
          if (timeoutMs > 0) {
            throw new SocketTimeoutException("Read timed out");
          }
          return super.read(bytes, from, length);
        }
      };
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return inner.getOutputStream();
    }

    @Override
    public int getSoTimeout() {
      return timeoutMs;
    }

    @Override
    public void setSoTimeout(int timeoutMs) {
      this.timeoutMs = timeoutMs;
    }
  }

  @Test
  void shouldTellThatAWriteWasTooLateAlsoIfItHasEndedAtTheLastMoment() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket connection = server.accept();
        SocketTransport writer =
            SocketTransport.of(
                connection,
                new WritesWhenClosed(connection),
                SETTINGS.withWriteTimeout(Duration.ofMillis(20)))) {
      assertThatThrownBy(() -> writer.writeLine("late"))
          .isInstanceOf(SocketTimeoutException.class)
          .hasMessageContaining("no room for a line within 20 ms");
      assertThat(client.getInputStream().read()).as("the end").isNegative();
    }
  }

  /** What is written has room when the connection has been closed for want of it. */
  private static final class WritesWhenClosed extends Socket {
    private final Socket inner;

    WritesWhenClosed(Socket inner) {
      this.inner = inner;
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return inner.getInputStream();
    }

    @Override
    public OutputStream getOutputStream() {
      return new OutputStream() {
        @Override
        public void write(int one) {
          while (!inner.isClosed()) {
            Thread.onSpinWait();
          }
        }
      };
    }
  }

  @Test
  @Timeout(60)
  void shouldCloseWhenALineIsCutOffInItsMiddle() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket connection = server.accept();
        SocketTransport writer =
            SocketTransport.of(connection, new WritesAByte(connection), SETTINGS)) {
      assertThatThrownBy(() -> writer.writeLine("cut"))
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessage("on purpose");
      assertThat(client.getInputStream().readAllBytes()).containsExactly('c');
    }
  }

  /** Has no memory for more than one byte. */
  private static final class WritesAByte extends Socket {
    private final Socket inner;

    WritesAByte(Socket inner) {
      this.inner = inner;
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return inner.getInputStream();
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(inner.getOutputStream()) {
        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
          out.write(bytes, from, 1);
          throw new OutOfMemoryError("on purpose");
        }
      };
    }
  }

  @Test
  void shouldTellThatItHasClosedForWantOfALineAlsoIfOneCameAtTheLastMoment() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket connection = server.accept();
        SocketTransport reader =
            SocketTransport.of(
                connection,
                new ReadsWhenClosed(connection, ""),
                SETTINGS.withIdleTimeout(Duration.ofMillis(20)))) {
      assertThat(reader.readLine()).isEqualTo("late");
      assertThatThrownBy(reader::readLine)
          .isInstanceOf(SocketTimeoutException.class)
          .hasMessageContaining("no line within 20 ms");
      assertThatThrownBy(reader::readLine).hasMessageContaining("this end is closed");
      assertThat(client.getInputStream().read()).as("the end").isNegative();
    }
  }

  @Test
  void shouldTellThatItHasClosedBecauseALineWasTooSlowAlsoIfThatEndedAtTheLastMoment()
      throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket connection = server.accept();
        SocketTransport reader =
            SocketTransport.of(connection, new ReadsWhenClosed(connection, "too "), SETTINGS)) {
      reader.limitLines(100, 20_000_000);
      assertThat(reader.readLine()).isEqualTo("too late");
      assertThatThrownBy(reader::readLine)
          .isInstanceOf(SocketTimeoutException.class)
          .hasMessageContaining("a line has begun to come and has not ended in time");
      assertThatThrownBy(reader::readLine).hasMessageContaining("this end is closed");
      assertThat(client.getInputStream().read()).as("the end").isNegative();
    }
  }

  /** A line, or its end, comes when the connection has been closed for want of it. */
  private static final class ReadsWhenClosed extends Socket {
    private final Socket inner;
    private final String begin;

    ReadsWhenClosed(Socket inner, String begin) {
      this.inner = inner;
      this.begin = begin;
    }

    @Override
    public InputStream getInputStream() {
      InputStream end =
          new ByteArrayInputStream(TcpContract.bytes("late\n")) {
            @Override
            public int read(byte[] bytes, int from, int length) {
              while (!inner.isClosed()) {
                Thread.onSpinWait();
              }
              return super.read(bytes, from, length);
            }
          };
      return new SequenceInputStream(new ByteArrayInputStream(TcpContract.bytes(begin)), end);
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return inner.getOutputStream();
    }
  }

  @Test
  @Timeout(60)
  void shouldLetOthersRunWhereLinesComeAsFastAsTheyAreRead() throws Exception {
    int many = 3_000_000; // of which a millisecond has some thousands
    int carriers = Carriers.use().limit();
    Carriers.limit(1);
    AtomicBoolean isOtherStarted = new AtomicBoolean();
    AtomicBoolean hasOtherRun = new AtomicBoolean();
    CountDownLatch flows = new CountDownLatch(1);
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket connection = server.accept();
        SocketTransport reader =
            SocketTransport.of(connection, new AlwaysReads(connection), SETTINGS)) {
      client.getOutputStream().write('x');
      while (connection.getInputStream().available() == 0) {
        Thread.onSpinWait();
      }
      Session<Integer> flooded =
          sessions.start(
              "flooded",
              () -> {
                int lines = 0;
                while (!hasOtherRun.get() && lines < many) {
                  assertThat(reader.readLine()).isEmpty();
                  flows.countDown();
                  lines += isOtherStarted.get() ? 1 : 0;
                }
                return lines;
              });
      flows.await();
      sessions.start(
          "other",
          () -> {
            hasOtherRun.set(true);
            return null;
          });
      isOtherStarted.set(true);
      assertThat(flooded.await().value()).isLessThan(many);
    } finally {
      Carriers.limit(carriers);
    }
  }

  /** Lines are there whenever it is read; so there is more behind those that come. */
  private static final class AlwaysReads extends Socket {
    private final Socket inner;

    AlwaysReads(Socket inner) {
      this.inner = inner;
    }

    @Override
    public InputStream getInputStream() {
      return new InputStream() {
        @Override
        public int read() {
          return '\n';
        }

        @Override
        public int read(byte[] bytes, int from, int length) {
          Arrays.fill(bytes, from, from + length, (byte) '\n');
          return length;
        }
      };
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return inner.getOutputStream();
    }
  }

  @Test
  void shouldAskOnceInAMillisecondWithoutAWaitWhetherThereIsMore() throws Exception {
    List<Integer> asked = new ArrayList<>();
    try (SteppedSessions stepped = SteppedSessions.open(SessionSettings.DEFAULTS);
        SlowOrFast socket = new SlowOrFast(stepped)) {
      Session<Object> reading =
          stepped.start(
              "reader",
              () -> {
                SocketTransport reader =
                    SocketTransport.of(socket, SETTINGS.withIdleTimeout(Duration.ZERO));
                socket.pass(5_000_000); // the first turn begins with the first read
                socket.lineNs = 2_000_000;
                for (int i = 0; i < 10; i++) {
                  reader.readLine();
                }
                asked.add(socket.asked);
                socket.lineNs = 0;
                for (int i = 0; i < 12; i++) {
                  socket.pass(300_000); // as it handles a line
                  reader.readLine();
                }
                asked.add(socket.asked);
                return null;
              });
      stepped.runUntil(1_000_000_000);
      reading.await().value();
    }
    assertThat(asked).containsExactly(0, 3);
  }

  /** Each line takes its time to come, or is there. */
  private static final class SlowOrFast extends Socket {
    private final SteppedSessions sessions;
    private long lineNs;
    private int asked;

    SlowOrFast(SteppedSessions sessions) {
      this.sessions = sessions;
    }

    void pass(long durationNs) throws InterruptedIOException {
      long endNs = sessions.nanoTime() + durationNs;
      try {
        while (sessions.nanoTime() < endNs) {
          sessions.here().await(endNs - sessions.nanoTime());
        }
      } catch (InterruptedException e) {
        throw new InterruptedIOException();
      }
    }

    @Override
    public InputStream getInputStream() {
      return new InputStream() {
        @Override
        public int read() {
          return '\n';
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
          pass(lineNs);
          bytes[from] = '\n';
          return 1;
        }

        @Override
        public int available() {
          asked++;
          return 0;
        }
      };
    }

    @Override
    public OutputStream getOutputStream() {
      return OutputStream.nullOutputStream();
    }
  }

  @Test
  void shouldTellThatNobodyListens() throws Exception {
    int port;
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = server.getLocalPort();
    }
    InetSocketAddress nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    assertThatThrownBy(() -> SocketTransport.connect(nobody, SETTINGS))
        .isInstanceOf(java.net.ConnectException.class);
  }
}
