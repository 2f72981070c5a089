package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The experiment of the mail: transactions of 10 writes and 10 reads against an echo. */
class MailTransactionsTest {
  private static final int TRANSACTIONS = 1_000;
  private static final int ROUNDS = 10;

  /** The client as it would be without sessions: it knows nothing but its transport. */
  private static int transaction(Transport transport, int number) throws Exception {
    int answers = 0;
    for (int round = 0; round < ROUNDS; round++) {
      String line = "transaction " + number + " round " + round;
      transport.writeLine(line);
      assertThat(transport.readLine()).isEqualTo(line);
      answers++;
    }
    transport.close();
    return answers;
  }

  @Test
  void shouldRunTheTransactionsOfTheMailAsSessionsWithoutAChange() throws Exception {
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS)) {
      List<Session<Integer>> clients = new ArrayList<>();
      List<Session<Integer>> echoes = new ArrayList<>();
      for (int i = 0; i < TRANSACTIONS; i++) {
        int number = i;
        InVmTransport.Pair pair = InVmTransport.pair(TransportSettings.DEFAULTS);
        echoes.add(sessions.start("echo " + i, () -> Echo.run(pair.second())));
        clients.add(sessions.start("client " + i, () -> transaction(pair.first(), number)));
      }

      assertThat(sessions.drain(Duration.ofSeconds(60))).isEmpty();

      for (int i = 0; i < TRANSACTIONS; i++) {
        assertThat(clients.get(i).await().value()).isEqualTo(ROUNDS);
        assertThat(echoes.get(i).await().value()).isEqualTo(ROUNDS);
      }
      assertThat(sessions.stats()).isEqualTo(new SessionStats(0, 2 * TRANSACTIONS, 0, 0, 0));
    }
  }

  @Test
  void shouldRunTheSameTransactionOnPlainThreads() throws Exception {
    InVmTransport.Pair pair = InVmTransport.pair(TransportSettings.DEFAULTS);
    Thread echo = new Thread(() -> Echo.runQuietly(pair.second()));
    echo.start();
    assertThat(transaction(pair.first(), 0)).isEqualTo(ROUNDS);
    echo.join();
  }
}
