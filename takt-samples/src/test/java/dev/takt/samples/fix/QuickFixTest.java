package dev.takt.samples.fix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import quickfix.IntField;
import quickfix.Message;
import quickfix.field.MsgType;

/** QuickFIX/J as the initiator and the gateway, in both versions, over loopback. */
@Timeout(300)
class QuickFixTest {
  static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private static final int BEGIN_SEQ = 7;
  private static final int CL_ORD_ID = 11;
  private static final int EXEC_ID = 17;
  private static final int LAST_QTY = 32;
  private static final int SEQ = 34;
  private static final int NEW_SEQ = 36;
  private static final int POSS_DUP = 43;
  private static final int REF_SEQ = 45;
  private static final int REJ_REASON = 103;
  private static final int REF_TYPE = 372;
  private static final int REJECT_REASON = 373;
  private static final int BUSINESS_REASON = 380;
  private static final int EXEC_TYPE = 150;
  private static final int STATUS = 39;
  private static final int CUM = 14;
  private static final int LEAVES = 151;
  private static final int AVERAGE = 6;

  @TempDir private Path folder;
  private final List<String> troubles = new CopyOnWriteArrayList<>();

  private FixGateway gateway() throws Exception {
    FixGateway gateway =
        FixGateway.open(FixSettings.DEFAULTS.withLimits(4, 16, 200, 500), folder, troubles::add);
    gateway.trade("ACME", FixText.price("100.25"));
    return gateway;
  }

  private static String trade(String version, String type) {
    return version.equals("FIX.4.2") ? type : "F";
  }

