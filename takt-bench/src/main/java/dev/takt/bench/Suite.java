package dev.takt.bench;

import dev.takt.cli.report.Report;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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

  /** Returns how to read its figures: the paragraphs of its text, if it has one. */
  List<String> notes() {
    try (InputStream in = Suite.class.getResourceAsStream("notes/" + name + ".txt")) {
      String text = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return Arrays.stream(text.strip().split("\n\n"))
          .map(each -> each.replace('\n', ' '))
          .filter(each -> !each.isEmpty())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
