package dev.takt.session;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A connection inside of one JVM: what one end writes, the other reads (javaflow, "in vm").
 *
 * <p><b>Guarantees.</b> As {@link Transport}. A reader that is slow stops its writer: no more than
 * {@link TransportSettings#maxQueuedLines} lines wait in a direction.
 *
 * <p><b>Thread rule.</b> As {@link Transport}. <b>Memory.</b> Some 300 bytes, and the queued lines.
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
  private final int maxLineBytes;

  private InVmTransport(LineQueue in, LineQueue out, int maxLineBytes) {
    this.in = in;
    this.out = out;
    this.maxLineBytes = maxLineBytes;
  }

  /** Makes a connection. */
  public static Pair pair(TransportSettings settings) {
    LineQueue one = new LineQueue(settings);
    LineQueue other = new LineQueue(settings);
    return new Pair(
        new InVmTransport(one, other, settings.maxLineBytes()),
        new InVmTransport(other, one, settings.maxLineBytes()));
  }

  @Override
  public @Nullable String readLine() throws IOException {
    return in.take();
  }

  @Override
  public void writeLine(String line) throws IOException {
    LineText.check(line, maxLineBytes);
    out.put(line);
  }

  @Override
  public void close() {
    out.end();
    in.refuse();
  }
}
