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

class HostCheckTest {
  private static final long SECOND = 1_000_000_000;

  private static HostCheck check(long ageNs) {
    String[] texts = new String[RowText.values().length];
    Arrays.fill(texts, "");
    texts[RowText.NAME.ordinal()] = "trading";
    texts[RowText.STATE.ordinal()] = "ready";
    Map<Figure, Long> known = Map.of(Figure.CLIENTS, 3L, Figure.COLLECTIONS, 0L);
    List<Long> figures = new ArrayList<>();
    RowKind.HOST
        .figures()
        .forEach(each -> figures.add(known.getOrDefault(each, CounterRows.UNKNOWN)));
    CounterRow host = new CounterRow(RowKind.HOST, List.of(texts), figures);
    CounterSnapshot process =
        new CounterSnapshot(
            new ProcessIdentity(42, 1, 1), "host", SECOND, SECOND / 2, List.of(host), 0);
    return HostCheck.of(process, host, SECOND + ageNs);
  }

  @Test
  void shouldNotBeWellWhenItStandsStill() {
    HostCheck found = check(28 * SECOND);
    assertThat(found.isWell()).isFalse();
    assertThat(found.text())
        .isEqualTo(
            "trading, process 42, has written nothing for 28 s: it stands still, or gets no"
                + " processor; before that it was ready; clients: 3, collections since ready: 0");
  }

  @Test
  void shouldBeWellWhileItWritesItsCounters() {
    HostCheck found = check(SECOND);
    assertThat(found.isWell()).isTrue();
    assertThat(found.text())
        .isEqualTo("trading, process 42, is ready; clients: 3, collections since ready: 0");
  }
}
