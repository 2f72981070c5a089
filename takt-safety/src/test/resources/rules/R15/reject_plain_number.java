// A plain static number: others may never see it, so there is a warning.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Tally extends ReflexTask {
  static long samples;
  private long own;

  @Override
  public void execute() {
    own++;
    samples = own; // expect: R15 warning "samples"
  }
}
