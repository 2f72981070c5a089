// Math of all kinds.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Kinematics extends ReflexTask {
  private double angle;
  private long clamped;

  @Override
  public void execute() {
    angle = Math.atan2(Math.sin(angle), Math.cos(angle)) + Math.toRadians(1);
    double reach = Math.hypot(Math.exp(-angle), Math.pow(angle, 2)) + Math.log1p(1);
    clamped = Math.clamp(Math.round(reach * 1_000), 0, 5_000) + Math.floorDiv(7, 2);
    clamped += Long.compare(clamped, 3) + Math.ceilDiv(9, 4);
  }
}
