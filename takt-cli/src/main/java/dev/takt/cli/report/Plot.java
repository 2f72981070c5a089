package dev.takt.cli.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * One plot of the HTML report: a histogram or percentile curves, a line chart of a scaling series,
 * or bars.
 *
 * <p><b>Thread rule:</b> not thread-safe.
 *
 * {@snippet :
 * report.add(Plot.histogram("Response time", "ns").histogram("seller", seller).histogram("buyer", buyer));
 * report.add(Plot.lines("Pair", "events", "ns").logX().series("takt", sizes, times));
 * report.add(Plot.bars("Takt and its peers", "ns").logY().bar("pair", "takt", 60).bar("pair", "peer", 9_000));
 * }
 */
public final class Plot {
  /**
   * How many steps a histogram has at least, if its values are no nearer to each other than they
   * can be recorded.
   */
  private static final int STEPS = 60;

  /**
   * The steps for each decade of the axis: fine enough for a shape, coarse enough for a smooth one.
   */
  private static final int MIN_STEPS_PER_DECADE = 20;

  private static final int MAX_STEPS_PER_DECADE = 200;

  /** Points of a percentile curve for each halving of the distance to 100 percent. */
  private static final int CURVE_STEPS = 4;

  private final String kind;
  private final Map<String, Object> members = new LinkedHashMap<>();
  private final List<Map<String, Object>> series = new ArrayList<>();
  private final List<String> groups = new ArrayList<>();
  private final List<Map<String, Object>> marks = new ArrayList<>();
  private final Map<String, List<List<Number>>> kinds = new HashMap<>();

  private Plot(String kind, String title, String xLabel, String yLabel) {
    this.kind = kind;
    members.put("kind", kind);
    members.put("title", Objects.requireNonNull(title, "title"));
    members.put("x", Objects.requireNonNull(xLabel, "xLabel"));
    members.put("y", Objects.requireNonNull(yLabel, "yLabel"));
    members.put("logX", false);
    members.put("logY", false);
    members.put("groups", groups);
    members.put("series", series);
    members.put("marks", marks);
  }

  /**
   * A histogram with both axes logarithmic; the label of the x axis includes its unit, such as
   * {@code ns}.
   */
  public static Plot histogram(String title, String unit) {
    return new Plot("histogram", title, unit, "count").logX().logY();
  }

  /**
   * Points joined by lines; both axes linear unless asked otherwise; the labels include the units.
   */
  public static Plot lines(String title, String xLabel, String yLabel) {
    return new Plot("lines", title, xLabel, yLabel);
  }

  /** Bars in groups; the label of the y axis is the unit. */
  public static Plot bars(String title, String unit) {
    return new Plot("bars", title, "", unit);
  }

  /** Makes the x axis logarithmic. */
  public Plot logX() {
    members.put("logX", true);
    return this;
  }

  /** Makes the y axis logarithmic. */
  public Plot logY() {
    members.put("logY", true);
    return this;
  }

