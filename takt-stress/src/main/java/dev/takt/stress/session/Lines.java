package dev.takt.stress.session;

import dev.takt.session.InVmTransport;
import dev.takt.session.Transport;
import dev.takt.session.TransportSettings;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;

/** What the tests of lines in memory share. */
final class Lines {
  /** Longer than any machine lets a thread wait for a processor. */
  static final Duration LONG = Duration.ofSeconds(20);

  static final String TIMED_OUT = "forgotten";

  private static final TransportSettings SETTINGS =
      TransportSettings.DEFAULTS
          .withMaxQueuedLines(1)
          .withMaxPatience(Duration.ZERO)
          .withReadTimeout(LONG)
          .withWriteTimeout(LONG);

  private Lines() {}

  /** Makes a connection with room for one line in each direction. */
  static InVmTransport.Pair pair() {
    return InVmTransport.pair(SETTINGS);
  }

  /** Returns the line, {@code "null"} at the end, or that it was forgotten. */
  static String read(Transport transport) {
    try {
      return String.valueOf(transport.readLine());
    } catch (SocketTimeoutException forgotten) {
      return TIMED_OUT;
    } catch (IOException refused) {
      return "refused";
    }
  }

  /** Writes a line; returns it, or that the writer was forgotten. */
  static String write(Transport transport, String line) {
    try {
      transport.writeLine(line);
      return line;
    } catch (SocketTimeoutException forgotten) {
      return TIMED_OUT;
    } catch (IOException refused) {
      return "refused";
    }
  }
}
