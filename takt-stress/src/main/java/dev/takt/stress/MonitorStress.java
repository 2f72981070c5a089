package dev.takt.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.takt.rtsj.monitor.Monitor;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * What one thread has written inside, the next one sees inside; on the kernel's futex where there
 * is one.
 */
@JCStressTest
@Outcome(
    id = {"11, 22", "22, 11"},
    expect = ACCEPTABLE,
    desc = "one after the other, the second with all that the first wrote")
@Outcome(expect = FORBIDDEN, desc = "both at a time, or something not seen")
@State
public class MonitorStress {
  /** One for all, so that others contend for it too. */
  private static final Monitor MONITOR = Monitor.inheritance("stressed");

  private int tens;
  private int ones;

  /** Changes both. */
  @Actor
  public void first(II_Result result) {
    try (var _ = MONITOR.hold()) {
      result.r1 = change();
    }
  }

  /** Changes both too. */
  @Actor
  public void second(II_Result result) {
    try (var _ = MONITOR.hold()) {
      result.r2 = change();
    }
  }

  private int change() {
    ones++;
    tens++;
    return 10 * tens + ones;
  }
}
