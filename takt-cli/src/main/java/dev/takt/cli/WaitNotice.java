package dev.takt.cli;

import java.io.Console;
import java.io.PrintWriter;

/** Shows on a terminal what takes a while, and removes that line at the end. */
final class WaitNotice implements AutoCloseable {
  private final PrintWriter out;
  private final String text;

  private WaitNotice(PrintWriter out, String text) {
    this.out = out;
    this.text = text;
  }

  /** Shows it on a terminal only. */
  static WaitNotice on(PrintWriter err, String text) {
    Console console = System.console();
    return show(err, console != null && console.isTerminal() ? text : "");
  }

  static WaitNotice show(PrintWriter out, String text) {
    out.print(text);
    out.flush();
    return new WaitNotice(out, text);
  }

  @Override
  public void close() {
    if (!text.isEmpty()) {
      out.print("\r" + " ".repeat(text.length()) + "\r");
      out.flush();
    }
  }
}
