package dev.takt.persist;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a cycle costs, from the number of objects and their classes (Persistence 6): learned from
 * cycles that were measured on this machine, with the error that its own predictions have had.
 *
 * <pre>
 *   work   = objectNs * objects + byteNs * bytes          least squares over the last cycles
 *   worst  = work * (1 + error)                           error: the largest of the last predictions
 *   increments = worst / (targetPause - piece) + 2        piece: what one can be too long
 *   cycle  = increments * period + rest                   rest: begin, storage
 * </pre>
 *
 * <p>The two constants cannot be told apart while all cycles are of one kind; then one of them is 0
 * and the other one has all. Before the second cycle there is no prediction to compare, so the
 * {@linkplain #error error} is taken as 1: twice the work.
 *
 * <p>A choice of an increment ({@link #periodFor}, {@link #pauseFor}) goes into {@link
 * PersistenceTaskSettings#withIncrements}, and so to admission.
 *
 * <p><b>Thread rule:</b> immutable.
 */
public final class CostModel {
  /** How many cycles count: the last ones. */
  public static final int CYCLES = 16;

  /** An increment at the cut, which waits for releases, and one at the end. */
  private static final int MORE_INCREMENTS = 2;

  /** Knows nothing yet. */
  public static final CostModel EMPTY = new CostModel(List.of(), List.of());

  /**
   * What is to be stored.
   *
   * @param objects how many objects, at least 1
   * @param bytes how many bytes of the file they take, at least 1
   */
  public record Load(long objects, long bytes) {
    /** Checks that there is something. */
    public Load {
      if (objects < 1 || bytes < 1) {
        throw new IllegalArgumentException(
            "objects=%s, bytes=%s (expected: at least 1 of both)".formatted(objects, bytes));
      }
    }
  }

  /**
   * A cycle that was measured.
   *
   * @param load what it stored
   * @param classes of which classes that was
   * @param workNs all increments together, in nanoseconds, at least 1
   * @param pieceNs by how much an increment was longer than planned at most, in nanoseconds, but
   *     for those in which the thread did not run
   * @param restNs what the cycle took beyond its increments and their periods, in nanoseconds
   */
  public record Sample(
      Load load, List<CycleStats.OfClass> classes, long workNs, long pieceNs, long restNs) {
    /** Checks the times. */
    public Sample {
      classes = List.copyOf(classes);
      if (workNs < 1 || pieceNs < 0 || restNs < 0) {
        throw new IllegalArgumentException(
            "workNs=%s, pieceNs=%s, restNs=%s (expected: at least 1, 0, 0)"
                .formatted(workNs, pieceNs, restNs));
      }
    }
  }

  private final List<Sample> samples;
  private final List<Double> errors;
  private final double objectNs;
  private final double byteNs;

  private CostModel(List<Sample> samples, List<Double> errors) {
    this.samples = samples;
    this.errors = errors;
    double[] constants = fit(samples);
    this.objectNs = constants[0];
    this.byteNs = constants[1];
  }

  /** Returns a model that knows one more cycle, and how wrong this one was about it. */
  public CostModel with(Sample sample) {
    List<Double> more = new ArrayList<>(errors);
    if (!samples.isEmpty()) {
      double predictedNs = workNs(sample.load());
      more.add(Math.abs(predictedNs - sample.workNs()) / sample.workNs());
    }
    List<Sample> all = new ArrayList<>(samples);
    all.add(sample);
    return new CostModel(last(all), last(more));
  }

  /**
   * Returns a model that knows one more cycle, of a task.
   *
   * @param tookNs from its begin until its snapshot was safe
   * @param pieceNs as in {@link Sample}
   */
  CostModel with(CycleStats stats, long tookNs, PersistenceTaskSettings settings, long pieceNs) {
    long usefulNs = settings.targetPauseNs() - Math.min(pieceNs, settings.targetPauseNs() / 2);
    long incrementsNs = (stats.totalNs() / usefulNs + 1) * settings.periodNs();
    return with(
        new Sample(
            new Load(Math.max(1, stats.objects()), Math.max(1, stats.bytes())),
            stats.classes(),
            Math.max(1, stats.totalNs()),
            pieceNs,
            Math.max(0, tookNs - incrementsNs)));
  }

  private static <T> List<T> last(List<T> all) {
    return List.copyOf(all.subList(Math.max(0, all.size() - CYCLES), all.size()));
  }

  /** Least squares of the relative errors, neither constant negative. */
  private static double[] fit(List<Sample> samples) {
    double oo = 0;
    double ob = 0;
    double bb = 0;
    double o = 0;
    double b = 0;
    for (Sample each : samples) {
      double objects = (double) each.load().objects() / each.workNs();
      double bytes = (double) each.load().bytes() / each.workNs();
      oo += objects * objects;
      ob += objects * bytes;
      bb += bytes * bytes;
      o += objects;
      b += bytes;
    }
    if (samples.isEmpty()) {
      return new double[] {0, 0};
    }
    double determinant = oo * bb - ob * ob;
    if (determinant > 1e-6 * oo * bb) {
      double objectNs = (o * bb - b * ob) / determinant;
      double byteNs = (b * oo - o * ob) / determinant;
      if (objectNs >= 0 && byteNs >= 0) {
        return new double[] {objectNs, byteNs};
      }
    }
    // The residual is least where the part explained is largest.
    return o * o * bb >= b * b * oo ? new double[] {o / oo, 0} : new double[] {0, b / bb};
  }

  /** Returns how many cycles it knows, at most {@value #CYCLES}. */
  public int cycles() {
    return samples.size();
  }

  /** Returns what an object costs, in nanoseconds. */
  public double objectNs() {
    return objectNs;
  }

  /** Returns what a byte of the file costs, in nanoseconds. */
  public double byteNs() {
    return byteNs;
  }

  /**
   * Returns by which part of the truth the worst of its last predictions was wrong, each made
   * before the cycle was known; 1 while there is none.
   */
  public double error() {
    return errors.stream().mapToDouble(Double::doubleValue).max().orElse(1);
  }

  /** Returns by how much an increment can be longer than planned, in nanoseconds. */
  public long pieceNs() {
    return samples.stream().mapToLong(Sample::pieceNs).max().orElse(0);
  }

  private long restNs() {
    return samples.stream().mapToLong(Sample::restNs).max().orElse(0);
  }

  /**
   * Returns what objects of some classes are: each as long as those of its class were in the last
   * cycle that had some.
   *
   * @param counts how many objects of which class
   * @throws IllegalArgumentException if no cycle that it knows had objects of a class
   */
  public Load load(Map<Class<?>, Long> counts) {
    long objects = 0;
    double bytes = 0;
    for (Map.Entry<Class<?>, Long> each : counts.entrySet()) {
      objects += each.getValue();
      bytes += each.getValue() * bytesOf(each.getKey().getName());
    }
    return new Load(objects, (long) Math.ceil(bytes));
  }

  private double bytesOf(String name) {
    for (Sample sample : samples.reversed()) {
      for (CycleStats.OfClass each : sample.classes()) {
        if (each.name().equals(name)) {
          return (double) each.bytes() / each.objects();
        }
      }
    }
    throw new IllegalArgumentException(
        "class %s was in none of the last %s cycles; run a cycle that stores some objects of it first"
            .formatted(name, samples.size()));
  }

  /**
   * Returns how long all increments of a cycle take together, in nanoseconds: expected, not worst.
   * All that is worked out from it throws as this does.
   *
   * @throws IllegalStateException if it knows no cycle yet
   */
  public double workNs(Load load) {
    if (samples.isEmpty()) {
      throw new IllegalStateException(
          "nothing is known of cycles yet (cycles=0); run one, then ask PersistenceTask.costModel");
    }
    return objectNs * load.objects() + byteNs * load.bytes();
  }

  /** Returns the same with the error added: the worst case, as far as it is known. */
  public double worstWorkNs(Load load) {
    return workNs(load) * (1 + error());
  }

  /**
   * Returns how long an increment can be, in nanoseconds: its target, or more where a piece of work
   * takes longer than half of that.
   */
  public long worstPauseNs(long targetPauseNs) {
    return targetPauseNs - reserveNs(targetPauseNs) + pieceNs();
  }

  private long reserveNs(long targetPauseNs) {
    return Math.min(pieceNs(), targetPauseNs / 2);
  }

  /** Returns how many increments a cycle has at most. */
  public long increments(Load load, long targetPauseNs) {
    double usefulNs = targetPauseNs - reserveNs(targetPauseNs);
    return (long) Math.ceil(worstWorkNs(load) / usefulNs) + MORE_INCREMENTS;
  }

  /** Returns how long a cycle takes at most, in nanoseconds. */
  public long cycleNs(Load load, long targetPauseNs, long periodNs) {
    return increments(load, targetPauseNs) * periodNs + restNs();
  }

  /**
   * Returns the longest period with which increments of a pause end a cycle in time.
   *
   * @param load what is to be stored
   * @param targetPauseNs the target of an increment, in nanoseconds
   * @param cycleNs how long a cycle may take, in nanoseconds
   * @throws IllegalArgumentException if even increments one after the other take longer
   */
  public long periodFor(Load load, long targetPauseNs, long cycleNs) {
    long increments = increments(load, targetPauseNs);
    long periodNs = (cycleNs - restNs()) / increments;
    if (periodNs < targetPauseNs) {
      throw tooShort(load, cycleNs, "targetPauseNs=" + targetPauseNs);
    }
    return periodNs;
  }

  /**
   * Returns the shortest target pause with which increments of a period end a cycle in time.
   *
   * @param periodNs the period of the increments, in nanoseconds
   * @throws IllegalArgumentException if even increments as long as the period take longer
   */
  public long pauseFor(Load load, long periodNs, long cycleNs) {
    long low = PersistenceTaskSettings.MIN_TARGET_PAUSE_NS;
    long high = periodNs;
    if (high < low || cycleNs(load, high, periodNs) > cycleNs) {
      throw tooShort(load, cycleNs, "periodNs=" + periodNs);
    }
    while (low < high) {
      long middle = low + (high - low) / 2;
      if (cycleNs(load, middle, periodNs) <= cycleNs) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return high;
  }

  private IllegalArgumentException tooShort(Load load, long cycleNs, String increments) {
    return new IllegalArgumentException(
        ("cycleNs=%s is too short for objects=%s, bytes=%s with %s: the increments take %.0f ns at"
                + " most, the rest %s ns; give cycles more time")
            .formatted(
                cycleNs, load.objects(), load.bytes(), increments, worstWorkNs(load), restNs()));
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%.1f ns an object, %.2f ns a byte, error %.0f %% of %d cycles, a piece %d ns, rest %d ns",
        objectNs,
        byteNs,
        100 * error(),
        samples.size(),
        pieceNs(),
        restNs());
  }
}
