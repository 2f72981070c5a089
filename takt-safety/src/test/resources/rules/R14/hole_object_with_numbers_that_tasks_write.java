// hole: an object whose fields are all numbers has no reference that could change, so a static
// final field may hold it, and an enum constant may have such fields; that tasks write them is
// neither isolated nor undone, and nobody reports it
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Sampler extends ReflexTask {
  static final Counter SAMPLES = new Counter();

  @Override
  public void execute() {
    SAMPLES.count++;
    Channel.LEFT.samples++;
  }
}

final class Counter {
  int count;
}

enum Channel {
  LEFT;

  int samples;
}
