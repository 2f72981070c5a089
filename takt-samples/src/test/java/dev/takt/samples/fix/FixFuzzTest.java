package dev.takt.samples.fix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random mutations of valid messages: never a crash, a hang or a leak. */
@Timeout(600)
class FixFuzzTest {
  /** Threads that the JDK keeps for virtual threads and timers. */
  private static final Pattern OF_THE_JDK =
      Pattern.compile("ForkJoinPool|VirtualThread|.*Poller|CompletableFuture|Common-Cleaner|junit");

  private final Random random = new Random(Seeds.seed());

  // ---- the parser alone

  /** A wire that has some bytes, which it gives in parts of random sizes. */
  private final class Bytes implements FixWire {
    private final byte[] bytes;
    private int at;

    Bytes(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public int read(byte[] into, int from, int length, long timeoutNs) {
      if (at == bytes.length) {
        return END;
      }
      int count = Math.min(Math.min(length, bytes.length - at), 1 + random.nextInt(100));
      assertThat(count).as("there is always room to read").isPositive();
      System.arraycopy(bytes, at, into, from, count);
      at += count;
      return count;
    }

    @Override
    public void write(byte[] more) {}

    @Override
    public void endOutput() {}

    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public String address() {
      return "bytes";
    }

    @Override
    public void close() {}
  }

  /** How many messages the last parser has passed over. */
  private long garbled;

  private List<FixMessage> parse(byte[] bytes) throws IOException {
    FixParser parser = new FixParser(FixSettings.DEFAULTS.withMessages(512, 16, 100_000_000));
    Bytes wire = new Bytes(bytes);
    List<FixMessage> messages = new ArrayList<>();
    do {
      for (FixMessage each = parser.next(); each != null; each = parser.next()) {
        messages.add(each);
      }
    } while (parser.fill(wire, 1) != FixWire.END);
    garbled = parser.garbled();
    return messages;
  }

  private static byte[] heartbeat(long seq) {
    String fields = "35=0|49=A|56=B|34=" + seq + "|52=20261127-12:00:00|58=text|";
    return FixText.message("FIX.4.4", fields.replace('|', '\001'));
  }

  @Test
  void shouldCountWhatIsGarbledAndNothingElse() throws IOException {
    byte[] bad = heartbeat(1);
    bad[bad.length - 2] ^= 1;

    assertThat(parse(concat(List.of(heartbeat(1), heartbeat(2))))).hasSize(2);
    assertThat(garbled).isZero();
    assertThat(parse(concat(List.of(bad, heartbeat(1), bad, heartbeat(2))))).hasSize(2);
    assertThat(garbled).isEqualTo(2);
  }

  @Test
  void shouldPassOverBeginsThatClaimTheSameTrailer() throws IOException {
    StringBuilder begins = new StringBuilder();
    for (int left = 400; left > 30; left = 400 - begins.length()) {
      begins.append("8=FIX.4.4|9=%03d|".formatted(left - 16));
    }
    begins.append("x".repeat(399 - begins.length())).append("|10=000|");
    byte[] nested = begins.toString().replace('|', '\001').getBytes(StandardCharsets.ISO_8859_1);

    assertThat(parse(concat(List.of(nested, heartbeat(1), nested, heartbeat(2))))).hasSize(2);
    assertThat(garbled).isGreaterThan(40);
  }

  @Test
  void shouldEndAConnectionThatSendsMoreGarbageInARowThanTheLimit() throws IOException {
    FixParser parser = new FixParser(FixSettings.DEFAULTS.withMessages(512, 16, 100));
    Bytes fine = new Bytes(concat(List.of(new byte[100], heartbeat(1), new byte[100])));
    int messages = 0;
    while (parser.fill(fine, 1) != FixWire.END) {
      messages += parser.next() == null ? 0 : 1;
    }
    messages += parser.next() == null ? 0 : 1;
    assertThat(messages).isEqualTo(1);

    parser.fill(new Bytes(new byte[1]), 1);
    assertThatThrownBy(parser::next).hasMessageContaining("bytes in a row=101, limit=100; send");
  }

  @Test
  void shouldFindEveryWholeMessageBehindGarbage() throws IOException {
    for (int round = Seeds.size(2_000, 1_000_000); round > 0; round--) {
      List<byte[]> parts = new ArrayList<>();
      int good = random.nextInt(5);
      for (int i = 1; i <= good; i++) {
        parts.add(garbage());
        parts.add(heartbeat(i));
      }
      byte[] all = concat(parts);
      List<FixMessage> messages = parse(all);
      String what = new String(all, StandardCharsets.ISO_8859_1).replace('\001', '|');
      assertThat(messages.stream().map(FixMessage::seq).toList())
          .as(what + ", " + Seeds.replay(Seeds.seed()))
          .hasSize(good);
      for (int i = 0; i < good; i++) {
        assertThat(messages.get(i).seq()).as(what).isEqualTo(i + 1L);
        assertThat(messages.get(i).refusal()).as(what).isNull();
      }
    }
  }

