package dev.takt.session;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Writes back what it reads, until the other end closes. */
final class Echo {
  private Echo() {}

  /** Returns how many lines there were. */
  static int run(Transport transport) throws IOException {
    int lines = 0;
    try (transport) {
      for (String line = transport.readLine(); line != null; line = transport.readLine()) {
        transport.writeLine(line);
        lines++;
      }
    }
    return lines;
  }

  static void runQuietly(Transport transport) {
    try {
      run(transport);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
