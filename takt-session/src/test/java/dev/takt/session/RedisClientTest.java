package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** The Redis client Jedis, as it is, in sessions: its blocking calls keep no thread. */
@Tag("redis") // ./takt test leaves it out, and says so, where there is no redis-server
class RedisClientTest {
  private static final int COUNT = 1_000;

  /** Jedis waits so long for a value, in seconds. */
  private static final int WAIT_S = 120;

  @Test
  void shouldKeepNoThreadWhileAThousandClientsWaitForTheirValues() throws Exception {
    try (RedisServer server = RedisServer.start(COUNT + 10);
        Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
        TwoCarriers carriers = new TwoCarriers();
        Jedis other = new Jedis("127.0.0.1", server.port())) {
      List<Session<List<String>>> clients = new ArrayList<>();
      for (int i = 0; i < COUNT; i++) {
        int id = i;
        clients.add(sessions.start("client " + i, () -> pop(server, carriers, id)));
      }
      while (!other.info("clients").contains("blocked_clients:" + COUNT)) {
        assertThat(clients).noneMatch(each -> each.outcome() != null);
      }
      carriers.look();
      while (Carriers.use().running() > 0) { // until all of them are suspended
        assertThat(clients).noneMatch(each -> each.outcome() != null);
      }
      for (int i = COUNT - 1; i >= 0; i--) {
        other.rpush("list-" + i, "value " + i);
      }
      for (int i = 0; i < COUNT; i++) {
        assertThat(clients.get(i).await().value()).containsExactly("list-" + i, "value " + i);
      }
      assertThat(other.dbSize()).isEqualTo(COUNT); // what each has said at the end
      carriers.check();
    }
  }

  private static List<String> pop(RedisServer server, TwoCarriers carriers, int id) {
    try (Jedis jedis = new Jedis("127.0.0.1", server.port())) {
      List<String> popped = jedis.blpop(WAIT_S, "list-" + id);
      carriers.look();
      jedis.set("done-" + id, popped.getLast());
      assertThat(jedis.get("done-" + id)).isEqualTo("value " + id);
      return popped;
    }
  }

  @Test
  void shouldEndAClientThatIsCancelledWhileItWaits() throws Exception {
    try (RedisServer server = RedisServer.start(10);
        Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
        TwoCarriers carriers = new TwoCarriers();
        Jedis other = new Jedis("127.0.0.1", server.port())) {
      Session<List<String>> client = sessions.start("client", () -> pop(server, carriers, 0));
      while (!other.info("clients").contains("blocked_clients:1")) {
        assertThat(client.outcome()).isNull();
      }
      client.cancel();
      assertThat(client.await()).isInstanceOf(SessionOutcome.Cancelled.class);
      while (!other.info("clients").contains("blocked_clients:0")) {
        Thread.onSpinWait(); // the server has yet to see that the connection is closed
      }
    }
  }
}
