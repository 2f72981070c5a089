package dev.takt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.counters.CounterRow;
import dev.takt.realtime.counters.CounterRows;
import dev.takt.realtime.counters.CounterSnapshot;
import dev.takt.realtime.counters.Figure;
import dev.takt.realtime.counters.ProcessIdentity;
import dev.takt.realtime.counters.RowKind;
import dev.takt.realtime.counters.RowText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HealthCheckTest {
  private static final long SECOND = 1_000_000_000;

  private static CounterSnapshot process(RowKind kind, String name, String state) {
    String[] texts = new String[RowText.values().length];
    Arrays.fill(texts, "");
    texts[RowText.NAME.ordinal()] = name;
    texts[RowText.STATE.ordinal()] = state;
    Map<Figure, Long> known = Map.of(Figure.CLIENTS, 3L, Figure.COLLECTIONS, 0L);
    List<Long> figures = new ArrayList<>();
    kind.figures().forEach(each -> figures.add(known.getOrDefault(each, CounterRows.UNKNOWN)));
    CounterRow row = new CounterRow(kind, List.of(texts), figures);
    return new CounterSnapshot(
        new ProcessIdentity(42, 1, 1), "takt", SECOND, SECOND / 2, List.of(row), 0);
  }

  private static HealthCheck check(long ageNs) {
    CounterSnapshot process = process(RowKind.HOST, "trading", "ready");
    return HealthCheck.ofHost(process, process.rows().getFirst(), SECOND + ageNs);
  }

  private static HealthCheck checkListener(String state, long ageNs) {
    CounterSnapshot process = process(RowKind.LISTENER, "tcp://127.0.0.1:7400", state);
    return HealthCheck.ofListener(process, process.rows().getFirst(), SECOND + ageNs);
  }

  @Test
  void shouldNotBeWellWhenItStandsStill() {
    HealthCheck found = check(28 * SECOND);
    assertThat(found.isWell()).isFalse();
    assertThat(found.text())
        .isEqualTo(
            "trading, process 42, has written nothing for 28 s: it stands still, or gets no"
                + " processor; before that it was ready; clients: 3, collections since ready: 0");
  }

  @Test
  void shouldBeWellWhileItWritesItsCounters() {
    HealthCheck found = check(SECOND);
    assertThat(found.isWell()).isTrue();
    assertThat(found.text())
        .isEqualTo("trading, process 42, is ready; clients: 3, collections since ready: 0");
  }

  @Test
  void shouldSayOfAListenerWhetherItIsReadyAndGoesOn() {
    assertThat(checkListener("ready", 4 * SECOND))
        .isEqualTo(new HealthCheck("tcp://127.0.0.1:7400, process 42, is ready; clients: 3", true));
    assertThat(checkListener("ready", 4 * SECOND + 8))
        .isEqualTo(
            new HealthCheck(
                "tcp://127.0.0.1:7400, process 42, has written nothing for 4.00 s: it stands still,"
                    + " or gets no processor; before that it was ready; clients: 3",
                false));
    for (String state : List.of("closing", "refusing connections")) {
      assertThat(checkListener(state, 0))
          .isEqualTo(
              new HealthCheck(
                  "tcp://127.0.0.1:7400, process 42, is " + state + "; clients: 3", false));
    }
  }
}
