package dev.takt.samples.fix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.session.SessionSettings;
import dev.takt.session.Sessions;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the gateway does when nothing comes, by a time of the test's own. */
@Timeout(60)
class FixTimeoutTest {
  private static final long SECOND_NS = 1_000_000_000;
  private static final long BEGIN_NS = -1_000_000 * SECOND_NS;

  private final FixSettings settings = FixSettings.DEFAULTS;
  private final FixStore store = new FixStore(EventSpace.create(), settings, () -> true);
  private final Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
  private final Wire wire = new Wire();

  /** A wire on which time passes when there is nothing to read. */
  private static final class Wire implements FixWire {
    /** Nothing to read for a while. */
    private static final byte[] PAUSE = {};

    private final ArrayDeque<byte[]> toRead = new ArrayDeque<>();

    /** Type of what was written, and the second at which it was. */
    private final List<String> written = new ArrayList<>();

    /** What the peer sends when so many messages have been written to it. */
    private final Map<Integer, List<byte[]>> answers = new HashMap<>();

    /** As that of a machine may be, it is negative. */
    private long nowNs = BEGIN_NS;

    private boolean closed;

    @Override
    public int read(byte[] into, int from, int length, long timeoutNs) {
      byte[] bytes = toRead.poll();
      if (bytes == null || bytes == PAUSE) {
        nowNs += timeoutNs;
        return 0;
      }
      System.arraycopy(bytes, 0, into, from, bytes.length);
      return bytes.length;
    }

    @Override
    public void write(byte[] bytes) throws IOException {
      FixParser parser = new FixParser(FixSettings.DEFAULTS);
      Wire one = new Wire();
      one.toRead.add(bytes);
      parser.fill(one, 1);
      FixMessage message = parser.next();
      written.add(message.type() + " at " + (nowNs - BEGIN_NS) / SECOND_NS + " s");
      toRead.addAll(answers.getOrDefault(written.size(), List.of()));
    }

    @Override
    public void endOutput() {}

    @Override
    public long nanoTime() {
      return nowNs;
    }

