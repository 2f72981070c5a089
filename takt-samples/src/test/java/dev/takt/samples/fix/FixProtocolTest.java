package dev.takt.samples.fix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The rules of the session protocol, with a peer that keeps to them or does not. */
@Timeout(300)
class FixProtocolTest {
  private static final String OLD_TIME = "122=20261127-12:00:00";

  @TempDir private Path folder;
  private final List<String> troubles = new CopyOnWriteArrayList<>();
  private FixGateway gateway;
  private InetSocketAddress address;

  @BeforeEach
  void open() throws IOException {
    open(FixSettings.DEFAULTS.withLimits(4, 16, 20, 500));
  }

  private void open(FixSettings settings) throws IOException {
    gateway = FixGateway.open(settings, folder, troubles::add);
    gateway.trade("ACME", FixText.price("100.25"));
    address = gateway.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @AfterEach
  void close() throws IOException {
    gateway.close();
  }

  private RawPeer peer() throws IOException {
    return new RawPeer("FIX.4.4", "RAW", address);
  }

  /** The connection still does what it should, with the number that the peer expects. */
  private static void requireAnswer(RawPeer peer) throws IOException {
    peer.send("1", "112=are you there");
    peer.expect("35=0", "112=are you there");
  }

  // ---- logging on and out

  @Test
  void shouldEndWithoutAMessageWhatDoesNotBeginWithALogon() throws IOException {
    for (String first : List.of("D", "0")) {
      try (RawPeer peer = peer()) {
        peer.send(peer.message(first, 1, ""));
        peer.expectEnd();
      }
      awaitTrouble("the first message is of MsgType " + first + " (expected: A, a Logon)");
    }
    try (RawPeer peer = new RawPeer("FIX.4.3", "RAW", address)) {
      peer.send("A", "98=0|108=30");
      peer.expectEnd();
    }
    awaitTrouble("BeginString is FIX.4.3 (expected: FIX.4.2 or FIX.4.4)");
  }

  @Test
  void shouldSayThatALogonIsToAnotherCompId() throws IOException {
    try (RawPeer peer = peer()) {
      byte[] logon = peer.message("A", 1, "98=0|108=30");
      String fields = fields(new String(logon, StandardCharsets.US_ASCII));
      peer.send(FixText.message("FIX.4.4", fields.replace("56=TAKT", "56=OTHER")));
      peer.expect("35=5", "34=1", "58=TargetCompID is OTHER (expected: TAKT)");
      peer.expectEnd();
    }
    awaitTrouble("TargetCompID is OTHER (expected: TAKT)");
  }

  @Test
  void shouldGiveNoPlaceToWhoWasNeverLoggedOn() throws IOException {
    for (int i = 0; i < 4; i++) {
      try (RawPeer peer = new RawPeer("FIX.4.4", "WRONG" + i, address)) {
        peer.send("A", "98=0");
        peer.expect("35=5", "34=1");
        peer.expectEnd();
      }
    }
    try (RawPeer peer = peer()) {
      peer.logOn();
      requireAnswer(peer);
    }
  }

  private static String fields(String message) {
    return message.substring(message.indexOf("35="), message.lastIndexOf("10="));
  }

  @Test
  void shouldSayWhatIsWrongWithALogon() throws IOException {
    for (String body : List.of("98=0", "98=0|108=-1", "98=0|108=99999", "98=1|108=30", "108=30")) {
      try (RawPeer peer = peer()) {
        peer.send(peer.message("A", 1, body));
        assertThat(peer.expect("35=5").text(FixTag.TEXT)).contains("expected: 0");
        peer.expectEnd();
      }
    }
  }

  @Test
  void shouldRefuseASecondConnectionOfASessionAndLeaveTheFirst() throws IOException {
    try (RawPeer first = peer();
        RawPeer second = peer()) {
      first.logOn();
      second.send("A", "98=0|108=30");
      second.expectEnd();
      requireAnswer(first);
      awaitTrouble("peer FIX.4.4:RAW has a connection already");
    }
  }

  @Test
  void shouldAnswerLogoutAndGoOnWithItsNumbersWhenThePeerLogsOnAgain() throws IOException {
    long next;
    try (RawPeer peer = peer()) {
      peer.logOn();
      peer.send("5", "");
      peer.expect("35=5", "34=2");
      peer.expectEnd();
      next = peer.next;
    }
    try (RawPeer peer = peer()) {
      peer.next = next;
      peer.send("A", "98=0|108=30");
      peer.expect("35=A", "34=3");
      requireAnswer(peer);
    }
  }

  @Test
  void shouldBeginWithOneAgainWhenALogonResets() throws IOException {
    try (RawPeer peer = peer()) {
      peer.logOn();
      peer.order("one", 4);
      assertThat(peer.values(FixTag.EXEC_ID, 5)).doesNotContain("null");
      peer.next = 1;
      peer.send("A", "98=0|108=30|141=Y");
      peer.expect("35=A", "34=1", "141=Y");
      peer.send("2", "7=1|16=0");
      peer.expect("35=4", "34=1", "36=2", "123=Y");
      requireAnswer(peer);
    }
    awaitNoConnection();
    try (RawPeer peer = peer()) {
      peer.send("A", "98=0|108=30|141=Y");
      peer.expect("35=A", "34=1", "141=Y");
    }
  }

  @Test
  void shouldLogOutWhatIsLoggedOnWhenTheGatewayEnds() throws Exception {
    try (RawPeer peer = peer()) {
      peer.logOn();
      Thread closing = Thread.ofPlatform().start(this::closeQuietly);
      peer.expect("35=5");
      peer.send("5", "");
      peer.expectEnd();
      closing.join();
    }
    assertThat(troubles).isEmpty();
  }

  private void closeQuietly() {
    try {
      gateway.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldRefuseMoreSessionsThanItKeepsNumbersOf() throws IOException {
    for (int i = 0; i < 4; i++) {
      try (RawPeer peer = new RawPeer("FIX.4.2", "PEER" + i, address)) {
        peer.logOn();
      }
    }
    try (RawPeer peer = peer()) {
      peer.send("A", "98=0|108=30");
      assertThat(peer.expect("35=5", "34=1").text(FixTag.TEXT)).contains("sessions=4, limit=4");
      peer.expectEnd();
    }
    awaitTrouble("session FIX.4.4:RAW is refused: sessions=4, limit=4");
  }

  // ---- sequence numbers

  @Test
  void shouldEndWithLogoutWhenANumberIsTooLow() throws IOException {
    try (RawPeer peer = peer()) {
      peer.logOn();
      requireAnswer(peer);
      peer.send(peer.message("0", 2, ""));
      assertThat(peer.expect("35=5").text(FixTag.TEXT))
          .isEqualTo("MsgSeqNum too low, expecting 3 but received 2");
      peer.expectEnd();
    }
    try (RawPeer peer = peer()) {
      peer.send("A", "98=0|108=30");
      assertThat(peer.expect("35=5").text(FixTag.TEXT)).contains("too low, expecting 3");
    }
  }

  @Test
  void shouldPassOverWhatItHasAlreadyAndIsMarkedSo() throws IOException {
    try (RawPeer peer = peer()) {
      peer.logOn();
      peer.order("one", 4);
      assertThat(peer.values(FixTag.CL_ORD_ID, 5)).containsOnly("one");
      peer.send(peer.message("D", 2, RawPeer.orderBody("one", 4), "43=Y", OLD_TIME));
      peer.send(peer.message("D", 2, RawPeer.orderBody("one", 4), "43=Y"));
      peer.expect("35=3", "45=2", "371=122", "373=1");
      requireAnswer(peer);
      peer.send(peer.message("D", 2, RawPeer.orderBody("one", 4), "43=Y", "122=20991127-12:00:00"));
      peer.expect("35=3", "45=2", "373=10");
      peer.expect("35=5");
    }
  }

  @Test
  void shouldAskForAGapAndTakeItsOrdersInTheirOrder() throws IOException {
    try (RawPeer peer = peer()) {
      peer.logOn();
      peer.send(peer.message("D", 4, RawPeer.orderBody("three", 1)));
      peer.expect("35=2", "7=2", "16=0");
      peer.send(peer.message("D", 5, RawPeer.orderBody("four", 1)));
      peer.send(peer.message("D", 2, RawPeer.orderBody("one", 1), "43=Y", OLD_TIME));
      peer.send(peer.message("4", 3, "123=Y|36=4", "43=Y", OLD_TIME));
      peer.send(peer.message("D", 4, RawPeer.orderBody("three", 1), "43=Y", OLD_TIME));
      peer.send(peer.message("D", 5, RawPeer.orderBody("four", 1), "43=Y", OLD_TIME));
      List<String> ids = peer.values(FixTag.CL_ORD_ID, 6);
      assertThat(ids.stream().distinct()).containsExactly("one", "three", "four");
      peer.next = 6;
      requireAnswer(peer);
    }
  }

  @Test
  void shouldAnswerAResendRequestWithReportsAndGapsAlsoWhileItWaitsForAGap() throws IOException {
    try (RawPeer peer = peer()) {
      peer.logOn();
      requireAnswer(peer);
      peer.order("one", 1);
      FixMessage taken = peer.expect("35=8", "34=3", "150=0");
      peer.expect("35=8", "34=4", "150=F");
      peer.next++; // a gap
      peer.send("2", "7=1|16=0");
      peer.expect("35=4", "34=1", "36=3", "43=Y", "123=Y");
      String original = "122=" + taken.text(FixTag.SENDING_TIME);
      peer.expect("35=8", "34=3", "43=Y", original, "17=" + taken.text(FixTag.EXEC_ID));
      peer.expect("35=8", "34=4", "43=Y", "150=F");
      peer.expect("35=2", "34=5", "7=4");
      peer.send(peer.message("4", 4, "123=Y|36=6", "43=Y", OLD_TIME));
      peer.send("2", "7=4|16=4");
      peer.expect("35=8", "34=4", "43=Y");
      peer.send("2", "7=99|16=0");
      peer.expect("35=3", "371=7", "373=5");
      peer.send("2", "7=3|16=2");
      peer.expect("35=3", "371=16", "373=5");
      requireAnswer(peer);
    }
  }

  @Test
  void shouldLogOutWhenReportsAreAskedForThatAreNoLongerKept() throws IOException {
    try (RawPeer peer = peer()) {
      peer.logOn();
      for (int i = 0; i < 21; i++) {
        peer.order("order" + i, 0);
        peer.expect("35=8", "150=8");
      }
      peer.send("2", "7=3|16=3");
      peer.expect("35=8", "34=3", "43=Y");
      peer.send("2", "7=2|16=2");
      assertThat(peer.expect("35=5").text(FixTag.TEXT)).contains("up to 2", "limit=20");
    }
  }

  @Test
  void shouldGoOnWithTheNumberOfASequenceReset() throws IOException {
    try (RawPeer peer = peer()) {
      peer.logOn();
      peer.send(peer.message("4", 77, "36=10"));
      peer.next = 10;
      requireAnswer(peer);
      peer.send(peer.message("4", 11, "36=5"));
      peer.expect("35=3", "371=36", "373=5");
      peer.send("4", "123=Y|36=20");
      peer.next = 20;
      requireAnswer(peer);
      peer.send("4", "123=Y|36=3");
      peer.expect("35=3", "45=21", "371=36");
      requireAnswer(peer);
    }
  }

  // ---- what is wrong

  @Test
  void shouldPassOverGarbageAndKeepTheNumber() throws IOException {
    Random random = new Random(Seeds.seed());
    try (RawPeer peer = peer()) {
      peer.logOn();
      byte[] good = peer.message("1", 2, "112=x");
      for (int i = 0; i < 300; i++) {
        byte[] bad = good.clone();
        bad[random.nextInt(bad.length - 8)] ^= (byte) (1 << random.nextInt(7));
        if (!Arrays.equals(bad, good)) {
          peer.send(bad);
        }
      }
      peer.send("8=FIX.4.4\0019=999999\00135=0\00110=000\001".getBytes(StandardCharsets.US_ASCII));
      peer.send("8=FIX.4.4\0019=x\00135=0\001 8=F 8=FIX 10=".getBytes(StandardCharsets.US_ASCII));
      peer.send(FixText.message("FIX.4.4", "34=2\00135=0\001"));
      requireAnswer(peer);
    }
    awaitTrouble("garbled messages were passed over");
  }

  @Test
  void shouldRejectWhatIsWholeAndWrong() throws IOException {
    try (RawPeer peer = peer()) {
      peer.logOn();
      requireReject(peer, "0", "58=", "371=58", "373=4");
      requireReject(peer, "0", "0=1", "373=0");
      requireReject(peer, "0", "x=1", "373=0");
      requireReject(peer, "0", "58", "373=0");
      requireReject(peer, "0", "95=3|96=abcd", "371=96", "373=6");
      requireReject(peer, "1", "", "371=112", "373=1");
      requireReject(peer, "2", "7=1", "371=16", "373=1");
      requireReject(peer, "!", "", "373=11", "372=!");
      requireReject(peer, "A", "98=0|108=30", "372=A");
      requireReject(peer, "D", "11=x", "371=55", "373=1");
      String order = RawPeer.orderBody("x", 1);
      requireReject(peer, "D", order.replace("38=1", "38=many"), "371=38", "373=6");
      requireReject(peer, "D", order.replace("54=1", "54=?"), "371=54", "373=5");
      requireReject(peer, "D", order.replace("40=1", "40=2"), "371=44", "373=1");
      requireReject(peer, "D", order.replace("60=2026", "60=26"), "371=60", "373=6");
      requireReject(peer, "D", order + "|55=OTHER", "371=55", "373=13");
      peer.send("0", "95=5|96=a|8=b");
      peer.send("B", "148=news|33=1|58=line");
      peer.expect("35=j", "372=B", "380=3");
      requireAnswer(peer);
    }
  }

  private static void requireReject(RawPeer peer, String type, String body, String... fields)
      throws IOException {
    long seq = peer.next;
    peer.send(type, body);
    try {
      peer.expect(fields);
    } catch (AssertionError e) {
      throw new AssertionError(type + " " + body, e);
    }
    assertThat(seq + 1).isEqualTo(peer.next);
  }

  @Test
  void shouldEndWithRejectAndLogoutWhenCompIdOrTimeIsWrong() throws IOException {
    try (RawPeer peer = new RawPeer("FIX.4.4", "A", address);
        RawPeer other = new RawPeer("FIX.4.4", "B", address)) {
      peer.logOn();
      peer.send(other.message("0", 2, ""));
      peer.expect("35=3", "45=2", "373=9");
      peer.expect("35=5");
    }
    try (RawPeer peer = peer()) {
      peer.logOn();
      byte[] now = peer.message("0", 2, "");
      String old = fields(new String(now, StandardCharsets.US_ASCII));
      peer.send(FixText.message("FIX.4.4", old.replaceAll("52=\\d{8}", "52=20200101")));
      peer.expect("35=3", "45=2", "371=52", "373=10");
      peer.expect("35=5");
    }
    try (RawPeer peer = new RawPeer("FIX.4.4", "C", address)) {
      peer.logOn();
      byte[] bytes = peer.message("0", 2, "");
      String fields = fields(new String(bytes, StandardCharsets.US_ASCII));
      peer.send(FixText.message("FIX.4.2", fields));
      assertThat(peer.expect("35=5").text(FixTag.TEXT)).contains("BeginString");
    }
  }

  // ---- orders

  @Test
  void shouldRejectOrdersThatItCannotTake() throws IOException {
    try (RawPeer peer = peer()) {
      peer.logOn();
      String order = RawPeer.orderBody("x", 1);
      for (String wrong :
          List.of(
              order.replace("ACME", "NONE"),
              order.replace("40=1", "40=3"),
              order.replace("54=1", "54=5"),
              order.replace("38=1", "38=1.5"),
              order.replace("38=1", "38=9999999"),
              order.replace("40=1", "40=2") + "|44=1.00001",
              order.replace("40=1", "40=2") + "|44=-5")) {
        peer.send("D", wrong);
        FixMessage report = peer.expect("35=8", "39=8", "150=8", "151=0", "14=0");
        assertThat(report.has(FixTag.TEXT)).isTrue();
        for (int tag : new int[] {FixTag.SYMBOL, FixTag.SIDE, FixTag.ORDER_QTY, FixTag.ORD_TYPE}) {
          assertThat(wrong + "|").contains("|" + tag + "=" + report.text(tag) + "|");
        }
        assertThat(report.has(FixTag.PRICE)).isEqualTo(wrong.contains("|44="));
      }
      peer.order("x", 1);
      peer.expect("35=8", "150=0");
      peer.expect("35=8", "150=F", "39=2");
      peer.order("x", 1);
      peer.expect("35=8", "150=8", "103=6");
      requireAnswer(peer);
    }
  }

  @Test
  void shouldNameTheValueAndTheLimitOfAnOrderThatItCannotTake() throws IOException {
    try (RawPeer peer = peer()) {
      peer.logOn();
      String order = RawPeer.orderBody("x", 1);
      peer.send("D", order.replace("38=1", "38=100.5"));
      assertThat(peer.expect("38=100.5").text(FixTag.TEXT))
          .isEqualTo("OrderQty is 100.5 (expected: a whole number from 1 to 1000000)");
      peer.send("D", order.replace("40=1", "40=2") + "|44=-5");
      assertThat(peer.expect("44=-5").text(FixTag.TEXT)).startsWith("Price is -5 (expected: more");
    }
  }

  @Test
  void shouldAnswerAnOrderThatIsSentAgainWithItsStateAndTakeItOnce() throws IOException {
    for (String version : List.of("FIX.4.2", "FIX.4.4")) {
      String type = version.equals("FIX.4.2") ? "20=3" : "150=I";
      gateway.trade("ACME", FixText.price("100"));
      try (RawPeer peer = new RawPeer(version, "RAW", address)) {
        peer.logOn();
        String order = RawPeer.orderBody("x", 4).replace("40=1", "40=2") + "|44=99.5";
        peer.send("D", order);
        peer.expect("35=8", "150=0");
        peer.send("D", order, "97=Y");
        peer.expect("35=8", type, "17=0", "39=0", "11=x", "44=99.5000", "14=0", "151=4");
        gateway.trade("ACME", FixText.price("99"));
        for (int i = 0; i < 4; i++) {
          peer.expect("35=8", "32=1");
        }
        peer.send("D", order, "97=Y");
        peer.expect("35=8", type, "17=0", "39=2", "14=4", "151=0", "6=99.0000");
        requireAnswer(peer);
      }
    }
  }

  @Test
  void shouldGiveBackATestReqIdOfAnyLength() throws IOException {
    try (RawPeer peer = peer()) {
      peer.logOn();
      String id = "112=" + "t".repeat(8_000) + "\t";
      peer.send("1", id);
      peer.expect("35=0", id);
    }
  }

  @Test
  void shouldKeepAnOrderWithALimitUntilThePriceMeetsIt() throws IOException {
    try (RawPeer peer = peer()) {
      peer.logOn();
      String order = RawPeer.orderBody("x", 4).replace("40=1", "40=2") + "|44=99.5";
      peer.send("D", order);
      peer.expect("150=0", "44=99.5000");
      requireAnswer(peer);
      gateway.trade("ACME", FixText.price("99"));
      peer.expect("150=F", "39=1", "32=1", "31=99.0000", "14=1", "151=3");
      gateway.trade("ACME", FixText.price("99.5"));
      peer.expect("150=F");
      peer.expect("150=F");
      peer.expect("150=F", "39=2", "14=4", "151=0");
    }
  }

  // ---- slow, half and silent

  @Test
  void shouldTakeMessagesInPartsOfEverySize() throws IOException {
    try (RawPeer peer = peer()) {
      peer.logOn();
      Random random = new Random(Seeds.seed());
      for (int i = 0; i < 20; i++) {
        byte[] bytes = peer.message("1", peer.next++, "112=part " + i);
        for (int at = 0; at < bytes.length; ) {
          int end = Math.min(bytes.length, at + 1 + random.nextInt(20));
          peer.send(Arrays.copyOfRange(bytes, at, end));
          at = end;
        }
        peer.expect("112=part " + i);
      }
      peer.send(Arrays.copyOf(peer.message("0", peer.next, ""), 30));
      peer.endOutput();
      peer.expectEnd();
    }
  }

  @Test
  void shouldBeatTestAndEndWhenThePeerIsSilent() throws IOException {
    try (RawPeer peer = peer()) {
      peer.send("A", "98=0|108=1");
      peer.expect("35=A", "108=1");
      peer.expect("35=0");
      FixMessage test = peer.expect("35=1");
      peer.send("0", "112=" + test.text(FixTag.TEST_REQ_ID));
      FixMessage message;
      int tests = 0;
      while ((message = peer.read()) != null) {
        assertThat(message.type()).isIn("0", "1");
        tests += message.isType("1") ? 1 : 0;
      }
      assertThat(tests).isEqualTo(1);
    }
    awaitTrouble("silent");
  }

  private void awaitNoConnection() {
    long endNs = System.nanoTime() + RawPeer.WAIT_NS;
    while (gateway.connections() > 0 && System.nanoTime() < endNs) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private void awaitTrouble(String text) {
    long endNs = System.nanoTime() + RawPeer.WAIT_NS;
    while (!troubles.toString().contains(text) && System.nanoTime() < endNs) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(troubles.toString()).contains(text);
  }

  @Test
  void shouldEndAConnectionThatDoesNotLogOnOrDoesNotRead() throws Exception {
    gateway.close();
    open(
        FixSettings.DEFAULTS
            .withLimits(4, 16, 20, 500)
            .withTimeouts(Duration.ofMillis(300), Duration.ofMillis(300)));
    try (RawPeer peer = peer()) {
      peer.expectEnd();
    }
    try (RawPeer peer = peer()) {
      peer.logOn();
      for (int i = 0; i < 20; i++) {
        peer.order("order" + i, 0);
      }
      for (int i = 0; i < 100; i++) {
        peer.send("2", "7=2|16=0"); // some 600 KB of answers
      }
      awaitTrouble("does not read");
    }
  }
}