  /**
   * Adds a recorded histogram, with its p50, p99 and maximum in the legend. An empty one is left
   * out. Several of them are drawn as percentile curves, which can be told apart; a single one as a
   * histogram.
   */
  public Plot histogram(String name, AbstractHistogram histogram) {
    require("histogram");
    if (histogram.getTotalCount() == 0) {
      return this;
    }
    double decades =
        Math.log10(histogram.getMaxValue() / (double) Math.max(1, histogram.getMinValue()));
    int density =
        (int)
            Math.clamp(STEPS / Math.max(decades, 1e-3), MIN_STEPS_PER_DECADE, MAX_STEPS_PER_DECADE);
    Map<Integer, Long> steps = new TreeMap<>();
    for (HistogramIterationValue each : histogram.recordedValues()) {
      // A zero has no place on a logarithmic axis; it goes into the step of 1.
      double value = Math.max(1, each.getValueIteratedTo());
      int step = (int) Math.floor(Math.log10(value) * density + 1e-9);
      steps.merge(step, each.getCountAddedInThisIterationStep(), Long::sum);
    }
    List<List<Number>> points = new ArrayList<>();
    int last = Integer.MIN_VALUE;
    for (Map.Entry<Integer, Long> each : steps.entrySet()) {
      if (last != Integer.MIN_VALUE && each.getKey() > last + 1) {
        points.add(List.of(edge(last + 1, density), 0));
      }
      points.add(List.of(edge(each.getKey(), density), each.getValue()));
      last = each.getKey();
    }
    points.add(List.of(edge(last + 1, density), 0));
    Map<String, Object> one = Json.object("name", name, "points", points);
    one.put("curve", curve(histogram));
    one.put("p50", histogram.getValueAtPercentile(50));
    one.put("p99", histogram.getValueAtPercentile(99));
    one.put("max", histogram.getMaxValue());
    series.add(one);
    return this;
  }

  /**
   * The percentile curve, as HdrHistogram's plots have it: to the right by {@code 1 / (1 -
   * percentile)}, so that each further nine is as wide as the one before; up by the value.
   */
  private static List<List<Number>> curve(AbstractHistogram histogram) {
    List<List<Number>> curve = new ArrayList<>();
    double last = 0;
    double most = histogram.getTotalCount();
    for (HistogramIterationValue each : histogram.percentiles(CURVE_STEPS)) {
      double part = each.getPercentileLevelIteratedTo() / 100;
      double x = part >= 1 ? most : Math.min(most, 1 / (1 - part));
      if (x > last || curve.isEmpty()) {
        curve.add(List.of(Result.rounded(x), Math.max(1, each.getValueIteratedTo())));
      }
      last = x;
    }
    return curve;
  }

  /**
   * Marks a value of the histograms with a line, such as the period.
   *
   * @param value in the unit of the plot, above 0
   */
  public Plot mark(String name, double value) {
    require("histogram");
    marks.add(Map.of("name", name, "value", Result.checked(name, value)));
    return this;
  }

  /** The left edge of a step on the axis. */
  private static double edge(int step, int density) {
    return Result.rounded(Math.pow(10, (double) step / density));
  }

  /**
   * Adds a line.
   *
   * @param name for the legend
   * @param x the positions, ascending
   * @param y one value for each position
   */
  public Plot series(String name, double[] x, double[] y) {
    require("lines");
    if (x.length != y.length) {
      throw new IllegalArgumentException(
          name + ": x has " + x.length + " values and y has " + y.length);
    }
    List<List<Number>> points = new ArrayList<>();
    for (int i = 0; i < x.length; i++) {
      Result.checked(name, x[i]);
      Result.checked(name, y[i]);
      points.add(List.of(x[i], y[i]));
    }
    series.add(Json.object("name", name, "points", points));
    return this;
  }

  /**
   * Adds a bar; bars of one group stand side by side, and bars of one kind have one colour, which
   * the legend names.
   *
   * @param group what is written below it
   * @param kind what the legend says
   * @param value its height; above 0 on a logarithmic axis
   */
  public Plot bar(String group, String kind, Number value) {
    require("bars");
    Result.checked(group, value);
    if (!groups.contains(group)) {
      groups.add(group);
    }
    kinds
        .computeIfAbsent(
            kind,
            name -> {
              List<List<Number>> bars = new ArrayList<>();
              series.add(Json.object("name", name, "points", bars));
              return bars;
            })
        .add(List.of(groups.indexOf(group), value));
    return this;
  }

  private void require(String kind) {
    if (!this.kind.equals(kind)) {
      throw new IllegalStateException(
          "a plot of " + this.kind + " cannot hold a series of " + kind);
    }
  }

  boolean isEmpty() {
    return series.isEmpty();
  }

  Map<String, Object> members() {
    return members;
  }
}
