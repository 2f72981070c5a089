package dev.takt.safety.load;

import dev.takt.safety.Finding;
import java.util.List;

/**
 * What a weaver has done with an application.
 *
 * @param findings what the verifier found, sorted by class, line and rule
 * @param tasks how many task classes there are
 * @param classes how many classes were looked at
 * @param woven how many of them are woven now; 0 if a finding is an error, since then nothing is
 * @param added how many classes the weaver has added to them
 * @param upToDate whether nothing had to be done, because all was woven already
 */
public record WeaveResult(
    List<Finding> findings, int tasks, int classes, int woven, int added, boolean upToDate) {
  /** Copies the findings. */
  public WeaveResult {
    findings = List.copyOf(findings);
  }

  /** Returns whether all tasks may run. */
  public boolean isClean() {
    return findings.stream().noneMatch(Finding::isError);
  }

  /** Returns this result, marked as up to date. */
  WeaveResult unchanged() {
    return new WeaveResult(findings, tasks, classes, woven, added, isClean());
  }

  /** Returns one line that says what was done. */
  public String summary() {
    String checked =
        tasks
            + (tasks == 1 ? " task" : " tasks")
            + " in "
            + classes
            + (classes == 1 ? " class" : " classes");
    String done =
        checked + ", " + woven + " woven" + (added == 0 ? "" : " and " + added + " added");
    if (upToDate) {
      return done + " already";
    }
    if (woven > 0) {
      return done;
    }
    long errors = findings.stream().filter(Finding::isError).count();
    return checked + ", " + (errors == 1 ? "1 error" : errors + " errors") + ", nothing woven";
  }
}
