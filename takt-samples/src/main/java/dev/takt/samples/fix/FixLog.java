package dev.takt.samples.fix;

import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Lines about connections, of which some are left out when there are many: who connects must not
 * fill a log.
 *
 * <p><b>Guarantees.</b> At most {@value #MAX_LINES} lines within {@link #WINDOW_NS}; how many were
 * left out is told with the next one. <b>Thread rule:</b> any thread.
 */
final class FixLog {
  static final int MAX_LINES = 20;
  static final long WINDOW_NS = 10_000_000_000L;

  private final Consumer<String> lines;
  private final LongSupplier nanoTime;
  private long beginNs;
  private int told;
  private long leftOut;

  FixLog(Consumer<String> lines, LongSupplier nanoTime) {
    this.lines = lines;
    this.nanoTime = nanoTime;
    beginNs = nanoTime.getAsLong();
  }

  /** Tells a line, or leaves it out. */
  synchronized void tell(String line) {
    long nowNs = nanoTime.getAsLong();
    if (nowNs - beginNs >= WINDOW_NS) {
      beginNs = nowNs;
      told = 0;
    }
    if (told == MAX_LINES) {
      leftOut++;
      return;
    }
    told++;
    lines.accept(leftOut == 0 ? line : line + " (lines left out before: " + leftOut + ")");
    leftOut = 0;
  }
}
