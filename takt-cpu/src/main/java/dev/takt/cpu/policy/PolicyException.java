package dev.takt.cpu.policy;

import java.io.Serial;
import java.nio.file.Path;

/**
 * A policy file that cannot be taken; the message has the file, the line, what stands there, what
 * is expected, and the remedy.
 */
public final class PolicyException extends Exception {
  @Serial private static final long serialVersionUID = 1;

  private final int line;

  PolicyException(Path file, int line, String message) {
    super(line == 0 ? file + ": " + message : file + ":" + line + ": " + message);
    this.line = line;
  }

  /** Returns the number of the line, from 1; 0: it is about the file as a whole. */
  public int line() {
    return line;
  }
}
