package dev.takt.session;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A connection inside of one JVM: what one end writes, the other reads (javaflow, "in vm").
 *
 * <p><b>Guarantees.</b> As {@link Transport}. A reader that is slow stops its writer: no more than
 * {@link TransportSettings#maxQueuedLines} lines wait in a direction.
 *
 * <p><b>Thread rule.</b> As {@link Transport}. <b>Memory.</b> Some 900 bytes a pair, and the queued
 * lines.
 *
 * {@snippet :
 * InVmTransport.Pair pair = InVmTransport.pair(TransportSettings.DEFAULTS);
 * sessions.start("echo", () -> echo(pair.second()));
 * pair.first().writeLine("hello");
 * }
 */
public final class InVmTransport implements Transport {
  /**
   * Two connected ends.
   *
   * @param first one of them
   * @param second the other one
   */
  public record Pair(Transport first, Transport second) {}

  private final LineQueue in;
  private final LineQueue out;
  private final TransportSettings settings;

  private InVmTransport(LineQueue in, LineQueue out, TransportSettings settings) {
    this.in = in;
    this.out = out;
    this.settings = settings;
  }

  /** Makes a connection. */
  public static Pair pair(TransportSettings settings) {
    LineQueue one = new LineQueue(settings);
    LineQueue other = new LineQueue(settings);
    return new Pair(
        new InVmTransport(one, other, settings), new InVmTransport(other, one, settings));
  }

  @Override
  public @Nullable String readLine() throws IOException {
    try {
      return in.take();
    } catch (SocketTimeoutException silent) {
      if (settings.closesWhenIdle()) {
        close();
      }
      throw silent;
    }
  }

  @Override
  public void writeLine(String line) throws IOException {
    LineText.check(line, settings.maxLineBytes());
    out.put(line);
  }

  @Override
  public void excuseIdle(LongUnaryOperator moreNs) {
    in.excuseIdle(moreNs);
  }

  @Override
  public void close() {
    out.end();
    in.refuse();
  }
}
