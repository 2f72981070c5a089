package dev.takt.cli.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The page: a frame ({@code report.html}) with the tables written in, and Chart.js with the plots'
 * data behind it.
 */
final class HtmlPage {
  /** How many columns of the results are printed. */
  private static final int PRINTED_COLUMNS = 9;

  private static final Map<Object, Object> LABELS =
      Map.of("good", "OK", "bad", "WARN", "unknown", "?");
  private static final Map<Object, String> COLOURS =
      Map.of("OK", "good", "WARN", "bad", "?", "doubtful");

  private HtmlPage() {}

  static String of(Report report) {
    List<Map<String, Object>> plots =
        report.plots.stream().filter(plot -> !plot.isEmpty()).map(Plot::members).toList();
    // Each part is put in once, from the front, so that no text of the report can pass for a place
    // holder.
    StringBuilder page = new StringBuilder();
    String frame = TextResource.of(HtmlPage.class, "report.html");
    int from = 0;
    for (int at = frame.indexOf("${"); at >= 0; at = frame.indexOf("${", from)) {
      int end = frame.indexOf('}', at);
      page.append(frame, from, at);
      page.append(
          switch (frame.substring(at + 2, end)) {
            case "title" -> escaped(report.title());
            case "verdict" -> verdict(report);
            case "machine" -> facts(machine(report));
            case "results" -> results(report);
            case "notes" -> notes(report);
            case "findings" -> tables(report, true);
            case "tables" -> tables(report, false);
            case "plots" -> Json.inScript(plots);
            case "chart.js" -> plots.isEmpty() ? "" : chartJs();
            default ->
                throw new IllegalStateException("report.html: " + frame.substring(at, end + 1));
          });
      from = end + 1;
    }
    return page.append(frame, from, frame.length()).toString();
  }

  private static String verdict(Report report) {
    StringBuilder out = new StringBuilder();
    if (!report.verdict.isEmpty()) {
      out.append("<p class=\"verdict ").append(report.isGood() ? "good" : "bad").append("\">");
      out.append(escaped(report.verdict)).append("</p>\n");
    }
    for (String each : report.warnings()) {
      out.append("<p class=\"warning\">").append(escaped(each)).append("</p>\n");
    }
    return out.toString();
  }

  private static String facts(Map<String, Object> facts) {
    StringBuilder out = new StringBuilder();
    facts.forEach(
        (name, value) -> {
          if (value.toString().isEmpty()) {
            return;
          }
          out.append("<div><dt>").append(escaped(TextTable.heading(name))).append("</dt><dd>");
          String text = value instanceof String ? value.toString() : Quantity.of(value, "");
          out.append(escaped(text)).append("</dd></div>\n");
        });
    return out.toString();
  }

