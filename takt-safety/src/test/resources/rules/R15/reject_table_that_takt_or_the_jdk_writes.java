// Takt and the JDK write to a constant that they are given, at once or later.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import java.util.Arrays;
import java.util.LongSummaryStatistics;

class Tables extends ReflexTask {
  static final long[] LAST = new long[4];
  static final double[] MEANS = new double[4];
  static final char[] NAME = new char[4];
  static final byte[] BYTES = new byte[4];
  static final int[] COUNTS = new int[4];
  static final LongSummaryStatistics ALL = new LongSummaryStatistics();

  @Override
  public void execute() {
    Event event = new Event("last", new long[] {1});
    event.copyInto("last", LAST); // expect: R15 "telemetry.Tables.LAST"
    Arrays.setAll(MEANS, i -> i * 0.5); // expect: R15 "telemetry.Tables.MEANS"
    "load".getChars(0, 4, NAME, 0); // expect: R15 "telemetry.Tables.NAME"
    "load".getBytes(0, 4, BYTES, 0); // expect: R15 "telemetry.Tables.BYTES"
    ALL.accept(3); // expect: R15 "telemetry.Tables.ALL"
    java.util.Arrays.sort(COUNTS, 0, 2); // expect: R15 "telemetry.Tables.COUNTS"
  }
}
