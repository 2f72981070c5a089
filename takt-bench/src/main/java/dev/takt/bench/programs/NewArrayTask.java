package dev.takt.bench.programs;

import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;
import org.openjdk.jmh.annotations.CompilerControl;

/** Ten transient arrays of 16 elements. */
@NoAlloc
public final class NewArrayTask extends ReflexTask {
  private long sum;

  /** Makes the task. */
  public NewArrayTask() {}

  @Override
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public void execute() {
    for (int i = 0; i < 10; i++) {
      long[] values = new long[16];
      values[i] = i;
      sum += valueOf(values, i);
    }
  }

  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  private static long valueOf(long[] values, int i) {
    return values[i];
  }
}