  /** Bytes that are no message and announce none: what has a length may hide what follows. */
  private byte[] garbage() {
    return switch (random.nextInt(5)) {
      case 0 -> new byte[0];
      case 1 -> "8=FIX.4.4\0019=5\00135=0\001".getBytes(StandardCharsets.ISO_8859_1);
      case 2 -> {
        byte[] bad = heartbeat(99);
        bad[bad.length - 2] = (byte) (bad[bad.length - 2] == '0' ? '1' : '0');
        yield bad;
      }
      case 3 -> "8=8=FIX8=FIX.4.4\0019=\00134=1\00110=000\001".getBytes(StandardCharsets.US_ASCII);
      default -> {
        byte[] bytes = new byte[random.nextInt(700)];
        random.nextBytes(bytes);
        for (int i = 0; i < bytes.length; i++) {
          bytes[i] = bytes[i] == '8' ? (byte) '7' : bytes[i];
        }
        yield bytes;
      }
    };
  }

  private static byte[] concat(List<byte[]> parts) {
    byte[] all = new byte[parts.stream().mapToInt(each -> each.length).sum()];
    int at = 0;
    for (byte[] each : parts) {
      System.arraycopy(each, 0, all, at, each.length);
      at += each.length;
    }
    return all;
  }

  // ---- the gateway

  @Test
  void shouldGoOnWhateverMutationsOfMessagesComeAndLeaveNoThread() throws Exception {
    Set<Thread> before = Set.copyOf(Thread.getAllStackTraces().keySet());
    CopyOnWriteArrayList<String> troubles = new CopyOnWriteArrayList<>();
    FixSettings settings = FixSettings.DEFAULTS.withLimits(4, 16, 1_000, 500);
    try (FixGateway gateway = FixGateway.open(settings, new CrashStorage(), troubles::add)) {
      gateway.trade("ACME", FixText.price("100.25"));
      InetSocketAddress address =
          gateway.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      for (int round = Seeds.size(40, 5_000); round > 0; round--) {
        mutate(address, round % 2 == 0 ? "FIX.4.2" : "FIX.4.4");
        long endNs = System.nanoTime() + RawPeer.WAIT_NS;
        while (gateway.connections() > 0 && System.nanoTime() < endNs) {
          LockSupport.parkNanos(1_000_000);
        }
        assertThat(gateway.connections()).as(Seeds.replay(Seeds.seed())).isZero();
      }
      assertThat(gateway.isSafe()).isTrue();
      try (RawPeer peer = new RawPeer("FIX.4.4", "OTHER", address)) {
        peer.logOn();
        peer.order("last", 1);
        peer.expect("35=8", "150=0");
        peer.expect("35=8", "150=F");
      }
    }
    assertThat(troubles)
        .as(Seeds.replay(Seeds.seed()))
        .noneMatch(each -> each.contains("Exception") || each.contains("null"));
    for (Thread each : Thread.getAllStackTraces().keySet()) {
      if (!before.contains(each) && !OF_THE_JDK.matcher(each.getName()).lookingAt()) {
        assertThat(each.join(Duration.ofSeconds(10))).as("%s goes on", each).isTrue();
      }
    }
  }

  private void mutate(InetSocketAddress address, String version) throws IOException {
    try (RawPeer peer = new RawPeer(version, "FUZZ", address)) {
      peer.send("A", "98=0|108=30|141=Y");
      peer.expect("35=A");
      for (int i = 0; i < 30; i++) {
        peer.send(mutated(valid(peer)));
      }
      peer.endOutput();
      while (peer.read() != null) {
        // until the gateway has done with all of it
      }
    } catch (IOException closed) {
      // the gateway may have ended the session before all was sent
    }
  }

  private byte[] valid(RawPeer peer) {
    long seq = random.nextInt(8) == 0 ? 1 + random.nextInt(60) : peer.next++;
    return switch (random.nextInt(8)) {
      case 0 -> peer.message("0", seq, "");
      case 1 -> peer.message("1", seq, "112=id");
      case 2 -> peer.message("2", seq, "7=" + random.nextInt(9) + "|16=" + random.nextInt(20));
      case 3 -> peer.message("4", seq, "123=Y|36=" + (seq + random.nextInt(4)), "43=Y");
      case 4 -> peer.message("3", seq, "45=1|58=no");
      case 5 -> peer.message("B", seq, "148=news");
      default -> peer.message("D", seq, RawPeer.orderBody("f" + random.nextInt(200), 4));
    };
  }

  /**
   * Changes, leaves out, doubles or exchanges fields, and then mends length and checksum or not.
   */
  private byte[] mutated(byte[] message) {
    if (random.nextInt(4) == 0) {
      return message;
    }
    if (random.nextInt(4) == 0) {
      byte[] bytes = message.clone();
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      return bytes;
    }
    String text = new String(message, StandardCharsets.ISO_8859_1);
    String begin = text.substring(2, text.indexOf('\001'));
    List<String> fields =
        new ArrayList<>(
            List.of(text.substring(text.indexOf("35="), text.lastIndexOf("10=")).split("\001")));
    for (int changes = 1 + random.nextInt(2); changes > 0; changes--) {
      int at = random.nextInt(fields.size());
      String field = fields.get(at);
      String tag = field.substring(0, field.indexOf('=') + 1);
      switch (random.nextInt(7)) {
        case 0 -> fields.remove(at);
        case 1 -> fields.add(at, field);
        case 2 -> fields.add(random.nextInt(fields.size()), fields.remove(at));
        case 3 -> fields.set(at, tag);
        case 4 -> fields.set(at, tag + random.nextLong());
        case 5 -> fields.set(at, tag + "\0" + (char) random.nextInt(256));
        default -> fields.set(at, random.nextInt(1_000) + "=" + random.nextInt(10));
      }
      if (fields.isEmpty()) {
        fields.add("58=x");
      }
    }
    return FixText.message(begin, String.join("\001", fields) + "\001");
  }
}
