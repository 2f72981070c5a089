package dev.takt.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cli.report.Terminal;
import dev.takt.realtime.counters.CounterRow;
import dev.takt.realtime.counters.CounterRows;
import dev.takt.realtime.counters.CounterSnapshot;
import dev.takt.realtime.counters.Figure;
import dev.takt.realtime.counters.ProcessIdentity;
import dev.takt.realtime.counters.RowKind;
import dev.takt.realtime.counters.RowText;
import dev.takt.testkit.Seeds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopTableTest {
  private static final long SECOND = 1_000_000_000;

  private static CounterRow task(String name, String state, Map<Figure, Long> figures) {
    String[] texts = new String[RowText.values().length];
    Arrays.fill(texts, "");
    texts[RowText.NAME.ordinal()] = name;
    texts[RowText.OWNER.ordinal()] = "runtime-1";
    texts[RowText.CLASS.ordinal()] = "default";
    texts[RowText.STATE.ordinal()] = state;
    List<Long> numbers = new ArrayList<>();
    RowKind.TASK
        .figures()
        .forEach(each -> numbers.add(figures.getOrDefault(each, CounterRows.UNKNOWN)));
    return new CounterRow(RowKind.TASK, List.of(texts), numbers);
  }

  private static CounterSnapshot snapshot(long takenNs, CounterRow... rows) {
    return new CounterSnapshot(
        new ProcessIdentity(42, 1, 1), "demo", takenNs, SECOND / 4, List.of(rows), 0);
  }

  private static CounterRow feed(long releases, long misses) {
    return task(
        "feed",
        "admitted",
        Map.of(
            Figure.PERIOD_NS, 1_000_000L,
            Figure.COST_NS, 200_000L,
            Figure.UTILIZATION_PPM, 200_000L,
            Figure.RELEASES, releases,
            Figure.MISSES, misses,
            Figure.OVERRUNS, 0L));
  }

  private static ProcessView view(CounterRow before, CounterRow now) {
    return new ProcessView(
        snapshot(3 * SECOND, now), snapshot(SECOND, before), 3 * SECOND + SECOND / 4);
  }

  @Test
  void shouldShowRatesBetweenTwoLooksAndMarkNewMisses() {
    List<ProcessView> good = List.of(view(feed(1_000, 7), feed(3_000, 7)));
    List<ProcessView> bad = List.of(view(feed(1_000, 7), feed(3_000, 8)));
    Terminal colours = new Terminal(120, true);

    assertThat(TopTable.of(good, TopTable.Order.PROCESS, colours, 0).getLast())
        .startsWith("feed")
        .containsPattern("default +1 ms +- +200 us +20\\.0 % +1,000 +7 +0 +- +admitted$");
    assertThat(TopTable.of(bad, TopTable.Order.PROCESS, colours, 0).getLast())
        .startsWith("\u001b[31mfeed");
  }

  @Test
  void shouldSayThatAProcessHasWrittenNothingForLong() {
    ProcessView stale = new ProcessView(snapshot(SECOND, feed(1, 0)), null, 11 * SECOND);
    assertThat(TopTable.of(List.of(stale), TopTable.Order.PROCESS, Terminal.PLAIN, 0).getFirst())
        .isEqualTo("42 demo: 1 task; it has written nothing for 10 s");
    assertThat(stale.perSecond(feed(1, 0), Figure.RELEASES)).isEmpty();
  }

  @Test
  void shouldKeepTheProcessColumnWhereTasksOfSeveralAreShown() {
    ProcessView view = view(feed(1_000, 7), feed(3_000, 7));
    List<ProcessView> both = List.of(view, view);

    for (int width : new int[] {40, 60, 80, 100}) {
      Terminal terminal = new Terminal(width, false);
      assertThat(TopTable.of(both, TopTable.Order.PROCESS, terminal, 0))
          .as("%s characters", width)
          .anyMatch(line -> line.startsWith("process  task"));
    }
    assertThat(TopTable.of(List.of(view), TopTable.Order.PROCESS, Terminal.PLAIN, 0))
        .noneMatch(line -> line.startsWith("process"));
  }

  @Test
  void shouldShowAllColumnsWhereThereIsNoTerminal() {
    CounterRow wide = task("n".repeat(126), "admitted", Map.of(Figure.MISSES, 1L));
    List<ProcessView> both = List.of(view(wide, wide), view(wide, wide));

    assertThat(TopTable.of(both, TopTable.Order.PROCESS))
        .anyMatch(
            line ->
                line.matches(
                    "process +task +class +period +budget +WCET +util +rel/s +misses +overruns"
                        + " +aborts +state"))
        .anyMatch(line -> line.startsWith("42 demo  " + "n".repeat(126) + "  default"));
  }

  @Test
  void shouldSayHowFarPersistenceIsAndHowLongItsIncrementsAre() {
    String[] texts = new String[RowText.values().length];
    Arrays.fill(texts, "");
    texts[RowText.NAME.ordinal()] = "persistence-1";
    texts[RowText.STATE.ordinal()] = "cycle";
    Map<Figure, Long> figures =
        Map.of(
            Figure.CYCLES, 2L,
            Figure.FAILURES, 1L,
            Figure.OBJECTS, 1_000_000L,
            Figure.INCREMENTS, 400L,
            Figure.TARGET_PAUSE_NS, 500_000L,
            Figure.MAX_PAUSE_NS, 510_000L,
            Figure.OVER_TARGET, 3L);
    List<Long> numbers = new ArrayList<>();
    RowKind.PERSISTENCE
        .figures()
        .forEach(each -> numbers.add(figures.getOrDefault(each, CounterRows.UNKNOWN)));
    CounterRow row = new CounterRow(RowKind.PERSISTENCE, List.of(texts), numbers);

    assertThat(TopTable.of(List.of(view(row, row)), TopTable.Order.PROCESS))
        .contains(
            "  persistence-1: cycle, 2 cycles and 1 failed, 1,000,000 objects; 400 increments of"
                + " 500 us, longest 510 us, 3 longer than that");
  }

  private static CounterRow stage(long shed) {
    String[] texts = new String[RowText.values().length];
    Arrays.fill(texts, "");
    texts[RowText.NAME.ordinal()] = "check";
    texts[RowText.STATE.ordinal()] = "open";
    Map<Figure, Long> figures =
        Map.of(
            Figure.QUEUED, 18L,
            Figure.CAPACITY, 1_024L,
            Figure.BUSY, 1L,
            Figure.WORKERS, 2L,
            Figure.LIMIT, 19L,
            Figure.WAIT_P90_NS, 18_000_000L,
            Figure.RESPONSE_P90_NS, 19_000_000L,
            Figure.TARGET_NS, 20_000_000L,
            Figure.SHED, shed);
    List<Long> numbers = new ArrayList<>();
    RowKind.STAGE
        .figures()
        .forEach(each -> numbers.add(figures.getOrDefault(each, CounterRows.UNKNOWN)));
    return new CounterRow(RowKind.STAGE, List.of(texts), numbers);
  }

  @Test
  void shouldSayWhatAStageHasAndHowLongItTakesAndWhatItRefuses() {
    assertThat(TopTable.of(List.of(view(stage(0), stage(9_000))), TopTable.Order.PROCESS))
        .contains(
            "  stage check: open, queue 18 of 1,024, 1 of 2 workers busy, limit 19; - handled/s",
            "    p90: wait 18 ms, service -, response 19 ms of 20 ms; 9,000 shed, - full, -"
                + " failed");
  }

  private static CounterRow row(
      RowKind kind, String name, String state, Map<Figure, Long> figures) {
    String[] texts = new String[RowText.values().length];
    Arrays.fill(texts, "");
    texts[RowText.NAME.ordinal()] = name;
    texts[RowText.OWNER.ordinal()] = "server-1";
    texts[RowText.STATE.ordinal()] = state;
    List<Long> numbers = new ArrayList<>();
    kind.figures().forEach(each -> numbers.add(figures.getOrDefault(each, CounterRows.UNKNOWN)));
    return new CounterRow(kind, List.of(texts), numbers);
  }

  private static CounterSnapshot server(
      long takenNs, String state, long requests, long fullestPpm, long cutOff) {
    return snapshot(
        takenNs,
        row(
            RowKind.SERVER,
            "server-1",
            "",
            Map.of(
                Figure.SESSIONS,
                1L,
                Figure.REQUESTS,
                requests,
                Figure.DELAYED,
                0L,
                Figure.HELD_BYTES,
                1_258_291L,
                Figure.MAX_HELD_BYTES,
                512L << 20,
                Figure.FULLEST_PPM,
                fullestPpm)),
        row(
            RowKind.LISTENER,
            "tcp://127.0.0.1:7400",
            state,
            Map.of(
                Figure.CLIENTS, 1L,
                Figure.MAX_CLIENTS, 16_384L,
                Figure.ACCEPTED, 3L,
                Figure.REFUSED, 1L,
                Figure.CUT_OFF, cutOff,
                Figure.INCOMING_BYTES, 0L,
                Figure.MAX_INCOMING_BYTES, 32L << 20)),
        row(RowKind.LISTENER, "ws://[::1]:7411", "ready", Map.of(Figure.CLIENTS, 0L)));
  }

  private static List<String> server(CounterSnapshot before, CounterSnapshot now) {
    ProcessView view = new ProcessView(now, before, now.takenNs());
    assertThat(view.addresses()).containsExactly("tcp://127.0.0.1:7400", "ws://[::1]:7411");
    assertThat(TopLines.of(view, Instant.EPOCH))
        .contains("\"requests_per_s\":500.0", "\"listeners\":[{", "\"cut_off\":");
    return TopTable.of(List.of(view), TopTable.Order.PROCESS, new Terminal(200, true), 0);
  }

  @Test
  void shouldShowWhatAServerServesAndMarkWhatIsNotAsItWasMeant() {
    CounterSnapshot before = server(SECOND, "ready", 1_000, 2_000, 1);
    String served =
        "  server-1: 1 session, 500 requests/s, 0 delayed; held 1.2 MB of 512 MB, fullest client ";
    String tcp = "    tcp://127.0.0.1:7400: %s, 1 of 16,384 clients, 3 accepted, 1 refused, %s cut";
    String rest = " off; long messages 0.0 MB of 32.0 MB";

    assertThat(server(before, server(3 * SECOND, "ready", 2_000, 20_305, 1)))
        .containsSubsequence(
            served + "2.0 %",
            tcp.formatted("ready", 1) + rest,
            "    ws://[::1]:7411: ready, 0 of - clients, - accepted, - refused, - cut off");
    assertThat(server(before, server(3 * SECOND, "ready", 2_000, 900_000, 2)))
        .contains(
            "\u001b[33m" + served + "90.0 %\u001b[0m",
            "\u001b[33m" + tcp.formatted("ready", 2) + rest + "\u001b[0m");
    assertThat(server(before, server(3 * SECOND, "refusing connections", 2_000, 0, 1)))
        .contains("\u001b[31m" + tcp.formatted("refusing connections", 1) + rest + "\u001b[0m");
  }

  private static CounterRow host(String name) {
    String[] texts = new String[RowText.values().length];
    Arrays.fill(texts, "");
    texts[RowText.NAME.ordinal()] = name;
    texts[RowText.STATE.ordinal()] = "ready";
    List<Long> figures = new ArrayList<>();
    RowKind.HOST.figures().forEach(each -> figures.add(0L));
    return new CounterRow(RowKind.HOST, List.of(texts), figures);
  }

  @ParameterizedTest
  @ValueSource(strings = {"stopped", "dropped", "unstoppable"})
  void shouldMarkAHostOfWhichATaskIsReleasedNoMore(String state) {
    CounterSnapshot good = snapshot(SECOND, host("trading"), task("buyer", "served", Map.of()));
    CounterSnapshot bad = snapshot(SECOND, host("trading"), task("buyer", state, Map.of()));
    List<CounterSnapshot> both = List.of(good, bad);
    List<ProcessView> views =
        both.stream().map(each -> new ProcessView(each, null, SECOND)).toList();

    assertThat(TopTable.of(views, TopTable.Order.PROCESS, new Terminal(200, true), 0))
        .contains(
            "  host trading: ready, 0 clients, links rested 0 times, collections since ready: 0",
            "\u001b[31m  host trading: ready, 1 task stopped, 0 clients, links rested 0 times,"
                + " collections since ready: 0\u001b[0m");
  }

  @Test
  void shouldNameTheHostOfAProcessAndCountNoServerAsATask() {
    String[] texts = new String[RowText.values().length];
    Arrays.fill(texts, "");
    texts[RowText.NAME.ordinal()] = "server of buyer";
    texts[RowText.TYPE.ordinal()] = "server";
    List<Long> figures = new ArrayList<>();
    RowKind.TASK.figures().forEach(each -> figures.add(CounterRows.UNKNOWN));
    CounterRow server = new CounterRow(RowKind.TASK, List.of(texts), figures);
    CounterRow buyer = task("buyer", "served", Map.of());
    ProcessView view =
        new ProcessView(snapshot(SECOND, host("trading"), buyer, server), null, SECOND);

    List<String> lines = TopTable.of(List.of(view, view), TopTable.Order.PROCESS);

    assertThat(lines.getFirst()).isEqualTo("42 demo trading: 1 task");
    assertThat(lines).anyMatch(line -> line.startsWith("42 demo trading  buyer "));
  }

  @Test
  void shouldSayOfAManagerHowManyTasksItHas() {
    String[] texts = new String[RowText.values().length];
    Arrays.fill(texts, "");
    texts[RowText.NAME.ordinal()] = "manager-1";
    List<Long> figures = new ArrayList<>();
    RowKind.CPU_MANAGER.figures().forEach(each -> figures.add(each == Figure.TASKS ? 3L : 0L));
    CounterRow manager = new CounterRow(RowKind.CPU_MANAGER, List.of(texts), figures);
    ProcessView view = new ProcessView(snapshot(SECOND, manager), null, SECOND);

    assertThat(TopTable.of(List.of(view), TopTable.Order.PROCESS))
        .anyMatch(
            line -> line.endsWith("; tasks 3, rejected 0, displaced 0, demoted 0, dropped 0"));
  }

  @Test
  void shouldSortAndCountWhatHasNoPlace() {
    CounterRow[] rows = new CounterRow[20];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = task("t" + i, "runs", Map.of(Figure.MISSES, (long) i));
    }
    ProcessView view = new ProcessView(snapshot(SECOND, rows), null, SECOND);
    List<String> lines = TopTable.of(List.of(view), TopTable.Order.MISSES, Terminal.PLAIN, 10);
    assertThat(lines).hasSize(10);
    assertThat(lines.get(4)).startsWith("t19 ");
    assertThat(lines.getLast()).isEqualTo("and 15 tasks more");
    for (int height : new int[] {1, 2, 4, 5}) {
      assertThat(TopTable.of(List.of(view), TopTable.Order.MISSES, Terminal.PLAIN, height))
          .as("else the head would move out")
          .hasSizeLessThanOrEqualTo(height)
          .first()
          .asString()
          .startsWith("42 demo");
    }
  }

  /** Were each cell asked for once for each other row, this would take an hour. */
  @Test
  void shouldShowTensOfThousandsOfTasks() {
    CounterRow[] rows = new CounterRow[Seeds.size(30_000, 60_000)];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = task("t" + i, "runs", Map.of(Figure.MISSES, (long) i));
    }
    ProcessView view = new ProcessView(snapshot(SECOND, rows), null, SECOND);
    List<String> lines = TopTable.of(List.of(view), TopTable.Order.PROCESS);
    assertThat(lines).hasSize(rows.length + 4);
  }

  @Test
  void shouldGiveATaskWithoutANameOneThatScriptsFind() {
    CounterRow row = task("", "runs", Map.of());
    ProcessView view = new ProcessView(snapshot(SECOND, row), null, SECOND);
    assertThat(TopLines.of(view, Instant.EPOCH)).contains("\"name\":\"\"");
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 20, 40, 60, 80, 100, 200})
  void shouldFitIntoTheWidthWhateverTheFiguresAre(int width) {
    Random random = new Random(Seeds.seed());
    for (int i = 0; i < 200; i++) {
      CounterRow[] rows = new CounterRow[5];
      for (int j = 0; j < rows.length; j++) {
        Map<Figure, Long> figures = new EnumMap<>(Figure.class);
        RowKind.TASK.figures().forEach(each -> figures.put(each, number(random)));
        rows[j] = task("n".repeat(random.nextInt(127)), "s".repeat(random.nextInt(20)), figures);
      }
      ProcessView view = view(rows[0], rows[1]);
      ProcessView other =
          new ProcessView(snapshot(number(random), rows), snapshot(0, rows), number(random));
      assertThat(
              TopTable.of(
                  List.of(view, other), TopTable.Order.OVERRUNS, new Terminal(width, false), 0))
          .as(Seeds.replay(Seeds.seed()))
          .allMatch(line -> line.length() <= width);
      assertThat(TopLines.of(other, Instant.EPOCH)).startsWith("{").endsWith("}");
    }
  }

  private static long number(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextLong();
      case 1 -> Long.MAX_VALUE;
      case 2 -> -1;
      default -> random.nextInt(1_000);
    };
  }
}
