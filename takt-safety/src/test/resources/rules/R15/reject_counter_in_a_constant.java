// An object whose fields are all numbers may be a constant, but is then no place to count.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Sampler extends ReflexTask {
  static final Counter SAMPLES = new Counter();
  private int own;

  @Override
  public void execute() {
    own++;
    SAMPLES.count++; // expect: R15 "telemetry.Counter.count" "telemetry.Sampler.SAMPLES"
  }
}

final class Counter {
  int count;
}
