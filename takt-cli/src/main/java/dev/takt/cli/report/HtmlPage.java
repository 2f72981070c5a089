package dev.takt.cli.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
  private HtmlPage() {}

  static String of(Report report) {
    List<Map<String, Object>> plots =
        report.plots().stream().filter(plot -> !plot.isEmpty()).map(Plot::members).toList();
    // Each part is put in once, from the front, so that no text of the report can pass for a place
    // holder.
    StringBuilder page = new StringBuilder();
    String frame = resource("report.html");
    int from = 0;
    for (int at = frame.indexOf("${"); at >= 0; at = frame.indexOf("${", from)) {
      int end = frame.indexOf('}', at);
      page.append(frame, from, at);
      page.append(
          switch (frame.substring(at + 2, end)) {
            case "title" -> escaped(report.title());
            case "machine" -> machine(report);
            case "results" -> results(report);
            case "notes" -> notes(report);
            case "tables" -> tables(report);
            case "plots" -> Json.inScript(plots);
            case "chart.js" -> plots.isEmpty() ? "" : chartJs();
            default ->
                throw new IllegalStateException("report.html: " + frame.substring(at, end + 1));
          });
      from = end + 1;
    }
    return page.append(frame, from, frame.length()).toString();
  }

  private static String machine(Report report) {
    StringBuilder out = new StringBuilder();
    report
        .machine()
        .members()
        .forEach(
            (name, value) -> {
              out.append("<div><dt>").append(escaped(TextTable.heading(name))).append("</dt><dd>");
              out.append(escaped(value.toString())).append("</dd></div>\n");
            });
    return out.toString();
  }

  private static String results(Report report) {
    List<String> columns = TextTable.columns(report);
    StringBuilder out = new StringBuilder("<thead><tr>");
    for (String column : columns) {
      cell(out, "th", TextTable.isNumeric(report, column), TextTable.heading(column));
    }
    out.append("</tr></thead>\n<tbody>\n");
    for (Result result : report.results()) {
      out.append("<tr>");
      for (String column : columns) {
        cell(out, "td", TextTable.isNumeric(report, column), TextTable.cell(result.get(column)));
      }
      out.append("</tr>\n");
    }
    return out.append("</tbody>").toString();
  }

  private static void cell(StringBuilder out, String element, boolean numeric, String text) {
    out.append('<').append(element).append(numeric ? " class=\"number\">" : ">");
    out.append(escaped(text)).append("</").append(element).append('>');
  }

  private static String tables(Report report) {
    StringBuilder out = new StringBuilder();
    report
        .tables()
        .forEach(
            (name, rows) -> {
              out.append("<section class=\"wrap\"><h2>").append(escaped(heading(name)));
              out.append("</h2><table>\n");
              appendRows(out, rows);
              out.append("</table></section>\n");
            });
    return out.toString();
  }

  private static void appendRows(StringBuilder out, List<Map<String, Object>> rows) {
    Set<String> columns = new LinkedHashSet<>();
    rows.forEach(row -> columns.addAll(row.keySet()));
    out.append("<tr>");
    columns.forEach(column -> cell(out, "th", false, TextTable.heading(column)));
    out.append("</tr>\n");
    for (Map<String, Object> row : rows) {
      out.append("<tr>");
      columns.forEach(
          column ->
              cell(out, "td", row.get(column) instanceof Number, TextTable.cell(row.get(column))));
      out.append("</tr>\n");
    }
  }

  private static String heading(String name) {
    return name.substring(0, 1).toUpperCase(Locale.ROOT) + TextTable.heading(name.substring(1));
  }

  private static String notes(Report report) {
    StringBuilder out = new StringBuilder();
    for (String note : report.notes()) {
      out.append("<p>").append(escaped(note)).append("</p>\n");
    }
    return out.toString();
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
    return resource("chart.umd.js").replaceAll("(?m)^//# sourceMappingURL=.*$", "");
  }

  private static String resource(String name) {
    try (InputStream in = HtmlPage.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(
            "takt-cli was built without its resource " + name + "; build it with Maven");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
