package dev.takt.bench.programs;

import dev.takt.reflex.ReflexTask;
import org.openjdk.jmh.annotations.CompilerControl;

/** Nothing. */
public final class EmptyTask extends ReflexTask {
  /** Makes the task. */
  public EmptyTask() {}

  @Override
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public void execute() {
    // nothing
  }
}
