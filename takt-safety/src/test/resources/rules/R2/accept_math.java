// Arithmetic that the JVM has instructions for.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Servo extends ReflexTask {
  private double angle;
  private int pulses;

  @Override
  public void execute() {
    angle = Math.fma(0.1, Math.sqrt(angle * angle + 1), Math.abs(angle));
    pulses = Integer.bitCount(pulses) + Math.floorMod(pulses, 7) + Long.numberOfTrailingZeros(8);
  }
}
