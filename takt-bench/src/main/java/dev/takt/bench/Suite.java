package dev.takt.bench;

import dev.takt.cli.report.Report;
import dev.takt.cli.report.TextResource;
import java.util.List;

/**
 * Some measurements that belong together.
 *
 * @param name the word on the command line
 * @param title what it measures, in one line
 * @param body what measures everything
 */
record Suite(String name, String title, Body body) {
  /** Measures everything. */
  @FunctionalInterface
  interface Body {
    /** Puts everything into the report; what fails has no row there and is kept by the runner. */
    void run(SuiteRunner runner, Report report) throws InterruptedException;
  }

  /** Returns how to read its figures. */
  List<String> notes() {
    return TextResource.paragraphs(Suite.class, "notes/" + name + ".txt").stream()
        .map(each -> each.replace('\n', ' '))
        .toList();
  }
}
