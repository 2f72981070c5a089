package dev.takt.cli.top;

import dev.takt.cli.report.Quantity;
import dev.takt.cli.report.Terminal;
import dev.takt.cli.report.Terminal.Meaning;
import dev.takt.realtime.TimeText;
import dev.takt.realtime.counters.CounterRow;
import dev.takt.realtime.counters.Figure;
import dev.takt.realtime.counters.RowKind;
import dev.takt.realtime.counters.RowText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/** The counters of processes as lines for a terminal: what each has, then a table of all tasks. */
public final class TopTable {
  /** By what tasks are sorted. */
  public enum Order {
    /** As the processes have them. */
    PROCESS(null),
    /** By name. */
    NAME(null),
    /** Most misses first. */
    MISSES(Figure.MISSES),
    /** Most overruns first. */
    OVERRUNS(Figure.OVERRUNS),
    /** Most aborts first. */
    ABORTS(Figure.ABORTS),
    /** Largest share of a processor first. */
    UTILIZATION(Figure.UTILIZATION_PPM),
    /** Most releases first. */
    RELEASES(Figure.RELEASES);

    private final Figure figure;

    Order(Figure figure) {
      this.figure = figure;
    }

    private Comparator<Task> comparator() {
      if (figure == null) {
        return this == PROCESS
            ? (a, b) -> 0
            : Comparator.comparing(task -> task.row().text(RowText.NAME));
      }
      return Comparator.comparing(
          (Task task) -> task.row().figure(figure).orElse(Long.MIN_VALUE),
          Comparator.reverseOrder());
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private record Task(ProcessView process, CounterRow row) {}

  /**
   * A column.
   *
   * @param rank how long it stays when the width gets less; the least goes first
   */
  private record Column(
      String heading, int rank, boolean right, BiFunction<ProcessView, CounterRow, String> cell) {}

  private static final String GAP = "  ";
  private static final String SHORTENED = "~";
  private static final int MIN_NAME = 8;

  /** Of the cells of the process column, so that it leaves place for others. */
  private static final int MAX_PROCESS_NAME = 24;

  /** Of a client that has nearly all that may be kept for it. */
  private static final long FULL_PPM = 900_000;

  private static final double BYTES_IN_MB = 1 << 20;

  /** States in which a task is not released as it was meant to be. */
  private static final List<String> DOUBTFUL =
      List.of("quarantined", "stopped", "displaced", "demoted", "dropped", "unstoppable");

  private static final Column NAME = new Column("task", 99, false, text(RowText.NAME));

  private static final List<Column> COLUMNS =
      List.of(
          new Column("process", 13, false, (view, row) -> shortProcessName(view)),
          NAME,
          new Column("class", 3, false, text(RowText.CLASS)),
          new Column("period", 8, true, time(Figure.PERIOD_NS)),
          new Column("budget", 1, true, time(Figure.BUDGET_NS)),
          new Column("WCET", 7, true, time(Figure.COST_NS)),
          new Column("util", 6, true, (view, row) -> percent(row.figure(Figure.UTILIZATION_PPM))),
          new Column("rel/s", 9, true, (view, row) -> rate(view.perSecond(row, Figure.RELEASES))),
          new Column("misses", 12, true, count(Figure.MISSES)),
          new Column("overruns", 11, true, count(Figure.OVERRUNS)),
          new Column("aborts", 2, true, count(Figure.ABORTS)),
          new Column("state", 10, false, text(RowText.STATE)));

  private final Terminal terminal;
  private final int width;
  private final List<String> lines = new ArrayList<>();

  private TopTable(Terminal terminal, int width) {
    this.terminal = terminal;
    this.width = width;
  }

  /** Returns the lines for what is no terminal: with all columns and all tasks. */
  public static List<String> of(List<ProcessView> processes, Order order) {
    return new TopTable(Terminal.PLAIN, Integer.MAX_VALUE).of(processes, order, 0);
  }

  /**
   * Returns the lines for a terminal; the columns that have no place are left out.
   *
   * @param height the most lines; the tasks that have no place are counted. 0: no limit
   */
  public static List<String> of(
      List<ProcessView> processes, Order order, Terminal terminal, int height) {
    return new TopTable(terminal, terminal.width()).of(processes, order, height);
  }

  private List<String> of(List<ProcessView> processes, Order order, int height) {
    processes.forEach(this::summary);
    List<Task> tasks = new ArrayList<>();
    for (ProcessView each : processes) {
      each.now().rows(RowKind.TASK).forEach(row -> tasks.add(new Task(each, row)));
    }
    tasks.sort(order.comparator());
    lines.add("");
    if (!tasks.isEmpty()) {
      tasks(tasks, processes.size() > 1, height);
    }
    return height > 0 && lines.size() > height ? lines.subList(0, height) : lines;
  }

  private void summary(ProcessView view) {
    long tasks =
        view.now().rows(RowKind.TASK).stream()
            .filter(row -> !row.text(RowText.TYPE).equals("server")) // it runs others of them
            .count();
    StringBuilder head = new StringBuilder(processName(view));
    head.append(": ").append(counted(OptionalLong.of(tasks), "task"));
    if (view.now().more() > 0) {
      head.append(" and ").append(Quantity.number(view.now().more())).append(" rows more");
    }
    if (view.isStale()) {
      head.append("; it has written nothing for ").append(TimeText.rounded(view.ageNs()));
    }
    add(head.toString(), view.isStale() ? Meaning.DOUBTFUL : null);
    view.now().rows(RowKind.HOST).forEach(row -> host(view, row));
    for (CounterRow each : view.now().rows(RowKind.SERVER)) {
      server(view, each);
      rowsOf(view, RowKind.LISTENER, each).forEach(row -> listener(view, row));
    }
    view.now().rows(RowKind.RUNTIME).forEach(row -> add(GAP + runtime(row), null));
    view.now().rows(RowKind.SPACE).forEach(row -> add(GAP + space(view, row), null));
    for (CounterRow each : view.now().rows(RowKind.CPU_MANAGER)) {
      add(GAP + manager(each), null);
      rowsOf(view, RowKind.PROCESSOR, each)
          .forEach(row -> add(GAP + GAP + processor(row, each), null));
    }
    view.now().rows(RowKind.PERSISTENCE).forEach(row -> add(GAP + persistence(row), null));
    view.now().rows(RowKind.STAGE).forEach(row -> stage(view, row));
  }

  private static Stream<CounterRow> rowsOf(ProcessView view, RowKind kind, CounterRow source) {
    return view.now().rows(kind).stream()
        .filter(row -> row.text(RowText.OWNER).equals(source.text(RowText.OWNER)));
  }

  /** Doubtful is one whose clients ask more than they may, or soon have all that they may. */
  private void server(ProcessView view, CounterRow row) {
    boolean isFull = row.figure(Figure.FULLEST_PPM).orElse(0) >= FULL_PPM;
    add(
        GAP
            + "%s: %s, %s requests/s, %s delayed; held %s of %s, fullest client %s"
                .formatted(
                    row.text(RowText.NAME),
                    counted(row.figure(Figure.SESSIONS), "session"),
                    rate(view.perSecond(row, Figure.REQUESTS)),
                    number(row.figure(Figure.DELAYED)),
                    megabytes(row.figure(Figure.HELD_BYTES)),
                    megabytes(row.figure(Figure.MAX_HELD_BYTES)),
                    percent(row.figure(Figure.FULLEST_PPM))),
        isFull || hasGrown(view, row, Figure.DELAYED) ? Meaning.DOUBTFUL : null);
  }

  private void listener(ProcessView view, CounterRow row) {
    OptionalLong incoming = row.figure(Figure.INCOMING_BYTES);
    boolean isReady = row.text(RowText.STATE).equals("ready");
    boolean isDoubtful = hasGrown(view, row, Figure.REFUSED) || hasGrown(view, row, Figure.CUT_OFF);
    String text =
        "%s: %s, %s of %s clients, %s accepted, %s refused, %s cut off%s"
            .formatted(
                row.text(RowText.NAME),
                row.text(RowText.STATE),
                number(row.figure(Figure.CLIENTS)),
                number(row.figure(Figure.MAX_CLIENTS)),
                number(row.figure(Figure.ACCEPTED)),
                number(row.figure(Figure.REFUSED)),
                number(row.figure(Figure.CUT_OFF)),
                incoming.isEmpty()
                    ? ""
                    : "; long messages %s of %s"
                        .formatted(
                            megabytes(incoming), megabytes(row.figure(Figure.MAX_INCOMING_BYTES))));
    add(GAP + GAP + text, !isReady ? Meaning.BAD : isDoubtful ? Meaning.DOUBTFUL : null);
  }

  private static boolean hasGrown(ProcessView view, CounterRow row, Figure figure) {
    return view.growth(row, figure).orElse(0) > 0;
  }

  /** A collection stops all tasks, which a host is there to prevent. */
  private void host(ProcessView view, CounterRow row) {
    long stopped = ProcessView.stopped(view.now()).size();
    long collections = row.figure(Figure.COLLECTIONS).orElse(0);
    boolean isReady = row.text(RowText.STATE).equals("ready");
    add(
        GAP
            + "host %s: %s, %s%s, links rested %s times, collections since ready: %s%s"
                .formatted(
                    row.text(RowText.NAME),
                    row.text(RowText.STATE),
                    stopped == 0 ? "" : counted(OptionalLong.of(stopped), "task") + " stopped, ",
                    counted(row.figure(Figure.CLIENTS), "client"),
                    number(row.figure(Figure.RESTS)),
                    number(row.figure(Figure.COLLECTIONS)),
                    collections > 0 ? " (each stops all tasks)" : ""),
        isReady && collections == 0 && stopped == 0 ? null : Meaning.BAD);
  }

  /** Doubtful is a stage that refuses items, in this interval. */
  private void stage(ProcessView view, CounterRow row) {
    String load =
        "stage %s: %s, queue %s of %s, %s of %s workers busy, limit %s; %s handled/s"
            .formatted(
                row.text(RowText.NAME),
                row.text(RowText.STATE),
                number(row.figure(Figure.QUEUED)),
                number(row.figure(Figure.CAPACITY)),
                number(row.figure(Figure.BUSY)),
                number(row.figure(Figure.WORKERS)),
                number(row.figure(Figure.LIMIT)),
                rate(view.perSecond(row, Figure.HANDLED)));
    String times =
        "p90: wait %s, service %s, response %s of %s; %s shed, %s full, %s failed"
            .formatted(
                duration(row.figure(Figure.WAIT_P90_NS)),
                duration(row.figure(Figure.SERVICE_P90_NS)),
                duration(row.figure(Figure.RESPONSE_P90_NS)),
                duration(row.figure(Figure.TARGET_NS)),
                number(row.figure(Figure.SHED)),
                number(row.figure(Figure.FULL)),
                number(row.figure(Figure.FAILURES)));
    boolean refuses = hasGrown(view, row, Figure.SHED) || hasGrown(view, row, Figure.FULL);
    Meaning meaning = refuses ? Meaning.DOUBTFUL : null;
    add(GAP + load, meaning);
    add(GAP + GAP + times, meaning);
  }

  private static String persistence(CounterRow row) {
    return "%s: %s, %s and %s failed, %s objects; %s of %s, longest %s, %s longer than that"
        .formatted(
            row.text(RowText.NAME),
            row.text(RowText.STATE),
            counted(row.figure(Figure.CYCLES), "cycle"),
            number(row.figure(Figure.FAILURES)),
            number(row.figure(Figure.OBJECTS)),
            counted(row.figure(Figure.INCREMENTS), "increment"),
            duration(row.figure(Figure.TARGET_PAUSE_NS)),
            duration(row.figure(Figure.MAX_PAUSE_NS)),
            number(row.figure(Figure.OVER_TARGET)));
  }

  private void add(String text, Meaning meaning) {
    String shown = shortened(text, width);
    lines.add(meaning == null ? shown : terminal.paint(shown, meaning));
  }

  private static String processName(ProcessView view) {
    String program = view.now().process().pid() + " " + view.now().program();
    String hosts = String.join(" ", view.hosts());
    return hosts.isEmpty() ? program : program + " " + hosts;
  }

  private static String shortProcessName(ProcessView view) {
    return shortened(processName(view), MAX_PROCESS_NAME);
  }

  private static String runtime(CounterRow row) {
    return "%s: %s, %s"
        .formatted(
            row.text(RowText.NAME),
            row.text(RowText.STATE),
            counted(row.figure(Figure.WORKERS), "worker"));
  }

  private static String space(ProcessView view, CounterRow row) {
    return "space of %s: %s of %s events, %s commits/s, %s conflicts, %s aborts"
        .formatted(
            row.text(RowText.OWNER),
            number(row.figure(Figure.EVENTS)),
            number(row.figure(Figure.CAPACITY)),
            rate(view.perSecond(row, Figure.COMMITS)),
            number(row.figure(Figure.CONFLICTS)),
            number(row.figure(Figure.ABORTS)));
  }

  private static String manager(CounterRow row) {
    return "%s: E %s, alpha %s; tasks %s, rejected %s, displaced %s, demoted %s, dropped %s"
        .formatted(
            row.text(RowText.NAME),
            ratio(row.figure(Figure.EXTENSUM_PPM)),
            ratio(row.figure(Figure.ALPHA_PPM)),
            number(row.figure(Figure.TASKS)),
            number(row.figure(Figure.REJECTED)),
            number(row.figure(Figure.DISPLACED)),
            number(row.figure(Figure.DEMOTED)),
            number(row.figure(Figure.DROPPED)));
  }

  private static String processor(CounterRow row, CounterRow manager) {
    return "processor %s: %s of %s admitted, %s"
        .formatted(
            row.text(RowText.NAME),
            percent(row.figure(Figure.SHARE_PPM)),
            percent(manager.figure(Figure.ALPHA_PPM)),
            counted(row.figure(Figure.TASKS), "task"));
  }

  private void tasks(List<Task> tasks, boolean severalProcesses, int height) {
    int places = height == 0 ? tasks.size() : Math.max(1, height - lines.size() - 2);
    int shown = tasks.size() <= places ? tasks.size() : Math.max(1, places - 1);
    List<Task> rows = tasks.subList(0, shown);
    List<Column> columns = new ArrayList<>(COLUMNS);
    columns.removeIf(each -> each.heading().equals("process") && !severalProcesses);
    Map<Column, Integer> widths = new HashMap<>();
    columns.forEach(each -> widths.put(each, width(each, rows)));
    int nameWidth = widths.put(NAME, MIN_NAME);
    while (columns.size() > 1 && width(columns, widths) > width) {
      columns.remove(columns.stream().min(Comparator.comparingInt(Column::rank)).orElseThrow());
    }
    int placeLeft = Math.max(0, width - width(columns, widths));
    widths.put(NAME, Math.min(Math.max(MIN_NAME, nameWidth), MIN_NAME + placeLeft));
    lines.add(line(columns, widths, Column::heading));
    lines.add("-".repeat(Math.min(width, width(columns, widths))));
    for (Task each : rows) {
      lines.add(painted(each, line(columns, widths, column -> cell(column, each))));
    }
    if (shown < tasks.size()) {
      lines.add(shortened("and " + (tasks.size() - shown) + " tasks more", width));
    }
  }

  private String painted(Task task, String row) {
    if (hasGrown(task.process(), task.row(), Figure.MISSES)
        || hasGrown(task.process(), task.row(), Figure.OVERRUNS)) {
      return terminal.paint(row, Meaning.BAD);
    }
    return DOUBTFUL.contains(task.row().text(RowText.STATE))
        ? terminal.paint(row, Meaning.DOUBTFUL)
        : row;
  }

  private static String cell(Column column, Task task) {
    return column.cell().apply(task.process(), task.row());
  }

  private static int width(Column column, List<Task> rows) {
    return rows.stream()
        .mapToInt(each -> cell(column, each).length())
        .reduce(column.heading().length(), Math::max);
  }

  /** Returns how wide the table is. */
  private static int width(List<Column> columns, Map<Column, Integer> widths) {
    return columns.stream()
        .mapToInt(each -> GAP.length() + widths.get(each))
        .reduce(-GAP.length(), Integer::sum);
  }

  private String line(
      List<Column> columns, Map<Column, Integer> widths, Function<Column, String> cell) {
    StringBuilder line = new StringBuilder();
    for (Column each : columns) {
      int width = widths.get(each);
      String text = shortened(cell.apply(each), width);
      String pad = " ".repeat(width - text.length());
      line.append(line.isEmpty() ? "" : GAP).append(each.right() ? pad + text : text + pad);
    }
    return shortened(line.toString().stripTrailing(), width);
  }

  private static String shortened(String text, int width) {
    return text.length() <= width ? text : text.substring(0, width - 1) + SHORTENED;
  }

  private static BiFunction<ProcessView, CounterRow, String> text(RowText text) {
    return (view, row) -> row.text(text);
  }

  private static BiFunction<ProcessView, CounterRow, String> time(Figure figure) {
    return (view, row) -> duration(row.figure(figure));
  }

  private static String duration(OptionalLong ns) {
    return ns.isEmpty() || ns.getAsLong() == 0 ? "-" : TimeText.rounded(ns.getAsLong());
  }

  private static BiFunction<ProcessView, CounterRow, String> count(Figure figure) {
    return (view, row) -> number(row.figure(figure));
  }

  private static String number(OptionalLong value) {
    return value.isEmpty() ? "-" : Objects.toString(Quantity.number(value.getAsLong()));
  }

  private static String counted(OptionalLong count, String what) {
    return number(count) + " " + what + (count.orElse(0) == 1 ? "" : "s");
  }

  private static String percent(OptionalLong ppm) {
    return ppm.isEmpty() ? "-" : String.format(Locale.ROOT, "%.1f %%", ppm.getAsLong() / 1e4);
  }

  private static String ratio(OptionalLong ppm) {
    return ppm.isEmpty() ? "-" : String.format(Locale.ROOT, "%.2f", ppm.getAsLong() / 1e6);
  }

  private static String megabytes(OptionalLong bytes) {
    return bytes.isEmpty() ? "-" : rounded(bytes.getAsLong() / BYTES_IN_MB) + " MB";
  }

  private static String rate(OptionalDouble perSecond) {
    return perSecond.isEmpty() ? "-" : rounded(perSecond.getAsDouble());
  }

  private static String rounded(double value) {
    return String.format(Locale.ROOT, value < 99.95 ? "%,.1f" : "%,.0f", value);
  }
}
