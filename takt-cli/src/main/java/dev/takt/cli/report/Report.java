package dev.takt.cli.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a command found: results and plots, and what they were measured on.
 *
 * <p>The JSON is one object, {@code {"suite":…, "version":…, "settings":{…}, "machine":{…},
 * "verdict":…, "interrupted":…, "results":[{"name":…, "unit":…, "value":…, …}],
 * "failed":[{"name":…, "why":…}], "notes":[…]}}; its members keep their order. Files are replaced
 * as a whole or not at all.
 *
 * <p><b>Thread rule:</b> not thread-safe.
 *
 * {@snippet :
 * Report report = new Report("space", "Takt: the event space", Machine.detect());
 * report.add("pair", "ns", 61.25).withPeer("outrigger", 9_120.5).withAllocBytes(0);
 * report.writeJson(Path.of("space.json"));
 * System.out.print(report.toTable());
 * }
 */
public final class Report {
  /** Members that every report has. */
  private static final List<String> MEMBERS =
      List.of(
          "suite",
          "version",
          "settings",
          "machine",
          "verdict",
          "interrupted",
          "results",
          "failed",
          "notes");

  private final String suite;
  private final String title;
  private final Machine machine;
  private final Map<String, Result> results = new LinkedHashMap<>();
  final List<Plot> plots = new ArrayList<>();
  final List<String> notes = new ArrayList<>();
  final Map<String, Object> settings = new LinkedHashMap<>();
  private final Map<String, String> failures = new LinkedHashMap<>();
  List<String> columns = List.of();
  String verdict = "";
  private boolean good = true;
  private boolean interrupted;
  private boolean isMeasured = true;
  final Map<String, List<Map<String, Object>>> tables = new LinkedHashMap<>();

  /**
   * Makes an empty report.
   *
   * @param suite the word that scripts look for
   * @param title the heading that people read
   * @param machine what it runs on
   */
  public Report(String suite, String title, Machine machine) {
    this.suite = Objects.requireNonNull(suite, "suite");
    this.title = Objects.requireNonNull(title, "title");
    this.machine = Objects.requireNonNull(machine, "machine");
  }

  /**
   * Adds a result and returns it, so that more can be put beside it.
   *
   * @param name its name, unique in this report
   * @param unit the unit of the value, such as {@code ns}; {@code 1} for a plain count
   * @param value a number, which keeps all its digits; a boolean or a string where there is no
   *     number
   * @throws IllegalArgumentException if the name is taken, or the value not finite or of another
   *     type
   */
  public Result add(String name, String unit, Object value) {
    Result result = new Result(name, unit, value);
    if (results.putIfAbsent(name, result) != null) {
      throw new IllegalArgumentException(
          "result name=" + name + " is there already; each name is used once");
    }
    return result;
  }

  /** Adds a plot to the HTML file; one without data is left out there. */
  public Report add(Plot plot) {
    plots.add(Objects.requireNonNull(plot, "plot"));
    return this;
  }

  /** Adds a sentence that the table and the HTML file show below the results. */
  public Report note(String sentence) {
    notes.add(Objects.requireNonNull(sentence, "sentence"));
    return this;
  }

  /**
   * Sets the verdict, a plain sentence or two about the result; it stands before all else.
   *
   * @param good whether that is what one hopes for
   */
  public Report verdict(boolean good, String sentence) {
    this.good = good;
    this.verdict = Objects.requireNonNull(sentence, "sentence");
    return this;
  }

  /** Adds a setting of the measurement; see {@link Result#with} for the values. */
  public Report setting(String name, Object value) {
    settings.put(name, Result.checked(name, value));
    return this;
  }

  /** Sets the members that a terminal shows first, after the name and the value. */
  public Report columns(String... members) {
    columns = List.of(members);
    return this;
  }

  /** Says that all figures are computed: how busy the machine is does not matter to them. */
  public Report withoutMeasurement() {
    isMeasured = false;
    return this;
  }

  /** Adds a measurement that failed, with its reason; several reasons are kept. */
  public Report fail(String name, String why) {
    failures.merge(name, why, (before, more) -> before + "\n" + more);
    return this;
  }

  /** Marks the run as ended early: what is here is what was done until then. */
  public Report interrupted() {
    interrupted = true;
    return this;
  }

