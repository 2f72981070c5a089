package dev.takt.bench.programs;

import dev.takt.reflex.ReflexTask;
import org.openjdk.jmh.annotations.CompilerControl;

/** Four stores into fields of a stable object. */
public final class StoreTask extends ReflexTask {
  private long count;
  private double sum;
  private int last;
  private long product = 1;

  /** Makes the task. */
  public StoreTask() {}

  @Override
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public void execute() {
    count = count + 1;
    sum = sum + 0.5;
    last = last + 3;
    product = product + product;
  }
}
