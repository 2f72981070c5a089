// StaticConstants are read and copied; what is written are the copies, and objects of the task's own.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import java.util.Arrays;

class Filter extends ReflexTask {
  static final double[] START = {0.25, 0.5, 0.25};
  static final Point ORIGIN = new Point(0, 0);
  private final double[] taps = new double[3];
  private double x;

  static final class Point {
    double x;
    double y;

    Point(double x, double y) {
      this.x = x;
      this.y = y;
    }

    void move(double byX, double byY) {
      x += byX;
      y += byY;
    }
  }

  @Override
  public void execute() {
    System.arraycopy(START, 0, taps, 0, taps.length);
    double[] other = START.clone();
    Arrays.fill(other, taps[0] + distance(ORIGIN));
    other[0] = sum(START);
    Point point = new Point(ORIGIN.x, ORIGIN.y);
    point.move(other[0], other[1]);
    taps[0] = point.x;
    x = taps[0];
  }

  private static double sum(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum;
  }

  private static double distance(Point point) {
    return Math.sqrt(point.x * point.x + point.y * point.y);
  }
}
