package dev.takt.bench;

import dev.takt.cli.report.Report;

/** Some measurements that belong together. */
interface Suite {
  /** Returns the word on the command line. */
  String name();

  /** Returns what it measures, in one line. */
  String title();

  /**
   * Measures everything and puts it into the report; what fails has no row there and is kept by
   * {@code runner}.
   */
  void run(SuiteRunner runner, Report report) throws InterruptedException;
}
