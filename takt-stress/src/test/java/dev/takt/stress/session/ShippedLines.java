package dev.takt.stress.session;

import dev.takt.session.InVmTransport;
import dev.takt.session.TransportSettings;
import java.io.IOException;
import java.time.Duration;

/** A connection in memory with room for one line: what a loader with hooks loads again. */
public final class ShippedLines implements ParkedLinesTest.Connection {
  /** A thread that is forgotten is not to come back by its time limit. */
  private static final Duration LONG = Duration.ofDays(1);

  private final InVmTransport.Pair pair =
      InVmTransport.pair(
          TransportSettings.DEFAULTS
              .withMaxQueuedLines(1)
              .withMaxPatience(Duration.ZERO)
              .withReadTimeout(LONG)
              .withWriteTimeout(LONG));

  @Override
  public void write(String line) throws IOException {
    pair.first().writeLine(line);
  }

  @Override
  public String read() throws IOException {
    return pair.second().readLine();
  }

  @Override
  public void closeWriter() {
    pair.first().close();
  }

  @Override
  public void closeReader() {
    pair.second().close();
  }
}
