package dev.takt.cli.schedule;

import dev.takt.cli.report.Plot;
import dev.takt.cpu.analysis.TaskModel;
import dev.takt.cpu.analysis.Timeline;
import dev.takt.realtime.TimeText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Draws who runs when: a row for each task, time from left to right. */
public final class Drawing {
  private static final int MAX_NAME = 20;
  private static final int MAX_ROWS = 40;

  /** So many columns of a terminal the shortest period has at least, if the longest fits, too. */
  private static final int MIN_COLUMNS = 4;

  /** In a plot each release is a step; more are not seen apart. */
  private static final int MAX_STEPS = 2_000;

  private Drawing() {}

  /**
   * Draws for a terminal: {@code #} where a task runs for half of a column at least, {@code +}
   * where it runs for less, {@code !} where it misses a deadline.
   */
  public static String of(List<TaskModel> tasks, Timeline timeline, int width) {
    int label = tasks.stream().mapToInt(each -> shortened(each).length()).max().orElse(0) + 2;
    int columns = Math.max(10, width - label);
    long endNs = Math.min(timeline.endNs(), readableNs(tasks, columns));
    double columnNs = (double) endNs / columns;
    StringBuilder text = new StringBuilder();
    for (int task = 0; task < Math.min(tasks.size(), MAX_ROWS); task++) {
      String name = shortened(tasks.get(task));
      text.append(name).append(" ".repeat(label - name.length()));
      text.append(row(task, timeline, columns, columnNs)).append('\n');
    }
    if (tasks.size() > MAX_ROWS) {
      text.append("... and ").append(tasks.size() - MAX_ROWS).append(" tasks more\n");
    }
    String end = TimeText.rounded(endNs);
    text.append(" ".repeat(label))
        .append('0')
        .append(" ".repeat(Math.max(1, columns - 1 - end.length())))
        .append(end)
        .append('\n');
    if (endNs < timeline.endNs()) {
      text.append("It goes on until ")
          .append(TimeText.rounded(timeline.endNs()))
          .append("; --html FILE draws all.\n");
    }
    return text.toString();
  }

  /** Returns how much of a timeline can be made out: the longest period once, at least. */
  private static long readableNs(List<TaskModel> tasks, int columns) {
    long shortestNs = tasks.stream().mapToLong(TaskModel::periodNs).min().orElseThrow();
    long longestNs = tasks.stream().mapToLong(TaskModel::periodNs).max().orElseThrow();
    return Math.max(longestNs, columns / MIN_COLUMNS * shortestNs);
  }

  private static String row(int task, Timeline timeline, int columns, double columnNs) {
    double[] runs = new double[columns];
    for (Timeline.Segment each : timeline.segments()) {
      if (each.task() == task) {
        add(each, runs, columnNs);
      }
    }
    char[] row = new char[columns];
    Arrays.setAll(runs, i -> runs[i] / columnNs);
    for (int i = 0; i < columns; i++) {
      row[i] = runs[i] >= 0.5 ? '#' : runs[i] > 0 ? '+' : '.';
    }
    for (Timeline.Miss each : timeline.misses()) {
      if (each.task() == task && each.deadlineNs() <= columns * columnNs) {
        row[(int) Math.min(columns - 1, each.deadlineNs() / columnNs)] = '!';
      }
    }
    return new String(row);
  }

  private static void add(Timeline.Segment segment, double[] runs, double columnNs) {
    int first = (int) (segment.fromNs() / columnNs);
    for (int i = first; i < runs.length && i * columnNs < segment.toNs(); i++) {
      double from = Math.max(segment.fromNs(), i * columnNs);
      runs[i] += Math.max(0, Math.min(segment.toNs(), (i + 1) * columnNs) - from);
    }
  }

  private static String shortened(TaskModel task) {
    String name = task.name();
    return name.length() <= MAX_NAME ? name : name.substring(0, MAX_NAME - 3) + "...";
  }

  /**
   * Draws for a page: a line for each task, which is up while it runs.
   *
   * @param where is a part of its title
   */
  public static Plot plot(List<TaskModel> tasks, Timeline timeline, String where) {
    Plot plot =
        Plot.lines("Who runs when" + where + ", from the critical instant on", "time (ms)", "task");
    List<Timeline.Segment> drawn =
        timeline.segments().subList(0, Math.min(MAX_STEPS, timeline.segments().size()));
    for (int task = 0; task < Math.min(tasks.size(), MAX_ROWS); task++) {
      List<double[]> points = new ArrayList<>();
      double down = tasks.size() - task - 1;
      points.add(new double[] {0, down});
      for (Timeline.Segment each : drawn) {
        if (each.task() == task) {
          points.add(new double[] {each.fromNs() / 1e6, down});
          points.add(new double[] {each.fromNs() / 1e6, down + 0.8});
          points.add(new double[] {each.toNs() / 1e6, down + 0.8});
          points.add(new double[] {each.toNs() / 1e6, down});
        }
      }
      plot.series(
          tasks.get(task).name(),
          points.stream().mapToDouble(point -> point[0]).toArray(),
          points.stream().mapToDouble(point -> point[1]).toArray());
    }
    return plot;
  }
}