  private static Map<String, Object> machine(Report report) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("takt", Machine.taktVersion());
    facts.putAll(report.settings);
    facts.putAll(report.machine().members());
    facts.computeIfPresent("memory", (_, value) -> memory(value.toString()));
    return facts;
  }

  /** The size of memory, which Linux gives in kB. */
  private static String memory(String kilobytes) {
    return kilobytes.matches("\\d{1,15} kB")
        ? String.format(
            Locale.ROOT, "%.1f GiB", Long.parseLong(kilobytes.split(" ")[0]) / 1048576.0)
        : kilobytes;
  }

  /** The name and whether it passed stay in sight; the others follow in their order. */
  private static List<String> columns(Report report) {
    Set<String> columns = new LinkedHashSet<>(List.of("name"));
    List<String> all = new ArrayList<>(TextTable.columns(report));
    all.removeAll(List.of("unit", "percentile_unit"));
    all.removeIf(each -> !each.equals("value") && TextTable.repeatsValue(report, each));
    if (all.contains("pass")) {
      columns.add("pass");
    }
    columns.add("value");
    report.columns.stream().filter(all::contains).forEach(columns::add);
    columns.addAll(all);
    return List.copyOf(columns);
  }

  private static String results(Report report) {
    if (report.results().isEmpty() && report.failures().isEmpty()) {
      return "";
    }
    List<String> columns = columns(report);
    StringBuilder out = new StringBuilder("<section><h2>Results</h2><div class=\"scroll\"><table>");
    out.append("<thead><tr>");
    for (String column : columns) {
      String kind = kind(report, column) + more(columns, column);
      cell(out, "th", kind, TextTable.heading(column));
    }
    out.append("</tr></thead>\n<tbody>\n");
    for (Result result : report.results()) {
      out.append("<tr>");
      for (String column : columns) {
        Object value = result.get(column);
        String kind = value instanceof Boolean pass && column.equals("pass") ? judged(pass) : "";
        String kinds = kind(report, column) + kind + more(columns, column);
        cell(out, "td", kinds, TextTable.shown(result, column));
      }
      out.append("</tr>\n");
    }
    report
        .failures()
        .forEach(
            (name, why) -> {
              out.append("<tr class=\"failed\">");
              cell(out, "td", "", name);
              out.append("<td class=\"prose\" colspan=\"").append(columns.size() - 1);
              out.append("\">failed: ").append(escaped(why)).append("</td></tr>\n");
            });
    return out.append("</tbody></table></div></section>\n").toString();
  }

  private static String kind(Report report, String column) {
    if (TextTable.isNumeric(report, column)) {
      return "number";
    }
    boolean isLong =
        report.results().stream()
            .anyMatch(each -> each.get(column) instanceof String text && text.length() > 40);
    return isLong ? "prose" + (isVeryLong(report, column) ? " long" : "") : "";
  }

  private static boolean isVeryLong(Report report, String column) {
    return report.results().stream()
        .anyMatch(each -> each.get(column) instanceof String text && text.length() > 120);
  }

  /** Paper has no room for all columns of all suites. */
  private static String more(List<String> columns, String column) {
    return columns.indexOf(column) < PRINTED_COLUMNS ? "" : " more";
  }

  private static String judged(boolean pass) {
    return pass ? " good" : " bad";
  }

  private static void cell(StringBuilder out, String element, String kind, String text) {
    String kinds = kind.strip();
    out.append('<').append(element);
    out.append(kinds.isEmpty() ? ">" : " class=\"" + kinds + "\">");
    out.append(escaped(text)).append("</").append(element).append('>');
  }

  /** Findings come before all figures, other tables after the results. */
  private static String tables(Report report, boolean areFindings) {
    StringBuilder out = new StringBuilder();
    report.tables.forEach(
        (name, rows) -> {
          if (name.equals("findings") != areFindings) {
            return;
          }
          out.append("<section class=\"wrap\"><h2>").append(escaped(heading(name)));
          out.append("</h2><div class=\"scroll\"><table>\n");
          appendRows(out, rows);
          out.append("</table></div></section>\n");
        });
    return out.toString();
  }

  private static void appendRows(StringBuilder out, List<Map<String, Object>> rows) {
    Set<String> columns = new LinkedHashSet<>();
    rows.forEach(row -> columns.addAll(row.keySet()));
    out.append("<thead><tr>");
    columns.forEach(column -> cell(out, "th", "", TextTable.heading(column)));
    out.append("</tr></thead>\n<tbody>\n");
    for (Map<String, Object> row : rows) {
      out.append("<tr>");
      columns.forEach(
          column -> {
            Object value = column.equals("verdict") ? label(row.get(column)) : row.get(column);
            cell(
                out,
                "td",
                value instanceof Number ? "number" : word(value),
                Quantity.of(value, ""));
          });
      out.append("</tr>\n");
    }
    out.append("</tbody>");
  }

  /** The words of the terminal, in place of those of the JSON. */
  private static Object label(Object verdict) {
    return verdict == null ? null : LABELS.getOrDefault(verdict, verdict);
  }

  /** The colour of a word that judges. */
  private static String word(Object value) {
    return value == null ? "" : COLOURS.getOrDefault(value, "");
  }

  /** What a member's name says, its unit apart. */
  private static String heading(String name) {
    String words =
        name.substring(0, 1).toUpperCase(Locale.ROOT) + TextTable.heading(name.substring(1));
    return words.replaceAll(" (ns|us|ms)$", ", $1");
  }

  private static String notes(Report report) {
    StringBuilder out = new StringBuilder();
    for (String note : report.notes) {
      out.append("<p>").append(escaped(note)).append("</p>\n");
    }
    return out.isEmpty()
        ? ""
        : "<section class=\"notes\"><h2>How to read it</h2>\n" + out + "</section>\n";
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  private static String chartJs() {
    // Without the pointer to its source map, which a browser's tools would look for beside the
    // page.
    return TextResource.of(HtmlPage.class, "chart.umd.js")
        .replaceAll("(?m)^//# sourceMappingURL=.*$", "");
  }
}
