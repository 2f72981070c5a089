package dev.takt.cli.top;

import dev.takt.cli.report.Json;
import dev.takt.realtime.counters.CounterRow;
import dev.takt.realtime.counters.Figure;
import dev.takt.realtime.counters.RowKind;
import dev.takt.realtime.counters.RowText;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** The counters of a process as one line of JSON: every figure that is known, and rates. */
public final class TopLines {
  /** Counts of which scripts want to know how often they happen now. */
  private static final List<Figure> RATES =
      List.of(Figure.RELEASES, Figure.COMMITS, Figure.HANDLED, Figure.SHED, Figure.REQUESTS);

  private TopLines() {}

  /** Returns the line, without its end. */
  public static String of(ProcessView view, Instant time) {
    Map<String, Object> line =
        Json.object(
            "time", time.toString(),
            "pid", view.now().process().pid(),
            "program", view.now().program(),
            "interval_s", view.seconds() == 0 ? null : view.seconds(),
            "age_ms", view.ageNs() / 1_000_000);
    for (RowKind kind : RowKind.values()) {
      line.put(plural(kind), view.now().rows(kind).stream().map(row -> row(view, row)).toList());
    }
    line.put("more_rows", view.now().more());
    return Json.compact(line);
  }

  private static String plural(RowKind kind) {
    return switch (kind) {
      case RUNTIME -> "runtimes";
      case TASK -> "tasks";
      case SPACE -> "spaces";
      case CPU_MANAGER -> "managers";
      case PROCESSOR -> "processors";
      case PERSISTENCE -> "persistence";
      case STAGE -> "stages";
      case HOST -> "hosts";
      case SERVER -> "servers";
      case LISTENER -> "listeners";
    };
  }

  private static Map<String, Object> row(ProcessView view, CounterRow row) {
    Map<String, Object> object = Json.object();
    for (RowText each : RowText.values()) {
      if (each == RowText.NAME || !row.text(each).isEmpty()) {
        object.put(each.key(), row.text(each));
      }
    }
    for (Figure each : row.kind().figures()) {
      row.figure(each).ifPresent(value -> object.put(each.key(), value));
      OptionalDouble rate = view.perSecond(row, each);
      if (RATES.contains(each) && rate.isPresent()) {
        object.put(each.key() + "_per_s", Math.round(1e3 * rate.getAsDouble()) / 1e3);
      }
    }
    return object;
  }
}
