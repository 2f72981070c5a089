package dev.takt.bench.rtj;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * One of the paper's tables with this machine's figures, the floor's, and the paper's own beside
 * them: rows for average, maximum, minimum and, where the paper has it, their difference.
 */
final class PaperTable {
  private final String member;
  private final Rows from;
  private final double unitNs;
  private final List<Map<String, Object>> rows = new ArrayList<>();
  private final Map<String, ToDoubleFunction<Stats>> statistics = new LinkedHashMap<>();
  private final Map<String, Stats> columns = new LinkedHashMap<>();
  private final Map<String, double[]> paper = new LinkedHashMap<>();

  /**
   * Begins one.
   *
   * @param member its name in the report, with the unit
   * @param from where its columns come from
   * @param unitNs how many nanoseconds its unit has
   */
  PaperTable(String member, Rows from, double unitNs) {
    this.member = member;
    this.from = from;
    this.unitNs = unitNs;
    statistics.put("avg", Stats::avg);
    statistics.put("max", Stats::max);
    statistics.put("min", Stats::min);
  }

  /** Adds the row of the differences between largest and smallest. */
  PaperTable withDelta() {
    statistics.put("delta", Stats::spread);
    return this;
  }

  /** Adds a column for a series, and one for its floor if there is one. */
  PaperTable column(String name, String series, double... paperFigures) {
    columns.put(name, from.stats(series).times(1 / unitNs));
    paper.put(name, paperFigures);
    if (from.samples().has("floor." + series)) {
      columns.put("c_" + name, from.stats("floor." + series).times(1 / unitNs));
    }
    return this;
  }

  /** Adds a column of something that was computed, in the unit that its name says. */
  PaperTable column(String name, Stats stats, double... paperFigures) {
    columns.put(name, stats);
    paper.put(name, paperFigures);
    return this;
  }

  /** Puts it into the report. */
  void add() {
    int index = 0;
    for (Map.Entry<String, ToDoubleFunction<Stats>> statistic : statistics.entrySet()) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("statistic", statistic.getKey());
      for (Map.Entry<String, Stats> column : columns.entrySet()) {
        row.put(column.getKey(), figure(statistic.getValue().applyAsDouble(column.getValue())));
      }
      for (Map.Entry<String, double[]> each : paper.entrySet()) {
        if (each.getValue().length > index) {
          row.put("paper_" + each.getKey(), figure(each.getValue()[index]));
        }
      }
      rows.add(row);
      index++;
    }
    from.report().put(member, rows);
  }

  /** With the paper's four decimals, which tell 50.0048 from 50. */
  private static BigDecimal figure(double value) {
    return BigDecimal.valueOf(value).setScale(4, RoundingMode.HALF_UP);
  }
}
