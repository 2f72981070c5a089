package dev.takt.bench.rtj.flight;

/**
 * The control laws: the pilot's stick asks for a load factor and a roll rate; gains are scheduled
 * over Mach number and altitude ({@code gains.csv}); integrators stop where the surface they drive
 * is at its limit; a notch keeps the structure's own frequency out of the pitch loop; the rudder
 * damps the yaw and keeps the flow straight while rolling.
 */
final class ControlLaws {
  // The columns of gains.csv.
  static final int COLUMNS = 11;
  private static final int NZ = 0;
  private static final int NZ_INTEGRAL = 1;
  private static final int PITCH_RATE = 2;
  private static final int ALPHA = 3;
  private static final int ROLL = 4;
  private static final int ROLL_INTEGRAL = 5;
  private static final int YAW_RATE = 6;
  private static final int BETA = 7;
  private static final int INTERCONNECT = 8;
  private static final int NZ_LIMIT = 9;
  private static final int ROLL_LIMIT = 10;

  private static final double COMMAND_LAG_PER_S = 6;
  private static final double WASH_OUT_PER_S = 0.7;

  // A notch at 10 Hz for steps of 2 ms, of quality 0.83.
  private static final double NOTCH_B1 = -1.984229402628956;
  private static final double NOTCH_GAIN = 0.9298;

  private final Grid gains;
  final Actuator elevator = new Actuator(20, 1.05, 0.436);
  final Actuator aileron = new Actuator(20, 1.40, 0.375);
  final Actuator rudder = new Actuator(20, 2.10, 0.524);

  private double askedNz = 1;
  private double askedRoll;
  private double nzIntegral;
  private double rollIntegral;
  private double slowYawRate;
  private double notchIn1;
  private double notchIn2;
  private double notchOut1;
  private double notchOut2;

  ControlLaws(Grid gains) {
    this.gains = gains;
  }

  /** Takes over the state of others. */
  void copy(ControlLaws from) {
    elevator.set(from.elevator.position());
    aileron.set(from.aileron.position());
    rudder.set(from.rudder.position());
    askedNz = from.askedNz;
    askedRoll = from.askedRoll;
    nzIntegral = from.nzIntegral;
    rollIntegral = from.rollIntegral;
    slowYawRate = from.slowYawRate;
    notchIn1 = from.notchIn1;
    notchIn2 = from.notchIn2;
    notchOut1 = from.notchOut1;
    notchOut2 = from.notchOut2;
  }

  /**
   * Moves the surfaces for one step.
   *
   * @param pitchStick -1 (full forward) to 1 (full back)
   * @param rollStick -1 (full left) to 1 (full right)
   */
  void step(Aircraft aircraft, double pitchStick, double rollStick, double stepS) {
    gains.locate(aircraft.mach, aircraft.altitudeM);
    askedNz += stepS * COMMAND_LAG_PER_S * (1 + pitchStick * gains.value(NZ_LIMIT) - askedNz);
    askedRoll += stepS * COMMAND_LAG_PER_S * (rollStick * gains.value(ROLL_LIMIT) - askedRoll);

    double nzError = askedNz - aircraft.loadFactor;
    double pitchCommand =
        -gains.value(NZ) * nzError
            - nzIntegral
            + gains.value(PITCH_RATE) * notch(aircraft.pitchRate)
            + gains.value(ALPHA) * aircraft.alpha;
    if (isFree(elevator, pitchCommand, -nzError)) {
      nzIntegral += stepS * gains.value(NZ_INTEGRAL) * nzError;
    }

    double rollError = askedRoll - aircraft.rollRate;
    double rollCommand = gains.value(ROLL) * rollError + rollIntegral;
    if (isFree(aileron, rollCommand, rollError)) {
      rollIntegral += stepS * gains.value(ROLL_INTEGRAL) * rollError;
    }

    slowYawRate += stepS * WASH_OUT_PER_S * (aircraft.yawRate - slowYawRate);
    double yawCommand =
        gains.value(YAW_RATE) * (aircraft.yawRate - slowYawRate)
            - gains.value(BETA) * aircraft.beta
            + gains.value(INTERCONNECT) * rollCommand;

    elevator.follow(pitchCommand, stepS);
    aileron.follow(rollCommand, stepS);
    rudder.follow(yawCommand, stepS);
  }

  /** Whether the integrator may go on: the surface is not at its limit, or is led away from it. */
  private static boolean isFree(Actuator surface, double command, double direction) {
    return Math.abs(command) < surface.limit() || command * direction < 0;
  }

  private double notch(double in) {
    double out =
        NOTCH_GAIN * (in + NOTCH_B1 * notchIn1 + notchIn2)
            - NOTCH_B1 * NOTCH_GAIN * notchOut1
            - (2 * NOTCH_GAIN - 1) * notchOut2;
    notchIn2 = notchIn1;
    notchIn1 = in;
    notchOut2 = notchOut1;
    notchOut1 = out;
    return out;
  }
}
