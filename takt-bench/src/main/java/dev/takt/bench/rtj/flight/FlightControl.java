package dev.takt.bench.rtj.flight;

import java.io.IOException;

/**
 * Flight controls with a protection of the envelope that looks ahead. All memory is allocated and
 * all references are stored when it is made; {@link #frame} allocates nothing, and does the same
 * amount of work in each frame.
 *
 * <p>The pilot's input is a fixed pattern, so that the same frames give the same {@link #checksum}
 * everywhere, also of the same computation in C, which is the floor: sums, products and square
 * roots are exact to the bit.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
public final class FlightControl {
  /** How many shares of the pilot's command are tried: a fortieth to the whole. */
  static final int CANDIDATES = 40;

  /** How many steps are looked ahead. */
  static final int STEPS = 1_300;

  private static final double STEP_S = 0.002;
  private static final double FRAME_S = 0.05;
  private static final double MAX_ALPHA = 0.44;
  private static final double MAX_BETA = 0.16;
  private static final double MAX_NZ = 7.5;
  private static final double MIN_NZ = -2.5;

  private final Aircraft aircraft;
  private final ControlLaws laws;
  private final Aircraft model;
  private final ControlLaws modelLaws;
  private final Aircraft markedAircraft;
  private final ControlLaws markedLaws;
  private long markedFrames;
  private long markedGustState;
  private double markedGustAlpha;
  private long frames;
  private long gustState = 1;
  private double gustAlpha;
  private long checksum;

  /**
   * Reads both tables and makes everything.
   *
   * @throws IOException if a table cannot be read
   */
  public FlightControl() throws IOException {
    Grid gains = Grid.read("gains.csv", ControlLaws.COLUMNS);
    Grid derivatives = Grid.read("derivatives.csv", Aircraft.COLUMNS);
    aircraft = new Aircraft(derivatives);
    laws = new ControlLaws(gains);
    model = new Aircraft(derivatives);
    modelLaws = new ControlLaws(gains);
    markedAircraft = new Aircraft(derivatives);
    markedLaws = new ControlLaws(gains);
    mark();
  }

  /** Marks this moment of the flight. */
  public void mark() {
    markedAircraft.copy(aircraft);
    markedLaws.copy(laws);
    markedFrames = frames;
    markedGustState = gustState;
    markedGustAlpha = gustAlpha;
  }

  /**
   * Goes back to the marked moment, the beginning if there is none, so that the next frame computes
   * the same again and takes as long, as far as it depends on the data.
   */
  public void rewind() {
    aircraft.copy(markedAircraft);
    laws.copy(markedLaws);
    frames = markedFrames;
    gustState = markedGustState;
    gustAlpha = markedGustAlpha;
    checksum = 0;
  }

  /** Computes one frame of 50 ms. */
  public void frame() {
    double time = frames * FRAME_S;
    // Pull and roll, let go, push and roll back: eight seconds, again and again.
    double phase = time - 8 * Math.floor(time / 8);
    double pitchStick = phase < 2.5 ? 0.9 : phase < 4 ? 0 : phase < 5.5 ? -0.35 : 0;
    double rollStick = phase < 1 ? 0.6 : phase < 4.5 ? 0 : phase < 5.5 ? -0.6 : 0;
    aircraft.mach = 0.6 + 0.2 * Aircraft.sin(time / 20);
    aircraft.altitudeM = 4_000 + 2_500 * Aircraft.sin(time / 31);
    aircraft.air();

    double share = protect(pitchStick, rollStick);
    for (double flown = 0; flown < FRAME_S - STEP_S / 2; flown += STEP_S) {
      gust();
      laws.step(aircraft, share * pitchStick, share * rollStick, STEP_S);
      aircraft.step(
          laws.elevator.position(),
          laws.aileron.position(),
          laws.rudder.position(),
          gustAlpha,
          STEP_S);
    }
    frames++;
    sum(share);
    sum(aircraft.alpha);
    sum(aircraft.rollRate);
    sum(laws.elevator.position());
  }

  /** The largest share of the command that keeps the aircraft inside its envelope. */
  private double protect(double pitchStick, double rollStick) {
    double best = 0;
    for (int candidate = 1; candidate <= CANDIDATES; candidate++) {
      double share = candidate / (double) CANDIDATES;
      if (staysInside(share * pitchStick, share * rollStick)) {
        best = share;
      }
    }
    return best;
  }

  /** Flies the model; to its end in any case, so that each frame takes as long. */
  private boolean staysInside(double pitchStick, double rollStick) {
    model.copy(aircraft);
    model.air();
    modelLaws.copy(laws);
    boolean inside = true;
    for (int i = 0; i < STEPS; i++) {
      modelLaws.step(model, pitchStick, rollStick, STEP_S);
      model.step(
          modelLaws.elevator.position(),
          modelLaws.aileron.position(),
          modelLaws.rudder.position(),
          0,
          STEP_S);
      inside &=
          model.alpha < MAX_ALPHA
              && Math.abs(model.beta) < MAX_BETA
              && model.loadFactor < MAX_NZ
              && model.loadFactor > MIN_NZ;
    }
    return inside;
  }

  /** Turbulence: noise through a lag. */
  private void gust() {
    gustState = gustState * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
    double noise = (gustState >> 11) * 0x1.0p-53;
    gustAlpha += 0.016 * (0.03 * noise - gustAlpha);
  }

  private void sum(double value) {
    checksum = Long.rotateLeft(checksum, 7) ^ Double.doubleToLongBits(value);
  }

  /** Returns a number that depends on all that was computed since the last {@link #rewind}. */
  public long checksum() {
    return checksum;
  }

  /** Returns how many frames were computed since the beginning. */
  public long frames() {
    return frames;
  }

  Aircraft aircraft() {
    return aircraft;
  }
}