  @ParameterizedTest
  @ValueSource(strings = {"FIX.4.2", "FIX.4.4"})
  void shouldLogOnTakeAnOrderReportItsFillsAndLogOut(String version) throws Exception {
    try (FixGateway gateway = gateway();
        QuickFixPeer peer = new QuickFixPeer(version, "CLIENT", gateway.listen(ANY))) {
      peer.start();
      peer.awaitState("logon");
      peer.order("one", '1', 10, 0);

      assertThat(peer.reports(5, CL_ORD_ID, EXEC_TYPE, STATUS, CUM, LEAVES, AVERAGE))
          .containsExactly(
              "one 0 0 0 10 0.0000",
              "one " + trade(version, "1") + " 1 3 7 100.2500",
              "one " + trade(version, "1") + " 1 6 4 100.2500",
              "one " + trade(version, "1") + " 1 9 1 100.2500",
              "one " + trade(version, "2") + " 2 10 0 100.2500");
      peer.session().logout("done");
      peer.awaitState("logout");
      assertThat(peer.administrative("5", SEQ)).isEqualTo("7");
    }
    assertThat(troubles).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"FIX.4.2", "FIX.4.4"})
  void shouldResendWhatThePeerHasMissedAndAskForWhatItHasMissedItself(String version)
      throws Exception {
    try (FixGateway gateway = gateway();
        QuickFixPeer peer = new QuickFixPeer(version, "CLIENT", gateway.listen(ANY))) {
      peer.start();
      peer.awaitState("logon");
      peer.order("one", '1', 1, 0);
      List<String> first = peer.reports(2, SEQ, EXEC_ID, POSS_DUP);
      assertThat(first).allMatch(each -> each.endsWith(" -"));

      peer.awaitExpected(4); // it counts a message after it has shown it
      peer.session().setNextTargetMsgSeqNum(2); // as if it had lost the reports
      peer.testRequest("again");

      assertThat(peer.reports(2, SEQ, EXEC_ID, POSS_DUP))
          .containsExactlyElementsOf(first.stream().map(each -> each.replace(" -", " Y")).toList());
      peer.administrative("0", SEQ);
      peer.session().setNextSenderMsgSeqNum(peer.session().getExpectedSenderNum() + 3);
      peer.order("two", '2', 1, 0); // behind a gap
      assertThat(peer.administrative("2", BEGIN_SEQ)).isEqualTo("5");
      assertThat(peer.reports(2, CL_ORD_ID, STATUS)).containsExactly("two 0", "two 2");
      peer.session().logout("done");
      peer.awaitState("logout");
    }
    assertThat(troubles).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"FIX.4.2", "FIX.4.4"})
  void shouldRejectResetAndPassOverGarbage(String version) throws Exception {
    try (FixGateway gateway = gateway();
        QuickFixPeer peer =
            new QuickFixPeer(version, "CLIENT", gateway.listen(ANY), "ResetOnLogout", "Y")) {
      peer.start();
      peer.awaitState("logon");
      String garbled = "8=" + version + "\0019=5\00135=0\00110=000\001";
      assertThat(peer.session().getResponder().send(garbled)).isTrue();
      assertThat(peer.session().getResponder().send("no message")).isTrue();

      peer.send(message("D"));
      assertThat(peer.administrative("3", REF_SEQ, REJECT_REASON)).isEqualTo("2 1");
      peer.send(message("R"));
      assertThat(peer.reports(1, REF_SEQ, REF_TYPE, BUSINESS_REASON)).containsExactly("3 R 3");

      Message reset = message("4");
      reset.setField(new IntField(NEW_SEQ, 20));
      peer.send(reset);
      peer.session().setNextSenderMsgSeqNum(20);
      peer.order("one", '1', 1, 0);
      assertThat(peer.reports(2, CL_ORD_ID, STATUS)).containsExactly("one 0", "one 2");

      peer.session().reset(); // logs out, and on again with numbers from 1 on
      peer.awaitState("logout");
      peer.awaitState("logon");
      peer.order("one", '1', 1, 0);
      assertThat(peer.reports(1, CL_ORD_ID, STATUS, REJ_REASON)).containsExactly("one 8 6");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"FIX.4.2", "FIX.4.4"})
  void shouldLoseNoOrderAndDoubleNoneWhenTheGatewayIsRestartedInMidSession(String version)
      throws Exception {
    CrashStorage storage = new CrashStorage();
    FixSettings settings = FixSettings.DEFAULTS.withLimits(1, 4, 200, 500);
    int orders = 12;
    InetSocketAddress address;
    FixGateway gateway = FixGateway.open(settings, storage, _ -> {});
    gateway.trade("ACME", FixText.price("100.25"));
    address = gateway.listen(ANY);
    Map<String, Integer> filled = new TreeMap<>();
    Map<String, String> executions = new TreeMap<>();
    try (QuickFixPeer peer = new QuickFixPeer(version, "CLIENT", address)) {
      peer.start();
      peer.awaitState("logon");
      for (int sent = 0; sent < orders; sent++) {
        if (sent % 4 == 1) {
          storage.down(); // in the middle of the fills of the order before
          gateway.close();
          peer.awaitState("logout");
        }
        peer.order("order" + sent, '1', 4, 0);
        if (sent % 4 == 2) {
          storage = storage.restarted(new Random(Seeds.seed() + sent));
          gateway = FixGateway.open(settings, storage, _ -> {});
          assertThat(gateway.listen(address)).isEqualTo(address);
          peer.awaitState("logon");
        }
      }
      while (filled.values().stream().mapToInt(each -> each).sum() < 4 * orders) {
        String[] report = peer.reports(1, CL_ORD_ID, EXEC_ID, STATUS, LAST_QTY).get(0).split(" ");
        String before = executions.put(report[1], report[0]);
        assertThat(before).as("twice: " + List.of(report)).isNull();
        assertThat(report[2]).as(String.join(" ", report)).isIn("0", "1", "2");
        filled.merge(
            report[0], report[2].equals("0") ? 0 : Integer.parseInt(report[3]), Integer::sum);
      }
    } finally {
      gateway.close();
    }
    assertThat(filled)
        .hasSize(orders)
        .allSatisfy((_, quantity) -> assertThat(quantity).isEqualTo(4));
    assertThat(executions).hasSize(5 * orders);
  }

  private static Message message(String type) {
    Message message = new Message();
    message.getHeader().setString(MsgType.FIELD, type);
    return message;
  }
}
