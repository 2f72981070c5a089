package dev.takt.cli;

import java.io.Console;
import java.io.PrintWriter;

/** Shows on a terminal what takes a while, and removes that line at the end. */
final class Waiting implements AutoCloseable {
  private final PrintWriter out;
  private final String text;

  private Waiting(PrintWriter out, String text) {
    this.out = out;
    this.text = text;
  }

  /** Shows it on a terminal only. */
  static Waiting on(PrintWriter err, String text) {
    Console console = System.console();
    return show(err, console != null && console.isTerminal() ? text : "");
  }

  static Waiting show(PrintWriter out, String text) {
    out.print(text);
    out.flush();
    return new Waiting(out, text);
  }

  @Override
  public void close() {
    if (!text.isEmpty()) {
      out.print("\r" + " ".repeat(text.length()) + "\r");
      out.flush();
    }
  }
}
