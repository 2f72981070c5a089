package dev.takt.session.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.session.SessionSettings;
import dev.takt.session.SteppedSessions;
import dev.takt.session.Suspension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StageGraphTest {
  private static final long MS = 1_000_000;
  private static final Duration LONG = Duration.ofSeconds(10);

  private final SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS);
  private final StageGraph graph = new StageGraph();
  private final List<String> sent = new ArrayList<>();
  private final Stage<String> send = graph.add(open("send", 1, this::send));
  private final Stage<String> parse = graph.add(open("parse", 8, this::parse), send);

  private <T> Stage<T> open(String name, int capacity, StageHandler<T> handler) {
    return Stage.open(
        StageSettings.named(name)
            .withCapacity(capacity)
            .withCounters(false)
            .withClock(sessions.clock()),
        sessions,
        handler);
  }

  private void parse(List<String> items) throws InterruptedException {
    for (String each : items) {
      assertThat(send.put("<" + each + ">", LONG)).isEqualTo(StageAnswer.ACCEPTED);
    }
  }

  private void send(List<String> items) throws InterruptedException {
    Suspension.current().await(10 * MS);
    sent.addAll(items);
  }

  @AfterEach
  void shouldLeaveNoSession() {
    sessions.close();
  }

  private Map<String, List<?>> stop(Duration timeout) {
    AtomicReference<Map<String, List<?>>> left = new AtomicReference<>();
    sessions.start(
        "stopper",
        () -> {
          left.set(graph.stop(timeout));
          return null;
        });
    sessions.runUntil(sessions.nanoTime() + LONG.toNanos());
    return left.get();
  }

  @Test
  void shouldLoseNothingWhenItStopsBecauseUpstreamEndsFirst() {
    List.of("a", "b", "c", "d", "e").forEach(parse::offer);
    assertThat(stop(LONG)).isEmpty();
    assertThat(sent).containsExactly("<a>", "<b>", "<c>", "<d>", "<e>");
    assertThat(graph.stats()).extracting(StageStats::name).containsExactly("parse", "send");
    assertThat(graph.stats()).allMatch(each -> each.state() == StageStats.State.STOPPED);
  }

  @Test
  void shouldGiveBackByStageWhatIsLeftWhenTheTimeIsOver() {
    List.of("a", "b", "c", "d", "e").forEach(parse::offer);
    Map<String, List<?>> left = stop(Duration.ofMillis(15));
    assertThat(sent).containsExactly("<a>");
    assertThat(left).containsOnlyKeys("parse", "send");
    assertThat(left.get("send")).isEqualTo(List.of("<c>"));
    assertThat(left.get("parse")).isEqualTo(List.of("e"));
  }

  @Test
  void shouldHoldUpstreamBackByTheRoomDownstream() {
    List.of("a", "b", "c", "d", "e").forEach(parse::offer);
    sessions.runReady();
    assertThat(send.stats().queued()).isEqualTo(1);
    assertThat(send.stats().waiting()).isEqualTo(1);
    assertThat(parse.stats().queued()).isEqualTo(2);
  }

  @Test
  void shouldRefuseAStageThatFeedsOneThatIsNotThereYet() {
    Stage<String> first = open("first", 1, _ -> {});
    Stage<String> second = open("second", 1, _ -> {});
    assertThatThrownBy(() -> graph.add(first, send, second))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "stage first feeds stage second, which is not in the graph; add that first: stages"
                + " form no circle");
    assertThatThrownBy(() -> graph.add(parse)).hasMessageContaining("in the graph already");
    assertThat(graph.stats()).hasSize(2);
  }
}
