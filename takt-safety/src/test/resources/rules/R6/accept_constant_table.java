// A table that a static initializer fills: it runs at the start, on the heap.
// layer: both
// live: plant.Sines
package plant;

import dev.takt.reflex.ReflexTask;

class Oscillator extends ReflexTask {
  private int phase;
  private double out;

  @Override
  public void execute() {
    phase = (phase + 1) & 255;
    out = Sines.at(phase);
  }
}

final class Sines {
  private static final double[] TABLE = new double[256];

  static {
    for (int i = 0; i < TABLE.length; i++) {
      TABLE[i] = Math.sin(i * Math.PI / 128);
    }
  }

  private Sines() {}

  static double at(int phase) {
    return TABLE[phase];
  }
}
