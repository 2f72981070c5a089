package dev.takt.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.stream.Stream;

/** The command {@code snapshot} in this program, with what its last run has printed. */
final class SnapshotRun {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** Runs it; returns the exit code. */
  int run(Object... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return CommandLines.of(new SnapshotCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .setExecutionExceptionHandler(
            (e, line, _) -> {
              line.getErr().println(e.getMessage());
              return 1;
            })
        .execute(Arrays.stream(arguments).map(Object::toString).toArray(String[]::new));
  }

  String out() {
    return out.toString();
  }

  Stream<String> lines() {
    return out().lines();
  }

  String err() {
    return err.toString();
  }
}
