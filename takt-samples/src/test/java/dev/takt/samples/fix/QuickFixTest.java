package dev.takt.samples.fix;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** QuickFIX/J as the initiator and the gateway, in both versions, over loopback. */
@Timeout(300)
class QuickFixTest {
  static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private static final int CL_ORD_ID = 11;
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
      assertThat(peer.administrative("5", 34)).isEqualTo("7");
    }
    assertThat(troubles).isEmpty();
  }
}
