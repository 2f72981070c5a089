package dev.takt.bench.programs;

import dev.takt.reflex.ReflexTask;
import org.openjdk.jmh.annotations.CompilerControl;

/** 64 stores into an array of a stable object. */
public final class StoreArrayTask extends ReflexTask {
  private final long[] values = new long[64];

  /** Makes the task. */
  public StoreArrayTask() {}

  @Override
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public void execute() {
    for (int i = 0; i < values.length; i++) {
      values[i] += i;
    }
  }
}
