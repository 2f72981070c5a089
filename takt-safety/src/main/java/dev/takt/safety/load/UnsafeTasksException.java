package dev.takt.safety.load;

import dev.takt.safety.Finding;
import java.util.List;

/** An application has tasks that break the safety rules, so none of it is loaded. */
public final class UnsafeTasksException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<Finding> findings;

  UnsafeTasksException(List<Finding> findings) {
    super(
        findings.stream().filter(Finding::isError).count()
            + " findings forbid to run it:\n"
            + FindingText.of(findings));
    this.findings = List.copyOf(findings);
  }

  /** Returns all findings; at least one is an error. */
  public List<Finding> findings() {
    return findings;
  }
}
