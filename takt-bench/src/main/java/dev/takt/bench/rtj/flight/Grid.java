package dev.takt.bench.rtj.flight;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A table of several columns over two variables, with bilinear interpolation between its points and
 * its edge beyond them. {@link #locate} finds the place, {@link #value} reads one column there.
 *
 * <p>The file has comments ({@code #}), a line with the names of the columns, and one line of
 * numbers for each point; the first column ascends, and for each of its values the second one goes
 * through the same ascending values.
 *
 * <p><b>Thread rule:</b> one thread. Looking up allocates nothing.
 */
final class Grid {
  private final double[] xs;
  private final double[] ys;
  private final int columns;
  private final double[] values;

  private int lowerLeft;
  private double xShare;
  private double yShare;

  private Grid(double[] xs, double[] ys, int columns, double[] values) {
    this.xs = xs;
    this.ys = ys;
    this.columns = columns;
    this.values = values;
  }

  /**
   * Reads a file.
   *
   * @param name the file's name, beside this class
   * @param columns how many columns it is to have beside the two variables
   */
  static Grid read(String name, int columns) throws IOException {
    try (InputStream in = Grid.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("there is no table " + name);
      }
      return parse(
          name, columns, new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)));
    }
  }

  static Grid parse(String name, int columns, BufferedReader reader) throws IOException {
    List<double[]> rows = new ArrayList<>();
    boolean named = false;
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      if (line.startsWith("#")) {
        continue;
      }
      String[] cells = line.split(",");
      if (cells.length != columns + 2) {
        throw new IOException(
            name + ": " + cells.length + " columns (expected: " + (columns + 2) + ") in: " + line);
      }
      if (named) {
        rows.add(Arrays.stream(cells).mapToDouble(Double::parseDouble).toArray());
      }
      named = true;
    }
    return of(name, columns, rows);
  }

  private static Grid of(String name, int columns, List<double[]> rows) throws IOException {
    double[] xs = rows.stream().mapToDouble(row -> row[0]).distinct().toArray();
    double[] ys = rows.stream().mapToDouble(row -> row[1]).distinct().toArray();
    if (xs.length < 2 || ys.length < 2 || rows.size() != xs.length * ys.length) {
      throw new IOException(
          name + ": " + rows.size() + " points are no grid of " + xs.length + " by " + ys.length);
    }
    double[] values = new double[rows.size() * columns];
    for (int i = 0; i < rows.size(); i++) {
      double[] row = rows.get(i);
      if (row[0] != xs[i / ys.length] || row[1] != ys[i % ys.length]) {
        throw new IOException(name + ": point " + (i + 1) + " is out of order");
      }
      System.arraycopy(row, 2, values, i * columns, columns);
    }
    return new Grid(xs, ys, columns, values);
  }

  /** Goes to a place; beyond the edge, to the edge. */
  void locate(double x, double y) {
    int xIndex = below(xs, x);
    int yIndex = below(ys, y);
    xShare = Math.clamp((x - xs[xIndex]) / (xs[xIndex + 1] - xs[xIndex]), 0, 1);
    yShare = Math.clamp((y - ys[yIndex]) / (ys[yIndex + 1] - ys[yIndex]), 0, 1);
    lowerLeft = (xIndex * ys.length + yIndex) * columns;
  }

  /** Returns a column's value at the place that was located last. */
  double value(int column) {
    int at = lowerLeft + column;
    int right = at + ys.length * columns;
    double low = values[at] + yShare * (values[at + columns] - values[at]);
    double high = values[right] + yShare * (values[right + columns] - values[right]);
    return low + xShare * (high - low);
  }

  private static int below(double[] points, double value) {
    int low = 0;
    int high = points.length - 2;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (points[middle] <= value) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
