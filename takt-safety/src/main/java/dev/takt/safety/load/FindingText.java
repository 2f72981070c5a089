package dev.takt.safety.load;

import dev.takt.safety.Finding;
import dev.takt.safety.Severity;
import dev.takt.safety.SourceLocation;
import java.util.List;

/** Findings as people read them, on a terminal or in the output of a build. */
public final class FindingText {
  private static final String INDENT = "    ";

  private FindingText() {}

  /** Returns all findings, one after the other; empty if there are none. */
  public static String of(List<Finding> findings) {
    StringBuilder text = new StringBuilder();
    for (Finding each : findings) {
      text.append(of(each));
    }
    return text.toString();
  }

  /**
   * Returns one finding: rule and message, the place, how the task gets there, why the rule is
   * there, and what to do. Several lines, each of them ended.
   */
  public static String of(Finding finding) {
    StringBuilder text = new StringBuilder();
    text.append(finding.severity() == Severity.ERROR ? "error " : "warning ");
    text.append(finding.rule()).append(": ").append(finding.message()).append('\n');
    text.append(INDENT).append("at   ").append(finding.place()).append('\n');
    String task = finding.task();
    if (task != null && !task.equals(finding.place().className())) {
      text.append(INDENT).append("task ").append(task).append('\n');
    }
    String lead = "path ";
    for (SourceLocation each : finding.path()) {
      text.append(INDENT).append(lead).append(each).append('\n');
      lead = "  -> ";
    }
    line(text, "why  ", finding.rule().reason());
    line(text, "do   ", finding.rule().remedy());
    return text.toString();
  }

  private static void line(StringBuilder text, String lead, String what) {
    if (!what.isEmpty()) {
      text.append(INDENT).append(lead).append(what).append('\n');
    }
  }
}