  /**
   * Adds rows of another kind than results, or replaces them: a member of their own in the JSON, a
   * table of their own in the HTML file, and not part of {@link #toTable}.
   *
   * @param member the name of the rows, such as {@code findings}
   * @param rows their members, each a number, a boolean or a string
   * @throws IllegalArgumentException if a value is of another type or a number that is not finite,
   *     or the name is one that each report has
   */
  public Report put(String member, List<Map<String, Object>> rows) {
    if (member.isEmpty() || MEMBERS.contains(member)) {
      throw new IllegalArgumentException(
          "member=" + member + " (expected: a name that no report has by itself)");
    }
    for (Map<String, Object> row : rows) {
      row.forEach(Result::checked);
    }
    tables.put(member, List.copyOf(rows));
    return this;
  }

  /** Returns the word for scripts. */
  public String suite() {
    return suite;
  }

  /** Returns the heading for people. */
  public String title() {
    return title;
  }

  /** Returns what it was measured on. */
  public Machine machine() {
    return machine;
  }

  /** Returns the results in order. */
  public List<Result> results() {
    return List.copyOf(results.values());
  }

  /** Returns the result of this name, or null if there is none. */
  public Result result(String name) {
    return results.get(name);
  }

  /** Returns what failed, and why. */
  public Map<String, String> failures() {
    return Collections.unmodifiableMap(failures);
  }

  /** Returns whether there is no verdict yet. */
  public boolean hasNoVerdict() {
    return verdict.isEmpty();
  }

  boolean isGood() {
    return good && failures.isEmpty();
  }

  /** What makes the figures worth less, a sentence each. */
  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    if (interrupted) {
      warnings.add("The run was interrupted: this is what was measured until then.");
    }
    if (isMeasured && machine.isOverloaded()) {
      warnings.add(
          "The machine was busy when this began (load %s on %s processors): on a quiet one times are shorter."
              .formatted(
                  Quantity.number(machine.members().get("load")), machine.members().get("cores")));
    }
    if (!failures.isEmpty()) {
      warnings.add(
          failures.size() + " measurement" + (failures.size() == 1 ? "" : "s") + " failed.");
    }
    return warnings;
  }

  /** Returns the JSON, indented, with a newline at its end. */
  public String toJson() {
    List<Map<String, Object>> failed = new ArrayList<>();
    failures.forEach((name, why) -> failed.add(Json.object("name", name, "why", why)));
    Map<String, Object> json =
        Json.object(
            "suite", suite,
            "version", Machine.taktVersion(),
            "settings", settings,
            "machine", machine.members(),
            "verdict", verdict,
            "interrupted", interrupted,
            "results", results.values().stream().map(Result::members).toList(),
            "failed", failed,
            "notes", notes);
    json.putAll(tables);
    return Json.pretty(json) + "\n";
  }

  /** Returns {@link #toTable(Terminal)} for what has no colours and the usual width. */
  public String toTable() {
    return toTable(Terminal.PLAIN);
  }

  /**
   * Returns what a terminal shows: the verdict, the few columns that fit, what failed, and the
   * notes.
   */
  public String toTable(Terminal terminal) {
    return toTable(terminal, "");
  }

  /** Returns {@link #toTable(Terminal)} with lines between the verdict and the figures. */
  public String toTable(Terminal terminal, String between) {
    return TextTable.of(this, terminal, between);
  }

  /** Returns the HTML page. */
  public String toHtml() {
    return HtmlPage.of(this);
  }

  /**
   * Writes the files that are named, each as a whole or not at all.
   *
   * @param json null: none
   * @param html null: none
   * @throws IOException if that is not possible; the message says why, in one line
   */
  public void write(Path json, Path html) throws IOException {
    if (json != null) {
      writeJson(json);
    }
    if (html != null) {
      writeHtml(html);
    }
  }

  /**
   * Writes the JSON file, as a whole or not at all.
   *
   * @throws IOException if that is not possible; the message says why, in one line
   */
  public void writeJson(Path file) throws IOException {
    ReportFile.write(file, toJson());
  }

  /**
   * Writes the HTML file, as a whole or not at all.
   *
   * @throws IOException if that is not possible; the message says why, in one line
   */
  public void writeHtml(Path file) throws IOException {
    ReportFile.write(file, toHtml());
  }
}
