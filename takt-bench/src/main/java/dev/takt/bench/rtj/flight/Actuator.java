package dev.takt.bench.rtj.flight;

/** A control surface: it follows its command with a lag, within a rate and a position. */
final class Actuator {
  private final double lagPerS;
  private final double ratePerS;
  private final double limit;
  private double position;

  /**
   * Makes one in its middle.
   *
   * @param lagPerS the inverse of its time constant, in 1/s
   * @param ratePerS its largest speed, in rad/s
   * @param limit its largest deflection to either side, in rad
   */
  Actuator(double lagPerS, double ratePerS, double limit) {
    this.lagPerS = lagPerS;
    this.ratePerS = ratePerS;
    this.limit = limit;
  }

  /** Moves for one step; returns where it is. */
  double follow(double command, double stepS) {
    double wantedRate = lagPerS * (Math.clamp(command, -limit, limit) - position);
    position =
        Math.clamp(position + stepS * Math.clamp(wantedRate, -ratePerS, ratePerS), -limit, limit);
    return position;
  }

  double limit() {
    return limit;
  }

  void set(double position) {
    this.position = position;
  }

  double position() {
    return position;
  }
}
