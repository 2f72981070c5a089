package dev.takt.bench.programs;

import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;
import java.util.function.LongUnaryOperator;
import org.openjdk.jmh.annotations.CompilerControl;

/** Ten lambdas that capture a variable. */
@NoAlloc
public final class NewLambdaTask extends ReflexTask {
  private long sum;

  /** Makes the task. */
  public NewLambdaTask() {}

  @Override
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public void execute() {
    for (int i = 0; i < 10; i++) {
      long captured = i;
      sum += apply(value -> value + captured, i);
    }
  }

  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  private static long apply(LongUnaryOperator operator, long value) {
    return operator.applyAsLong(value);
  }
}
