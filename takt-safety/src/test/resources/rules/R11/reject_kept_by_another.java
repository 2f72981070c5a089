// The array is put into a transient object, which may write to it.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Spectrum extends ReflexTask {
  private final float[] bins = new float[32];

  record View(float[] bins) {}

  @Override
  public void execute() {
    View view = new View(bins); // expect: R11 "bins"
    view.bins()[0] = 1;
  }
}
