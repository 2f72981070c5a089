package dev.takt.host.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.host.ClientAccounts;
import dev.takt.host.ClientLimits;
import dev.takt.host.ClientRights;
import dev.takt.host.TcpLimits;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that sends frames without a pause gets no more of the host than others. */
@Timeout(120)
class WebSocketPingTest {
  private static final byte[] PING = RawWebSocket.frame(true, RawWebSocket.PING, new byte[0]);

  /** Empty, in a text that goes on. */
  private static final byte[] PIECE = RawWebSocket.frame(false, 0, new byte[0]);

  @Test
  void shouldCountPingsAsRequests() throws IOException {
    EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(16));
    ClientRights all = ClientRights.all("all", ClientLimits.DEFAULTS);
    int requests = 200;
    ClientRights slow = new ClientRights("slow", all.grants(), requests, 1, all.limits());
    InetSocketAddress address = new InetSocketAddress("localhost", 0);
    try (TextServer server =
            TextServer.openWebSockets(
                space, address, null, ClientAccounts.open(slow), TcpLimits.DEFAULTS, List.of());
        RawWebSocket client = RawWebSocket.connect(server.address())) {
      ByteArrayOutputStream sent = new ByteArrayOutputStream();
      for (int i = 0; i < 2 * requests; i++) { // those of a second may come at once
        sent.writeBytes(PING);
      }
      sent.writeBytes(RawWebSocket.text("{\"op\":\"count\"}"));
      long beganNs = System.nanoTime();
      client.send(sent.toByteArray());
      String answer = client.receiveText();
      while (client.opcode != RawWebSocket.TEXT) {
        answer = client.receiveText();
      }
      assertThat(answer).isEqualTo("{\"ok\":true,\"number\":0}");
      assertThat(System.nanoTime() - beganNs).isGreaterThan(900_000_000);
    }
  }

  /** From which frames come as fast as they are read. */
  private static final class Flood extends Socket {
    private final byte[] begin;
    private final byte[] frame;
    private final CountDownLatch begun = new CountDownLatch(1);
    private volatile boolean hasEnded;
    private long count;

    Flood(byte[] first, byte[] frame) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      String request = RawWebSocket.request().replace("\n", "\r\n");
      bytes.writeBytes(request.getBytes(StandardCharsets.US_ASCII));
      bytes.writeBytes(first);
      begin = bytes.toByteArray();
      this.frame = frame;
    }

    private int next() {
      if (hasEnded) {
        return -1;
      }
      long at = count++;
      if (at < begin.length) {
        return begin[(int) at] & 0xFF;
      }
      begun.countDown();
      return frame[(int) ((at - begin.length) % frame.length)] & 0xFF;
    }

    @Override
    public InputStream getInputStream() {
      return new InputStream() {
        @Override
        public int read() {
          return next();
        }
      };
    }

    @Override
    public OutputStream getOutputStream() {
      return OutputStream.nullOutputStream();
    }

    @Override
    public <T> Socket setOption(SocketOption<T> name, T value) {
      return this;
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
      return new InetSocketAddress(1);
    }

    void serve() {
      try (WebSocketTransport transport =
          WebSocketTransport.accept(this, this, TcpLimits.DEFAULTS, List.of())) {
        while (transport.readLine() != null) {
          // a whole text
        }
      } catch (IOException _) {
        // the end within a frame
      }
    }
  }

  private static void shouldLetOthersRun(byte[] first, byte[] frame) throws InterruptedException {
    int carriers =
        Integer.getInteger(
            "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());
    List<Flood> floods = new ArrayList<>();
    List<Thread> sessions = new ArrayList<>();
    try {
      for (int i = 0; i < carriers; i++) {
        Flood flood = new Flood(first, frame);
        floods.add(flood);
        sessions.add(Thread.ofVirtual().start(flood::serve));
      }
      for (Flood each : floods) {
        each.begun.await();
      }
      Thread other = Thread.ofVirtual().start(() -> {});
      assertThat(other.join(Duration.ofSeconds(20))).as("the other one has run").isTrue();
    } finally {
      floods.forEach(each -> each.hasEnded = true);
      for (Thread each : sessions) {
        each.join();
      }
    }
  }

  @Test
  void shouldLetOthersRunBesidePingsWithoutAPause() throws InterruptedException {
    shouldLetOthersRun(new byte[0], PING);
  }

  @Test
  void shouldLetOthersRunBesideTextsWithoutAPause() throws InterruptedException {
    shouldLetOthersRun(new byte[0], RawWebSocket.text("{}"));
  }

  @Test
  void shouldLetOthersRunBesideATextOfPiecesWithoutAPause() throws InterruptedException {
    shouldLetOthersRun(RawWebSocket.frame(false, RawWebSocket.TEXT, new byte[] {'{'}), PIECE);
  }
}
