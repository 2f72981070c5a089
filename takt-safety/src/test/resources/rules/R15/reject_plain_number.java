// A static number: all tasks share it, and no rollback undoes it.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Tally extends ReflexTask {
  static long samples;
  private long own;

  @Override
  public void execute() {
    own++;
    samples = own; // expect: R15 "samples"
  }
}