    @Override
    public String address() {
      return "test";
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @AfterEach
  void close() {
    sessions.close();
  }

  private static byte[] message(String type, long seq, String body) {
    return message(type, seq, "PEER", Instant.now(), body);
  }

  private static byte[] message(String type, long seq, String from, Instant time, String body) {
    String fields =
        "35=%s|49=%s|56=TAKT|34=%d|52=%s|%s".formatted(type, from, seq, FixText.time(time), body);
    return FixText.message("FIX.4.4", fields.replace('|', '\001'));
  }

  private void serve() throws IOException, InterruptedException {
    serve(wire);
  }

  private void serve(FixWire wire) throws IOException, InterruptedException {
    new FixConnection(wire, store, settings, sessions, FixConnection.noneLoggedOn()).serve();
  }

  @Test
  void shouldBeatThenAskThenEndWhenThePeerIsSilent() {
    wire.toRead.add(message("A", 1, "98=0|108=10|"));

    assertThatThrownBy(this::serve).hasMessageContaining("silent");
    assertThat(wire.written).containsExactly("A at 0 s", "0 at 10 s", "1 at 12 s", "0 at 22 s");
    assertThat(wire.closed).isTrue();
    assertThat(wire.nowNs - BEGIN_NS).isBetween(24 * SECOND_NS, 25 * SECOND_NS);
  }

  @Test
  void shouldPassOverAMessageWhoseRestDoesNotComeAndTakeWhatItsLengthSwallowed() {
    String long7000 = new String(message("0", 2, ""), StandardCharsets.ISO_8859_1);
    wire.toRead.add(message("A", 1, "98=0|108=30|"));
    wire.toRead.add(
        long7000.replaceFirst("9=\\d+", "9=7000").getBytes(StandardCharsets.ISO_8859_1));
    wire.toRead.add(message("1", 2, "112=x|"));

    assertThatThrownBy(this::serve).hasMessageContaining("silent");
    assertThat(wire.written).startsWith("A at 0 s", "0 at 10 s", "0 at 40 s", "1 at 46 s");
  }

  @Test
  void shouldAskThreeTimesForAGapAndThenLogOut() throws Exception {
    wire.toRead.add(message("A", 1, "98=0|108=0|"));
    wire.toRead.add(message("0", 3, ""));

    serve();

    assertThat(wire.written)
        .containsExactly("A at 0 s", "2 at 0 s", "2 at 5 s", "2 at 10 s", "5 at 15 s");
    assertThat(store.numbers("FIX.4.4:PEER").in()).isEqualTo(2);
    assertThat(wire.closed).isTrue();
  }

  @Test
  void shouldAskSoonForWhatCameBeforeTheAnswerAndIsNoPartOfIt() throws Exception {
    wire.toRead.add(message("A", 1, "98=0|108=30|"));
    wire.toRead.add(message("0", 3, ""));
    wire.toRead.add(message("0", 4, "")); // sent while the peer made its answer, which ends with 3
    wire.toRead.add(message("4", 2, "43=Y|123=Y|36=4|"));
    byte[] rest = message("4", 4, "43=Y|123=Y|36=5|");
    wire.answers.put(3, List.of(rest, message("5", 5, "")));

    serve();

    assertThat(wire.written).containsExactly("A at 0 s", "2 at 0 s", "2 at 1 s", "5 at 1 s");
    assertThat(store.numbers("FIX.4.4:PEER").in()).isEqualTo(6);
  }

  @Test
  void shouldNotGiveUpAnAnswerThatTakesLongButGoesOn() throws Exception {
    wire.toRead.add(message("A", 1, "98=0|108=0|"));
    wire.toRead.add(message("0", 8, ""));
    for (int seq = 2; seq < 9; seq++) {
      for (int pause = 0; pause < 20; pause++) {
        wire.toRead.add(Wire.PAUSE);
      }
      wire.toRead.add(message("0", seq, "43=Y|"));
    }
    wire.toRead.add(message("5", 9, ""));

    serve();

    assertThat(wire.written).containsExactly("A at 0 s", "2 at 0 s", "5 at 28 s");
  }

  @Test
  void shouldEndWithoutAWordWhenNoLogonComes() {
    wire.toRead.add("8=FIX.4.4\0019=".getBytes(StandardCharsets.US_ASCII));

    assertThatThrownBy(this::serve).hasMessageContaining("10000 ms (expected: a Logon)");

    assertThat(wire.written).isEmpty();
    assertThat(wire.closed).isTrue();
    assertThat(wire.nowNs - BEGIN_NS).isEqualTo(settings.logonTimeout().toNanos());
  }

  @Test
  void shouldResetNoNumberForALogonOfSomebodyElseOrAnotherTimeOrWithoutItsFields()
      throws Exception {
    Instant now = Instant.now();
    String reset = "98=0|108=10|141=Y|";
    for (byte[] wrong :
        List.of(
            message("A", 1, "OTHER", now, reset),
            message("A", 1, "PEER", now.minusSeconds(86_400), reset),
            message("A", 1, "PEER", now, "141=Y|"))) {
      Wire wire = new Wire();
      wire.toRead.add(message("A", 1, "98=0|108=10|141=Y|"));
      wire.toRead.add(message("0", 2, ""));
      wire.toRead.add(wrong);

      serve(wire);

      assertThat(wire.written).containsExactly("A at 0 s", "5 at 0 s");
      assertThat(store.numbers("FIX.4.4:PEER").in()).isEqualTo(3);
    }
  }

  @Test
  void shouldAnswerNothingBehindAGapOfSomebodyElseOrAnotherTime() throws Exception {
    Instant now = Instant.now();
    for (String type : List.of("1", "2", "4", "5")) {
      String body = "112=id|7=1|16=0|36=9|";
      for (byte[] wrong :
          List.of(
              message(type, 7, "OTHER", now, body),
              message(type, 7, "PEER", now.minusSeconds(86_400), body))) {
        Wire wire = new Wire();
        wire.toRead.add(message("A", 1, "98=0|108=10|141=Y|"));
        wire.toRead.add(wrong);

        serve(wire);

        assertThat(wire.written).as(type).containsExactly("A at 0 s", "3 at 0 s", "5 at 0 s");
        assertThat(store.numbers("FIX.4.4:PEER").in()).as(type).isEqualTo(2);
      }
    }
  }
}
