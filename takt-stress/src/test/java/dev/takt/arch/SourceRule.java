package dev.takt.arch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What source text may not hold. The words are put together here so that this file does not trip
 * over itself.
 */
final class SourceRule {
  static final int MAX_LINES = 600;

  private static final Map<Pattern, String> ANYWHERE =
      Map.of(
          Pattern.compile("FIX" + "ME"), "finish it before it is merged",
          Pattern.compile("\\bTO" + "DO\\b"), "finish it, or open an issue and name it there",
          Pattern.compile("(^|[^A-Za-z0-9.])/(wo" + "rk|ro" + "ot|home/[a-z]+)/"),
              "a place on one machine",
          Pattern.compile("sun\\.misc\\.Uns" + "afe|import jdk\\.int" + "ernal"),
              "not supported API");

  private static final Map<Pattern, String> IN_TESTS =
      Map.of(
          Pattern.compile("@Dis" + "abled|@Ign" + "ore\\b"),
              "a test that is not run proves nothing: mend it or delete it",
          Pattern.compile("@Repeated" + "IfExceptions|rerun" + "Failing"),
              "a flaky test is a bug: mend it",
          Pattern.compile("\\bThread\\.sl" + "eep\\("),
              "wait for the thing itself, or use a virtual clock",
          Pattern.compile("(?i)(se" + "ed\\w* *=|random\\().*(nanoTime|currentTimeMillis)\\("),
              "Seeds.seed(), which -Dtakt.seed replays",
          Pattern.compile("getLong\\(\"takt.se" + "ed"), "Seeds.seed()");

  private static final Pattern PUBLIC_TYPE =
      Pattern.compile(
          "^public (?:(?:final|abstract|sealed|non-sealed) )*(?:class|interface|record|enum|@interface) (\\w+)");

  private SourceRule() {}

  /** What is wrong with a file, each with its line. */
  static List<String> check(String name, List<String> lines) {
    List<String> wrong = new ArrayList<>();
    boolean test = name.contains("src/test/");
    for (int i = 0; i < lines.size(); i++) {
      String place = name + ":" + (i + 1) + ": ";
      String line = lines.get(i);
      ANYWHERE.forEach((pattern, advice) -> addIfFound(pattern, line, place, advice, wrong));
      if (test) {
        IN_TESTS.forEach((pattern, advice) -> addIfFound(pattern, line, place, advice, wrong));
      } else if (PUBLIC_TYPE.matcher(line).find() && !isDocumented(lines, i)) {
        wrong.add(
            place
                + "a public type without Javadoc: say what it is for, and which threads may use it");
      }
    }
    if (lines.size() > MAX_LINES) {
      wrong.add(
          name + " has " + lines.size() + " lines (limit: " + MAX_LINES + "); split it by idea");
    }
    return wrong;
  }

  private static void addIfFound(
      Pattern pattern, String line, String place, String advice, List<String> wrong) {
    if (pattern.matcher(line).find()) {
      wrong.add(place + line.strip() + " (" + advice + ")");
    }
  }

  /**
   * Whether a comment ends above the annotations, which may take several lines, of the type that is
   * declared there.
   */
  private static boolean isDocumented(List<String> lines, int declaration) {
    for (int i = declaration - 1; i >= 0; i--) {
      String line = lines.get(i).strip();
      if (line.endsWith("*/")) {
        return true;
      }
      if (line.isEmpty() || line.endsWith(";") && !line.startsWith("@")) {
        return false;
      }
    }
    return false;
  }
}
