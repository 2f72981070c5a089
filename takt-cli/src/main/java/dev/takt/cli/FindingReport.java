package dev.takt.cli;

import dev.takt.cli.report.Json;
import dev.takt.safety.Finding;
import dev.takt.safety.Rule;
import dev.takt.safety.SourceLocation;
import dev.takt.safety.load.FindingText;
import dev.takt.safety.load.WeaveResult;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The findings of a check as text for people, JSON for scripts, or SARIF 2.1.0 for other tools. */
final class FindingReport {
  private static final String SCHEMA =
      "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

  private FindingReport() {}

  /** The formats by the names that users give them. */
  enum Format {
    /** For people. */
    text,
    /** For scripts. */
    json,
    /** The Static Analysis Results Interchange Format, which editors and forges read. */
    sarif
  }

  static String of(Format format, WeaveResult checked, String version) {
    return switch (format) {
      case text -> text(checked);
      case json -> Json.pretty(json(checked)) + "\n";
      case sarif -> Json.pretty(sarif(checked.findings(), version)) + "\n";
    };
  }

  private static String text(WeaveResult checked) {
    long errors = checked.findings().stream().filter(Finding::isError).count();
    long warnings = checked.findings().size() - errors;
    String counts =
        "%s in %s: %s%s\n"
            .formatted(
                counted(checked.tasks(), "task"),
                checked.classes() == 1 ? "1 class" : checked.classes() + " classes",
                counted(errors, "error"),
                warnings == 0 ? "" : ", " + counted(warnings, "warning"));
    return FindingText.of(checked.findings()) + counts;
  }

  private static String counted(long count, String thing) {
    return count + " " + thing + (count == 1 ? "" : "s");
  }

  private static Map<String, Object> json(WeaveResult checked) {
    List<Finding> findings = checked.findings();
    long errors = findings.stream().filter(Finding::isError).count();
    return Json.object(
        "tasks", checked.tasks(),
        "classes", checked.classes(),
        "errors", errors,
        "warnings", findings.size() - errors,
        "findings", findings.stream().map(FindingReport::json).toList());
  }

  private static Map<String, Object> json(Finding finding) {
    return Json.object(
        "rule", finding.rule().name(),
        "severity", severity(finding),
        "message", finding.message(),
        "place", json(finding.place()),
        "task", finding.task(),
        "path", finding.path().stream().map(FindingReport::json).toList(),
        "text", finding.rule().text(),
        "reason", finding.rule().reason(),
        "remedy", finding.rule().remedy());
  }

  private static String severity(Finding finding) {
    return finding.isError() ? "error" : "warning";
  }

  private static Map<String, Object> json(SourceLocation place) {
    return Json.object(
        "class", place.className(),
        "member", place.member(),
        "file", place.file(),
        "line", known(place.line()),
        "column", known(place.column()));
  }

  /** A line or column; null if it is not known. */
  private static Integer known(int number) {
    return number > 0 ? number : null;
  }

  private static Map<String, Object> sarif(List<Finding> findings, String version) {
    List<Map<String, Object>> rules =
        Arrays.stream(Rule.values())
            .map(
                rule ->
                    Json.object(
                        "id", rule.name(),
                        "shortDescription", message(rule.text()),
                        "fullDescription", message(rule.reason()),
                        "help", message(rule.remedy())))
            .toList();
    Map<String, Object> driver =
        Json.object("name", "takt check", "version", version, "rules", rules);
    Map<String, Object> run =
        Json.object(
            "tool", Map.of("driver", driver),
            "columnKind", "utf16CodeUnits",
            "results", findings.stream().map(FindingReport::sarif).toList());
    return Json.object("$schema", SCHEMA, "version", "2.1.0", "runs", List.of(run));
  }

  private static Map<String, Object> sarif(Finding finding) {
    List<?> steps =
        finding.path().stream().map(each -> Map.of("location", location(each))).toList();
    Object flows = List.of(Map.of("threadFlows", List.of(Map.of("locations", steps))));
    return Json.object(
        "ruleId", finding.rule().name(),
        "ruleIndex", finding.rule().ordinal(),
        "level", severity(finding),
        "message", message(finding.message() + ". " + finding.rule().remedy()),
        "locations", List.of(location(finding.place())),
        "codeFlows", steps.isEmpty() ? null : flows);
  }

  private static Map<String, Object> location(SourceLocation place) {
    boolean isClass = place.member() == null;
    String name = isClass ? place.className() : place.className() + "." + place.member();
    Object logical = Json.object("fullyQualifiedName", name, "kind", isClass ? "type" : "member");
    Object physical = place.file() == null ? null : physical(place);
    return Json.object("physicalLocation", physical, "logicalLocations", List.of(logical));
  }

  private static Map<String, Object> physical(SourceLocation place) {
    Object artifact = Json.object("uri", sourcePath(place), "uriBaseId", "SRCROOT");
    Integer line = known(place.line());
    Object region = Json.object("startLine", line, "startColumn", known(place.column()));
    return Json.object("artifactLocation", artifact, "region", line == null ? null : region);
  }

  /** The source relative to the root of its tree, as packages are laid out. */
  private static String sourcePath(SourceLocation place) {
    String file = place.file().replace('\\', '/');
    int dot = place.className().lastIndexOf('.');
    boolean bare = file.indexOf('/') < 0 && dot > 0;
    String path = bare ? place.className().substring(0, dot).replace('.', '/') + "/" + file : file;
    return path.replace(" ", "%20");
  }

  private static Map<String, Object> message(String text) {
    return Map.of("text", text);
  }
}
