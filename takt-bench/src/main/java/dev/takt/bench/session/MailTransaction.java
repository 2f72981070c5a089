package dev.takt.bench.session;

import dev.takt.session.Transport;
import java.io.IOException;

/** The client of the mail, as it would be without sessions: it knows nothing but its transport. */
final class MailTransaction {
  /** How many lines are written, and as many are read. */
  static final int ROUNDS = 10;

  private MailTransaction() {}

  /** Writes a line and reads its echo, ten times; then closes. */
  static void run(Transport transport, int number) throws IOException {
    try (transport) {
      for (int round = 0; round < ROUNDS; round++) {
        String line = line(number, round);
        transport.writeLine(line);
        check(line, transport.readLine());
      }
    }
  }

  static String line(int number, int round) {
    return "transaction " + number + " round " + round;
  }

  static void check(String line, String answer) {
    if (!line.equals(answer)) {
      throw new IllegalStateException("the echo of " + line + " is " + answer);
    }
  }

  /** The other end: writes back what it reads, until the client closes. */
  static void echo(Transport transport) throws IOException {
    try (transport) {
      for (String line = transport.readLine(); line != null; line = transport.readLine()) {
        transport.writeLine(line);
      }
    }
  }
}
