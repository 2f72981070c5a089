package dev.takt.bench.session;

import dev.takt.session.InVmTransport;
import dev.takt.session.Transport;
import java.io.IOException;
import java.util.function.LongUnaryOperator;

/**
 * A connection whose other end answers in the call that writes, as that of the mail did: nobody
 * waits.
 *
 * @param ends both ends
 */
record CalledEcho(InVmTransport.Pair ends) implements Transport {
  @Override
  public String readLine() throws IOException {
    return ends.first().readLine();
  }

  @Override
  public void writeLine(String line) throws IOException {
    ends.first().writeLine(line);
    ends.second().writeLine(ends.second().readLine());
  }

  @Override
  public void excuseIdle(LongUnaryOperator moreNs) {
    ends.first().excuseIdle(moreNs);
  }

  @Override
  public void close() {
    ends.first().close();
    ends.second().close();
  }
}
