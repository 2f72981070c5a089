package dev.takt.cli.report;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The results as rows and columns: the columns are the members that any result has, in the order of
 * their first use.
 */
public final class TextTable {
  private TextTable() {}

  static String of(Report report) {
    StringBuilder out = new StringBuilder();
    out.append(report.title()).append('\n');
    Map<String, Object> machine = report.machine().members();
    out.append(machine.get("cpu")).append(", ").append(machine.get("cores")).append(" cores, ");
    out.append(machine.get("kernel")).append(", ").append(machine.get("jdk")).append("\n\n");
    List<String> columns = columns(report);
    List<List<String>> rows = new ArrayList<>();
    rows.add(columns.stream().map(TextTable::heading).toList());
    for (Result each : report.results()) {
      rows.add(columns.stream().map(column -> cell(each.get(column))).toList());
    }
    append(out, rows, columns.stream().map(column -> isNumeric(report, column)).toList());
    for (String note : report.notes()) {
      out.append('\n').append(note);
    }
    return out.append(report.notes().isEmpty() ? "" : "\n").toString();
  }

  static List<String> columns(Report report) {
    Set<String> columns = new LinkedHashSet<>(List.of("name", "value", "unit"));
    for (Result each : report.results()) {
      columns.addAll(each.members().keySet());
    }
    return List.copyOf(columns);
  }

  static boolean isNumeric(Report report, String column) {
    return report.results().stream()
        .map(each -> each.get(column))
        .noneMatch(each -> each instanceof String);
  }

  static String heading(String column) {
    return column.replace('_', ' ');
  }

  /**
   * A number for people: grouped, and a floating point one with about four digits; the JSON has
   * them all.
   */
  public static String cell(Object value) {
    return switch (value) {
      case null -> "";
      case Double d -> measured(d);
      case Float f -> measured(f);
      case BigDecimal d -> d.toPlainString();
      case Number n -> String.format(Locale.ROOT, "%,d", n);
      default -> value.toString();
    };
  }

  private static String measured(double value) {
    double size = Math.abs(value);
    int decimals = size == 0 || size >= 1_000 ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 4;
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }

  private static void append(StringBuilder out, List<List<String>> rows, List<Boolean> right) {
    int[] widths = new int[right.size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    boolean first = true;
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String pad = " ".repeat(widths[i] - row.get(i).length());
        line.append(i == 0 ? "" : "  ").append(right.get(i) ? pad + row.get(i) : row.get(i) + pad);
      }
      out.append(line.toString().stripTrailing()).append('\n');
      if (first) {
        out.append("-".repeat(line.length())).append('\n');
        first = false;
      }
    }
  }
}
