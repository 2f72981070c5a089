package dev.takt.bench.rtj.flight;

/**
 * The model of the aircraft: a small fighter, its rotation and its flow angles, with the
 * coefficients of {@code derivatives.csv}; speed and altitude stay as they are during the seconds
 * that are looked ahead. Angles in rad, rates in rad/s.
 */
final class Aircraft {
  private static final double MASS_KG = 9_295;
  private static final double AREA_M2 = 27.87;
  private static final double SPAN_M = 9.14;
  private static final double CHORD_M = 3.45;
  private static final double ROLL_INERTIA = 12_875;
  private static final double PITCH_INERTIA = 75_674;
  private static final double YAW_INERTIA = 85_552;
  private static final double GRAVITY = 9.80665;
  private static final double DEGREES = 180 / Math.PI;

  // The columns of derivatives.csv.
  static final int COLUMNS = 16;
  private static final int LIFT = 0;
  private static final int DRAG = 1;
  private static final int PITCH = 2;
  private static final int PITCH_RATE = 3;
  private static final int PITCH_ELEVATOR = 4;
  private static final int SIDE_BETA = 5;
  private static final int ROLL_BETA = 6;
  private static final int ROLL_RATE = 7;
  private static final int ROLL_YAW_RATE = 8;
  private static final int ROLL_AILERON = 9;
  private static final int ROLL_RUDDER = 10;
  private static final int YAW_BETA = 11;
  private static final int YAW_ROLL_RATE = 12;
  private static final int YAW_RATE = 13;
  private static final int YAW_AILERON = 14;
  private static final int YAW_RUDDER = 15;

  private final Grid derivatives;

  double mach = 0.6;
  double altitudeM = 3_000;
  double alpha;
  double beta;
  double pitchRate;
  double rollRate;
  double yawRate;
  double pitch;
  double bank;

  /** Normal acceleration in g, as measured in the last step. */
  double loadFactor = 1;

  /** Lateral acceleration in g. */
  double sideFactor;

  private double speed;
  private double pressure;

  Aircraft(Grid derivatives) {
    this.derivatives = derivatives;
  }

  /** Takes over the state of another one. */
  void copy(Aircraft from) {
    mach = from.mach;
    altitudeM = from.altitudeM;
    alpha = from.alpha;
    beta = from.beta;
    pitchRate = from.pitchRate;
    rollRate = from.rollRate;
    yawRate = from.yawRate;
    pitch = from.pitch;
    bank = from.bank;
    loadFactor = from.loadFactor;
    sideFactor = from.sideFactor;
  }

  /** Finds out how dense the air is; after speed or altitude have changed. */
  void air() {
    double cold = 1 - 2.2558e-5 * altitudeM;
    double density = 1.225 * (cold * cold * cold * cold) * Math.sqrt(Math.sqrt(cold));
    speed = mach * (340.3 - 0.0041 * altitudeM);
    pressure = 0.5 * density * speed * speed;
  }

  /** Flies for one step with the surfaces where they are. */
  void step(double elevator, double aileron, double rudder, double gustAlpha, double stepS) {
    double flow = alpha + gustAlpha;
    derivatives.locate(mach, flow * DEGREES);
    double force = pressure * AREA_M2;
    double roll = rollRate * SPAN_M / (2 * speed);
    double yaw = yawRate * SPAN_M / (2 * speed);
    double pitching = pitchRate * CHORD_M / (2 * speed);

    double lift = force * (derivatives.value(LIFT) + 0.4 * elevator);
    double side = force * derivatives.value(SIDE_BETA) * beta;
    double cosBank = sin(bank + Math.PI / 2);
    double sinBank = sin(bank);
    loadFactor = (lift + force * derivatives.value(DRAG) * flow) / (MASS_KG * GRAVITY);
    sideFactor = side / (MASS_KG * GRAVITY);

    double pitchMoment =
        force
            * CHORD_M
            * (derivatives.value(PITCH)
                + derivatives.value(PITCH_RATE) * pitching
                + derivatives.value(PITCH_ELEVATOR) * elevator);
    double rollMoment =
        force
            * SPAN_M
            * (derivatives.value(ROLL_BETA) * beta
                + derivatives.value(ROLL_RATE) * roll
                + derivatives.value(ROLL_YAW_RATE) * yaw
                + derivatives.value(ROLL_AILERON) * aileron
                + derivatives.value(ROLL_RUDDER) * rudder);
    double yawMoment =
        force
            * SPAN_M
            * (derivatives.value(YAW_BETA) * beta
                + derivatives.value(YAW_ROLL_RATE) * roll
                + derivatives.value(YAW_RATE) * yaw
                + derivatives.value(YAW_AILERON) * aileron
                + derivatives.value(YAW_RUDDER) * rudder);

    alpha +=
        stepS * (pitchRate - rollRate * beta + (GRAVITY * cosBank - loadFactor * GRAVITY) / speed);
    beta += stepS * (alpha * rollRate - yawRate + (side / MASS_KG + GRAVITY * sinBank) / speed);
    pitchRate +=
        stepS * (pitchMoment + (YAW_INERTIA - ROLL_INERTIA) * rollRate * yawRate) / PITCH_INERTIA;
    rollRate +=
        stepS * (rollMoment + (PITCH_INERTIA - YAW_INERTIA) * pitchRate * yawRate) / ROLL_INERTIA;
    yawRate +=
        stepS * (yawMoment + (ROLL_INERTIA - PITCH_INERTIA) * rollRate * pitchRate) / YAW_INERTIA;
    pitch += stepS * (pitchRate * cosBank - yawRate * sinBank);
    bank += stepS * rollRate;
  }

  /**
   * The sine to seven digits. The library's allocates for angles beyond a quarter of pi, and this
   * one is the same on every machine.
   */
  static double sin(double angle) {
    double turns = Math.rint(angle / Math.PI);
    double x = angle - turns * Math.PI;
    double square = x * x;
    double sine =
        x
            * (1
                + square
                    * (-1.0 / 6
                        + square
                            * (1.0 / 120
                                + square
                                    * (-1.0 / 5_040
                                        + square * (1.0 / 362_880 - square / 39_916_800)))));
    return ((long) turns & 1) == 0 ? sine : -sine;
  }
}
