package dev.takt.bench.rtj.area;

import dev.takt.rtsj.memory.MemoryArea;
import dev.takt.rtsj.memory.MemoryView;

/**
 * 3.4.2: how long an operation takes while an area is the current one. Time stamps are taken before
 * and after each operation. Its operand is read from memory of the area, and its result is written
 * there.
 *
 * <p>One operation is shorter than a time stamp takes, so a sample is of {@link #REPEATS} ones, one
 * needing the other's result.
 *
 * <p><b>Thread rule.</b> One thread.
 */
public final class AreaThroughput {
  /** How many operations make a sample. */
  public static final int REPEATS = 1_000;

  /** What is done. */
  public enum Operation {
    /** "Divide by 2" (the paper's row Float). */
    DIVISION("division"),
    /** "Log of 5" (the paper's row Trig). */
    LOGARITHM("logarithm"),
    /** Only the loop. */
    NOTHING("no-operation");

    private final String title;

    Operation(String title) {
      this.title = title;
    }

    /** Returns its name in reports. */
    public String title() {
      return title;
    }
  }

  private final MemoryArea area;
  private final Operation operation;
  private final MemoryView view = new MemoryView();
  private final Runnable inside = this::operate;
  private long[] samplesNs = {};

  /**
   * Prepares the measurement.
   *
   * @param area where; 16 bytes of it are used in each frame
   * @param operation what is done
   */
  public AreaThroughput(MemoryArea area, Operation operation) {
    this.area = area;
    this.operation = operation;
  }

  /**
   * Enters the area, operates, and leaves.
   *
   * @param samplesNs filled with the time of {@link #REPEATS} operations each
   */
  public void frame(long[] samplesNs) {
    this.samplesNs = samplesNs;
    area.enter(inside);
  }

  private void operate() {
    area.allocate(view, 16, 8);
    view.putDouble(0, 5);
    for (int i = 0; i < samplesNs.length; i++) {
      long beforeNs = System.nanoTime();
      double result =
          switch (operation) {
            case DIVISION -> divide(view.getDouble(0));
            case LOGARITHM -> logarithm(view.getDouble(0));
            case NOTHING -> nothing(view.getDouble(0));
          };
      view.putDouble(8, result);
      samplesNs[i] = System.nanoTime() - beforeNs;
    }
  }

  private static double divide(double operand) {
    double value = operand;
    for (int i = 0; i < REPEATS; i++) {
      value = value / 2 + 1;
    }
    return value;
  }

  private static double logarithm(double operand) {
    double value = operand;
    for (int i = 0; i < REPEATS; i++) {
      value = Math.log(value) + operand;
    }
    return value;
  }

  private static double nothing(double operand) {
    double value = operand;
    for (int i = 0; i < REPEATS; i++) {
      value = value + 1;
    }
    return value;
  }
}
