package dev.takt.bench;

import dev.takt.cli.report.Plot;
import dev.takt.cli.report.Result;
import java.util.ArrayList;
import java.util.List;

/** The points of one line of a plot. */
final class Series {
  private final List<Double> x = new ArrayList<>();
  private final List<Double> y = new ArrayList<>();

  void add(double position, Result result) {
    add(position, ((Number) result.value()).doubleValue());
  }

  void add(double position, double value) {
    x.add(position);
    y.add(value);
  }

  /** Adds the line to a plot, if it has any point. */
  Plot addTo(Plot plot, String name) {
    return x.isEmpty() ? plot : plot.series(name, array(x), array(y));
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
