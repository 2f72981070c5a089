package dev.takt.cli;

import dev.takt.cli.report.Json;
import dev.takt.safety.Finding;
import dev.takt.safety.Place;
import dev.takt.safety.Rule;
import dev.takt.safety.load.FindingText;
import dev.takt.safety.load.Weaving;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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

  static String of(Format format, Weaving checked, String version) {
    return switch (format) {
      case text -> text(checked);
      case json -> Json.pretty(json(checked)) + "\n";
      case sarif -> Json.pretty(sarif(checked.findings(), version)) + "\n";
    };
  }

  private static String text(Weaving checked) {
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

  private static Map<String, Object> json(Weaving checked) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("tasks", checked.tasks());
    report.put("classes", checked.classes());
    report.put("errors", checked.findings().stream().filter(Finding::isError).count());
    report.put("warnings", checked.findings().stream().filter(each -> !each.isError()).count());
    List<Object> findings = new ArrayList<>();
    for (Finding each : checked.findings()) {
      Map<String, Object> finding = new LinkedHashMap<>();
      finding.put("rule", each.rule().name());
      finding.put("severity", each.isError() ? "error" : "warning");
      finding.put("message", each.message());
      finding.put("place", json(each.place()));
      putIfKnown(finding, "task", each.task());
      finding.put("path", each.path().stream().map(FindingReport::json).toList());
      finding.put("text", each.rule().text());
      finding.put("reason", each.rule().reason());
      finding.put("remedy", each.rule().remedy());
      findings.add(finding);
    }
    report.put("findings", findings);
    return report;
  }

  private static Map<String, Object> json(Place place) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("class", place.className());
    putIfKnown(json, "member", place.member());
    putIfKnown(json, "file", place.file());
    if (place.line() > 0) {
      json.put("line", place.line());
    }
    if (place.column() > 0) {
      json.put("column", place.column());
    }
    return json;
  }

  private static void putIfKnown(Map<String, Object> map, String key, String value) {
    if (value != null) {
      map.put(key, value);
    }
  }

  private static Map<String, Object> sarif(List<Finding> findings, String version) {
    List<Object> rules = new ArrayList<>();
    for (Rule each : Rule.values()) {
      Map<String, Object> rule = new LinkedHashMap<>();
      rule.put("id", each.name());
      rule.put("shortDescription", message(each.text()));
      rule.put("fullDescription", message(each.reason()));
      rule.put("help", message(each.remedy()));
      rules.add(rule);
    }
    Map<String, Object> driver = new LinkedHashMap<>();
    driver.put("name", "takt check");
    driver.put("version", version);
    driver.put("rules", rules);
    Map<String, Object> run = new LinkedHashMap<>();
    run.put("tool", Map.of("driver", driver));
    run.put("columnKind", "utf16CodeUnits");
    run.put("results", findings.stream().map(FindingReport::sarif).toList());
    Map<String, Object> log = new LinkedHashMap<>();
    log.put("$schema", SCHEMA);
    log.put("version", "2.1.0");
    log.put("runs", List.of(run));
    return log;
  }

  private static Map<String, Object> sarif(Finding finding) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("ruleId", finding.rule().name());
    result.put("ruleIndex", finding.rule().ordinal());
    result.put("level", finding.isError() ? "error" : "warning");
    result.put("message", message(finding.message() + ". " + finding.rule().remedy()));
    result.put("locations", List.of(location(finding.place())));
    if (!finding.path().isEmpty()) {
      List<Object> steps = new ArrayList<>();
      for (Place each : finding.path()) {
        steps.add(Map.of("location", location(each)));
      }
      result.put("codeFlows", List.of(Map.of("threadFlows", List.of(Map.of("locations", steps)))));
    }
    return result;
  }

  private static Map<String, Object> location(Place place) {
    Map<String, Object> location = new LinkedHashMap<>();
    if (place.file() != null) {
      Map<String, Object> physical = new LinkedHashMap<>();
      Map<String, Object> artifact = new LinkedHashMap<>();
      artifact.put("uri", sourcePath(place));
      artifact.put("uriBaseId", "SRCROOT");
      physical.put("artifactLocation", artifact);
      if (place.line() > 0) {
        Map<String, Object> region = new LinkedHashMap<>();
        region.put("startLine", place.line());
        if (place.column() > 0) {
          region.put("startColumn", place.column());
        }
        physical.put("region", region);
      }
      location.put("physicalLocation", physical);
    }
    boolean isClass = place.member() == null;
    String name = isClass ? place.className() : place.className() + "." + place.member();
    Map<String, Object> logical = new LinkedHashMap<>();
    logical.put("fullyQualifiedName", name);
    logical.put("kind", isClass ? "type" : "member");
    location.put("logicalLocations", List.of(logical));
    return location;
  }

  /** The source relative to the root of its tree, as packages are laid out. */
  private static String sourcePath(Place place) {
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
