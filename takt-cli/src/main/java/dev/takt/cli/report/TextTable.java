package dev.takt.cli.report;

import dev.takt.cli.report.Terminal.Meaning;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A report for a terminal: the verdict first, then the few columns that fit into its width, then
 * what failed, and the notes.
 */
final class TextTable {
  /** What matters most, where the suite has not said which columns it wants. */
  private static final List<String> USUAL =
      List.of(
          "pass",
          "peer",
          "ratio",
          "p50",
          "p99",
          "p999",
          "max",
          "late",
          "paper_value",
          "alloc_bytes");

  private static final int MAX_COLUMNS = 7;
  private static final int MIN_PROSE = 24;
  private static final String GAP = "  ";

  /** The column that explains a row in words; it comes last and takes the width that is left. */
  private static final String PROSE = "what";

  private final Report report;
  private final Terminal terminal;
  private final StringBuilder out = new StringBuilder();

  private TextTable(Report report, Terminal terminal) {
    this.report = report;
    this.terminal = terminal;
  }

  /** Writes a report, with lines between its head and its rows. */
  static String of(Report report, Terminal terminal, String between) {
    TextTable table = new TextTable(report, terminal);
    table.head();
    table.out.append(between);
    table.rows();
    table.failures();
    table.notes();
    return table.out.toString();
  }

  private void head() {
    line(report.title());
    if (!report.verdict.isEmpty()) {
      out.append('\n');
      paragraph(report.verdict, report.isGood() ? Meaning.GOOD : Meaning.BAD);
    }
    report.warnings().forEach(each -> paragraph(each, Meaning.DOUBTFUL));
    Map<String, Object> machine = report.machine().members();
    out.append('\n');
    String facts =
        "%s, %s cores, %s, %s"
            .formatted(
                machine.get("cpu"),
                machine.get("cores"),
                machine.get("kernel"),
                machine.get("jdk"));
    Terminal.wrapped(facts, terminal.width()).forEach(this::line);
    out.append('\n');
  }

  private void line(String text) {
    out.append(text).append('\n');
  }

  private void paragraph(String text, Meaning meaning) {
    for (String each : terminal.wrapped(text)) {
      line(terminal.paint(each, meaning));
    }
  }

  private void rows() {
    if (report.results().isEmpty()) {
      return;
    }
    List<String> columns = fitting(wanted());
    List<Integer> widths = columns.stream().map(this::width).toList();
    int used = widths.stream().mapToInt(Integer::intValue).sum() + GAP.length() * widths.size();
    boolean prose = has(PROSE) && terminal.width() - used >= MIN_PROSE;
    List<String> headings = columns.stream().map(TextTable::heading).toList();
    StringBuilder head = new StringBuilder(padded(headings, columns, widths));
    head.append(prose ? GAP + PROSE : "");
    line(head.toString().stripTrailing());
    int ruled = used - GAP.length() + (prose ? terminal.width() - used + GAP.length() : 0);
    line("-".repeat(Math.min(terminal.width(), ruled)));
    for (Result each : report.results()) {
      List<String> cells = columns.stream().map(column -> cell(each, column)).toList();
      String row = padded(cells, columns, widths);
      List<String> words =
          prose && each.get(PROSE) != null
              ? Terminal.wrapped(each.get(PROSE).toString(), terminal.width() - used)
              : List.of("");
      line((painted(each, row) + GAP + words.getFirst()).stripTrailing());
      words.stream().skip(1).forEach(word -> line(" ".repeat(used) + word));
    }
    if (columns.size() + (prose ? 1 : 0) < shown().size()) {
      line("");
      terminal
          .wrapped("More figures of each row are in the files of --json and --html.")
          .forEach(this::line);
    }
  }

  private String painted(Result result, String row) {
    return result.get("pass") instanceof Boolean pass
        ? terminal.paint(row, pass ? Meaning.GOOD : Meaning.BAD)
        : row;
  }

  /** All columns that there could be, without those whose figures stand in another one. */
  private Set<String> shown() {
    Set<String> all = new LinkedHashSet<>(columns(report));
    List.of("unit", "peer_value", "periods", "releases", "percentile_unit").forEach(all::remove);
    return all;
  }

  private List<String> wanted() {
    List<String> wanted = new ArrayList<>(List.of("name", "value"));
    List<String> more = report.columns.isEmpty() ? USUAL : report.columns;
    more.stream()
        .filter(this::has)
        .filter(each -> !repeatsValue(report, each))
        .forEach(wanted::add);
    return wanted;
  }

  private boolean has(String column) {
    return report.results().stream().anyMatch(each -> each.get(column) != null);
  }

  /** Whether a column has in each row the same figure as the value. */
  static boolean repeatsValue(Report report, String column) {
    return report.results().stream()
        .allMatch(each -> each.get(column) == null || each.get(column).equals(each.value()));
  }

  /** The first of them that fit beside each other. */
  private List<String> fitting(List<String> wanted) {
    List<String> fitting = new ArrayList<>();
    int left = terminal.width() + GAP.length() - (has(PROSE) ? MIN_PROSE + GAP.length() : 0);
    for (String column : wanted) {
      int width = width(column) + GAP.length();
      if (!column.equals(PROSE)
          && fitting.size() < MAX_COLUMNS
          && (fitting.size() < 2 || width <= left)) {
        fitting.add(column);
        left -= width;
      }
    }
    return fitting;
  }

  private int width(String column) {
    return report.results().stream()
        .mapToInt(each -> cell(each, column).length())
        .reduce(heading(column).length(), Math::max);
  }

  private String padded(List<String> cells, List<String> columns, List<Integer> widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String pad = " ".repeat(Math.max(0, widths.get(i) - cells.get(i).length()));
      boolean right = isNumeric(report, columns.get(i));
      line.append(i == 0 ? "" : GAP);
      line.append(right ? pad + cells.get(i) : cells.get(i) + pad);
    }
    return line.toString();
  }

  private void failures() {
    report
        .failures()
        .forEach(
            (name, why) -> {
              String first = why.lines().findFirst().orElse("");
              paragraph(name + ": FAILED: " + first, Meaning.BAD);
            });
  }

  private void notes() {
    for (String note : report.notes) {
      out.append('\n');
      terminal.wrapped(note).forEach(this::line);
    }
  }

  /** Every member that any result has, in the order of their first use. */
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
        .noneMatch(each -> each instanceof String || each instanceof Boolean);
  }

  static String heading(String column) {
    return switch (column) {
      case "p999" -> "p99.9";
      case "paper_value" -> "paper";
      case "alloc_bytes" -> "allocated";
      default -> column.replace('_', ' ');
    };
  }

  /** The text of a cell on a terminal: a peer has its figure, a count of late ones their total. */
  private static String cell(Result result, String column) {
    Object value = result.get(column);
    if (value == null) {
      return "";
    }
    if (column.equals("peer") && result.get("peer_value") != null) {
      return value + " " + Quantity.of(result.get("peer_value"), result.unitOf("peer_value"));
    }
    Object all = result.get("periods") != null ? result.get("periods") : result.get("releases");
    if (column.equals("late") && all != null) {
      return Quantity.number(value) + " of " + Quantity.number(all);
    }
    return shown(result, column);
  }

  /** The text of a member, for people. */
  static String shown(Result result, String column) {
    if (column.equals("ratio") && result.get(column) != null) {
      return Quantity.number(result.get(column)) + "x";
    }
    return Quantity.of(result.get(column), result.unitOf(column));
  }
}
