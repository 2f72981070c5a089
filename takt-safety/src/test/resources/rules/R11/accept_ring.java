// A ring buffer that makes its array, and copies in and out.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Recorder extends ReflexTask {
  private final Ring ring = new Ring(64);
  private double mean;

  @Override
  public void execute() {
    ring.put(mean + 1);
    mean = ring.mean();
  }
}

class Ring implements Stable {
  private final double[] samples;
  private int next;

  Ring(int capacity) {
    samples = new double[capacity];
  }

  void put(double sample) {
    samples[next] = sample;
    next = (next + 1) % samples.length;
  }

  double mean() {
    double sum = 0;
    for (double sample : samples) {
      sum += sample;
    }
    return sum / samples.length;
  }
}
