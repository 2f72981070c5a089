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
import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How a host is, or what listens at an address, by the counters of its process: nothing is asked of
 * the process itself.
 *
 * @param text for people
 * @param isWell whether it is ready and writes its counters; of a host also whether all tasks are
 *     released, commits are not refused, and it has not collected garbage
 */
record HealthCheck(String text, boolean isWell) {
  private static final int MOST_NAMES = 5;

  /** How what was looked for is, by the counters of its process. */
  private interface Look {
    HealthCheck of(CounterSnapshot process, CounterRow row, long nowNs);
  }

  /** Looks at the host of this user that has this name. */
  static HealthCheck ofHost(String name) throws IOException {
    String none =
        ("there is no host %s of this user, or it is not ready; ./takt host %s JAR starts it, and"
                + " ./takt top shows which there are")
            .formatted(name, name);
    return find(RowKind.HOST, name, HealthCheck::ofHost, none);
  }

  /** Looks at what listens at this address, of this user. */
  static HealthCheck ofListener(URI address) throws IOException {
    String none =
        ("no process of this user listens at %s, or it is not ready; ./takt serve --listen %s"
                + " starts one, and ./takt top shows which there are")
            .formatted(address, address);
    return find(RowKind.LISTENER, address.toString(), HealthCheck::ofListener, none);
  }

  private static HealthCheck find(RowKind kind, String name, Look look, String none)
      throws IOException {
    for (CounterSnapshot each : CounterReader.readAll(CounterFolder.usual())) {
      for (CounterRow row : each.rows(kind)) {
        if (row.text(RowText.NAME).equals(name)) {
          return look.of(each, row, System.nanoTime());
        }
      }
    }
    return new HealthCheck(none, false);
  }

  /**
   * Looks at the counters of the process that listens at an address.
   *
   * @param nowNs the time, by the clock of {@link System#nanoTime}
   */
  static HealthCheck ofListener(CounterSnapshot process, CounterRow listener, long nowNs) {
    ProcessView view = new ProcessView(process, null, nowNs);
    String text =
        "%s; clients: %d"
            .formatted(state(view, listener), listener.figure(Figure.CLIENTS).orElse(0));
    return new HealthCheck(text, isReady(view, listener));
  }

  /**
   * Looks at the counters of the process of a host.
   *
   * @param nowNs the time, by the clock of {@link System#nanoTime}
   */
  static HealthCheck ofHost(CounterSnapshot process, CounterRow host, long nowNs) {
    ProcessView view = new ProcessView(process, null, nowNs);
    long collections = host.figure(Figure.COLLECTIONS).orElse(0);
    List<String> stopped =
        ProcessView.stopped(process).stream().map(row -> row.text(RowText.NAME)).toList();
    String text =
        "%s; clients: %d, collections since ready: %d%s"
            .formatted(
                state(view, host),
                host.figure(Figure.CLIENTS).orElse(0),
                collections,
                stopped.isEmpty() ? "" : stopped(stopped));
    return new HealthCheck(text, isReady(view, host) && collections == 0 && stopped.isEmpty());
  }

  private static boolean isReady(ProcessView view, CounterRow row) {
    return row.text(RowText.STATE).equals("ready") && !view.isStale();
  }

  private static String state(ProcessView view, CounterRow row) {
    return "%s, process %d, %s %s"
        .formatted(
            row.text(RowText.NAME),
            view.now().process().pid(),
            view.isStale() ? stale(view) : "is",
            row.text(RowText.STATE));
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
