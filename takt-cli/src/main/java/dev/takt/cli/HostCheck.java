package dev.takt.cli;

import dev.takt.cli.top.ProcessView;
import dev.takt.realtime.TimeText;
import dev.takt.realtime.counters.CounterFolder;
import dev.takt.realtime.counters.CounterReader;
import dev.takt.realtime.counters.CounterRow;
import dev.takt.realtime.counters.CounterSnapshot;
import dev.takt.realtime.counters.Figure;
import dev.takt.realtime.counters.RowKind;
import dev.takt.realtime.counters.RowText;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How a host is, by its counters: nothing is asked of the host itself.
 *
 * @param text for people
 * @param isWell whether it is ready and writes its counters, all tasks are released, commits are
 *     not refused, and it has not collected garbage
 */
record HostCheck(String text, boolean isWell) {
  private static final int MOST_NAMES = 5;

  /** Looks at the host of this user that has this name. */
  static HostCheck of(String name) throws IOException {
    for (CounterSnapshot each : CounterReader.readAll(CounterFolder.usual())) {
      for (CounterRow row : each.rows(RowKind.HOST)) {
        if (row.text(RowText.NAME).equals(name)) {
          return of(each, row, System.nanoTime());
        }
      }
    }
    return new HostCheck(
        ("there is no host %s of this user, or it is not ready; ./takt host %s JAR starts it, and"
                + " ./takt top shows which there are")
            .formatted(name, name),
        false);
  }

  /**
   * Looks at its counters.
   *
   * @param nowNs the time, by the clock of {@link System#nanoTime}
   */
  static HostCheck of(CounterSnapshot process, CounterRow host, long nowNs) {
    ProcessView view = new ProcessView(process, null, nowNs);
    long collections = host.figure(Figure.COLLECTIONS).orElse(0);
    String state = host.text(RowText.STATE);
    List<String> stopped =
        ProcessView.stopped(process).stream().map(row -> row.text(RowText.NAME)).toList();
    String text =
        "%s, process %d, %s %s; clients: %d, collections since ready: %d%s"
            .formatted(
                host.text(RowText.NAME),
                process.process().pid(),
                view.isStale() ? stale(view) : "is",
                state,
                host.figure(Figure.CLIENTS).orElse(0),
                collections,
                stopped.isEmpty() ? "" : stopped(stopped));
    return new HostCheck(
        text, state.equals("ready") && !view.isStale() && collections == 0 && stopped.isEmpty());
  }

  /** What its counters say is how it was before it stood still. */
  private static String stale(ProcessView view) {
    return "has written nothing for %s: it stands still, or gets no processor; before that it was"
        .formatted(TimeText.rounded(view.ageNs()));
  }

  private static String stopped(List<String> names) {
    String shown = names.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
    String more =
        names.size() > MOST_NAMES ? " and " + (names.size() - MOST_NAMES) + " others" : "";
    return "; stopped, and not released again until the host is started anew: %s%s (its log says why)"
        .formatted(shown, more);
  }
}
