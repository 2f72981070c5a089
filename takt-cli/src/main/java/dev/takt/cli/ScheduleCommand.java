package dev.takt.cli;

import dev.takt.cli.report.Machine;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.ReportFile;
import dev.takt.cli.report.Result;
import dev.takt.cli.report.Terminal;
import dev.takt.cli.schedule.Drawing;
import dev.takt.cli.schedule.Judgement;
import dev.takt.cli.schedule.Patience;
import dev.takt.cli.schedule.TaskSetFile;
import dev.takt.cpu.admission.AdmissionControl;
import dev.takt.cpu.admission.AdmissionTest;
import dev.takt.cpu.analysis.Partition;
import dev.takt.cpu.analysis.ProcessorDemand;
import dev.takt.cpu.analysis.ResponseTimes;
import dev.takt.cpu.analysis.Sensitivity;
import dev.takt.cpu.analysis.TaskModel;
import dev.takt.cpu.analysis.Timeline;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.TimeText;
import dev.takt.safety.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Says whether a set of tasks meets its deadlines, on one processor or some, and draws which task
 * runs when.
 */
@Command(name = "schedule", sortOptions = false, mixinStandardHelpOptions = true)
final class ScheduleCommand implements Callable<Integer> {
  /** Which of the ready tasks runs. */
  enum Order {
    /** The most frequent one. */
    RATE,
    /** The one with the shortest deadline after its arrival. */
    DEADLINE,
    /** The first one in the file. */
    FILE,
    /** Earliest deadline first: the one whose deadline comes first. */
    EDF;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A search that goes on for longer is given up: 5 s. */
  private static final long SEARCH_NS = 5_000_000_000L;

  /** With more tasks it takes long to find by how much each may grow. */
  private static final int MAX_ROOM = 100;

  /**
   * Of a schedule with more releases in its hyperperiod, so many of the longest periods are drawn.
   */
  private static final int DRAWN_PERIODS = 4;

  private static final int MAX_DRAWN_RELEASES = 10_000;

  @Parameters(paramLabel = "FILE", description = "the tasks: JSON or CSV, see above")
  private Path file;

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      defaultValue = "deadline",
      description =
          "which task runs first: rate (the shortest period), deadline (the shortest deadline), file"
              + " (the first in the file), edf (the earliest deadline); ${DEFAULT-VALUE}")
  private Order order;

  @Option(
      names = "--cpus",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "how many processors there are, 1 to "
              + AdmissionControl.MAX_PROCESSORS
              + "; each task is placed on one and stays there; ${DEFAULT-VALUE}")
  private int cpus;

  @Option(
      names = "--alpha",
      paramLabel = "SHARE",
      defaultValue = "" + AdmissionTest.DEFAULT_ALPHA,
      description =
          "the share of a processor that the CPU manager gives to tasks, above 0, at most 1;"
              + " ${DEFAULT-VALUE}")
  private double alpha;

  @Option(
      names = "--extensum",
      paramLabel = "E",
      defaultValue = "1",
      description =
          "by how much more time than its cost the CPU manager gives a task, 1 to 1000;"
              + " ${DEFAULT-VALUE}")
  private double extensum;

  @Option(names = "--json", paramLabel = "FILE", description = "figures for scripts")
  private Path json;

  @Option(names = "--html", paramLabel = "FILE", description = "a page with the schedule as a plot")
  private Path html;

  @Spec private CommandSpec spec;

  private Patience placing;
  private Patience room;

  @Override
  public Integer call() {
    if (cpus < 1 || cpus > AdmissionControl.MAX_PROCESSORS) {
      throw new ParameterException(
          spec.commandLine(),
          "--cpus=%s (expected: 1 to %s)".formatted(cpus, AdmissionControl.MAX_PROCESSORS));
    }
    Judgement judgement = judgement();
    PrintWriter out = spec.commandLine().getOut();
    try {
      ReportFile.check(json, html);
      List<TaskModel> read = TaskSetFile.read(file);
      List<TaskModel> tasks = sorted(read);
      placing = new Patience(NanoClock.system(), SEARCH_NS);
      List<List<TaskModel>> placed = placed(tasks);
      room = new Patience(NanoClock.system(), SEARCH_NS);
      Terminal terminal = Terminal.ofStdout();
      Report report =
          new Report(
              "schedule", "Takt: the tasks of " + Printable.of(file.toString()), Machine.detect());
      report.withoutMeasurement().setting("order", order.toString()).setting("cpus", cpus);
      report.setting("alpha", alpha).setting("extensum", extensum);
      StringBuilder drawings = new StringBuilder();
      boolean fits = !placed.isEmpty();
      for (int i = 0; i < placed.size(); i++) {
        List<TaskModel> there = placed.get(i);
        if (!there.isEmpty()) {
          Timeline timeline = timeline(there);
          boolean fitsThere = addRows(report, there, i);
          report.add(Drawing.plot(there, timeline, cpus == 1 ? "" : " on processor " + i));
          drawings.append(cpus == 1 ? "" : "Processor " + i + ":\n");
          drawings.append(Drawing.of(there, timeline, terminal.width())).append('\n');
          fits &= fitsThere;
        }
      }
      describe(report, tasks, placed, fits);
      judgement.addDecisions(report, read, cpus);
      drawings.append(judgement.addBounds(report, placed));
      out.print(report.toTable(terminal, drawings.toString()));
      report.write(json, html);
      out.flush();
      return fits ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    } catch (IOException e) {
      spec.commandLine().getErr().println("takt schedule: " + CommandLines.reason(e));
      return CommandLine.ExitCode.USAGE;
    }
  }

  private Judgement judgement() {
    try {
      return new Judgement(extensum, alpha);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--" + e.getMessage(), e);
    }
  }

  /** Returns the tasks of each processor, first of highest priority; empty: there is no way. */
  private List<List<TaskModel>> placed(List<TaskModel> tasks) {
    if (cpus == 1) {
      return List.of(tasks);
    }
    return Partition.of(tasks, cpus, placing.within(this::fits))
        .map(found -> found.processors().stream().map(this::sorted).toList())
        .orElse(List.of());
  }

  private List<TaskModel> sorted(List<TaskModel> tasks) {
    Comparator<TaskModel> comparator =
        switch (order) {
          case RATE -> ResponseTimes.RATE_MONOTONIC;
          case DEADLINE, EDF -> ResponseTimes.DEADLINE_MONOTONIC;
          case FILE -> (a, b) -> 0;
        };
    return tasks.stream().sorted(comparator).toList();
  }

  private boolean fits(List<TaskModel> tasks) {
    return order == Order.EDF
        ? ProcessorDemand.areDeadlinesMet(tasks)
        : ResponseTimes.areDeadlinesMet(sorted(tasks));
  }

  /** Returns whether they fit, for a set that {@link #fits} may have given up. */
  private boolean fitsAtLeisure(List<TaskModel> sorted) {
    return order == Order.EDF
        ? ProcessorDemand.isSchedulable(sorted)
        : ResponseTimes.of(sorted).isSchedulable();
  }

  private Timeline timeline(List<TaskModel> tasks) {
    long endNs = drawnNs(tasks).orElse(shortenedNs(tasks));
    return order == Order.EDF
        ? Timeline.byDeadline(tasks, endNs)
        : Timeline.byPriority(tasks, endNs);
  }

  /** Returns the hyperperiod; empty: there is too much in it to be drawn. */
  private static OptionalLong drawnNs(List<TaskModel> tasks) {
    OptionalLong hyperperiodNs = Timeline.hyperperiodNs(tasks);
    long releases =
        tasks.stream().mapToLong(each -> hyperperiodNs.orElse(0) / each.periodNs()).sum();
    return releases > MAX_DRAWN_RELEASES ? OptionalLong.empty() : hyperperiodNs;
  }

  private static long shortenedNs(List<TaskModel> tasks) {
    long longestNs = tasks.stream().mapToLong(TaskModel::periodNs).max().orElseThrow();
    return Math.min(TaskModel.MAX_NS, DRAWN_PERIODS * longestNs);
  }

  /** Adds the tasks of a processor; returns whether they fit. */
  private boolean addRows(Report report, List<TaskModel> tasks, int processor) {
    boolean fitsSoon = fits(tasks);
    ResponseTimes times = order == Order.EDF ? null : ResponseTimes.of(tasks);
    for (int i = 0; i < tasks.size(); i++) {
      TaskModel task = tasks.get(i);
      Object response =
          times == null || times.responseNs(i) == ResponseTimes.UNBOUNDED
              ? "none"
              : times.responseNs(i);
      Result row =
          report.add(task.name(), times == null ? "1" : "ns", times == null ? "edf" : response);
      if (cpus > 1) {
        row.with("processor", processor);
      }
      row.with("deadline", TimeText.rounded(task.deadlineNs()));
      row.with("cost", TimeText.rounded(task.costNs()));
      row.with("period", TimeText.rounded(task.periodNs()));
      row.with("utilization_percent", 100 * task.utilization());
      if (fitsSoon && tasks.size() <= MAX_ROOM && !room.isLost()) {
        long mostNs =
            Sensitivity.maxCostNs(tasks, i, room.within(this::fits)).orElse(task.costNs());
        row.with(
            "room", room.isLost() ? "?" : TimeText.rounded(Math.max(0, mostNs - task.costNs())));
      }
    }
    return fitsSoon || fitsAtLeisure(tasks);
  }

  private void describe(
      Report report, List<TaskModel> tasks, List<List<TaskModel>> placed, boolean fits) {
    if (cpus == 1) {
      report.columns("deadline", "cost", "period", "utilization_percent", "room");
      ResponseTimes times = order == Order.EDF ? null : ResponseTimes.of(tasks);
      report.verdict(fits, verdict(tasks, times, timeline(tasks), fits));
    } else {
      report.columns("processor", "room", "deadline", "cost", "period", "utilization_percent");
      report.verdict(fits, placing(tasks, placed));
    }
    report.note(
        "The value is the response time at the worst, room is how much longer a task may run.");
    if (room.isLost()) {
      report.note("It takes too long to find out how much longer each task may run.");
    }
    if (placed.stream().anyMatch(each -> !each.isEmpty() && drawnNs(each).isEmpty())) {
      report.note("The drawing ends before the schedule repeats itself.");
    }
  }

  private String placing(List<TaskModel> tasks, List<List<TaskModel>> placed) {
    double utilization = tasks.stream().mapToDouble(TaskModel::utilization).sum();
    String figures =
        "%s tasks, utilization %.1f %% of %s processors"
            .formatted(tasks.size(), 100 * utilization / cpus, cpus);
    if (!placed.isEmpty()) {
      return "Schedulable on %s processors: all deadlines are met (%s)."
          .formatted(placed.stream().filter(each -> !each.isEmpty()).count(), figures);
    }
    if (placing.isLost()) {
      return "Not placed: it takes too long to find out whether each task has a place (%s)."
          .formatted(figures);
    }
    return tasks.size() <= Partition.MAX_EXACT
        ? "Not schedulable: there is no way to place each task on one processor (" + figures + ")."
        : "Not placed: the tasks of the highest utilization first, each on the first processor where"
            .concat(" it fits, one is left over (" + figures + "); another order may do.");
  }

  private String verdict(
      List<TaskModel> tasks, ResponseTimes times, Timeline timeline, boolean fits) {
    double utilization = tasks.stream().mapToDouble(TaskModel::utilization).sum();
    String figures =
        "%s %s, utilization %.1f %%"
            .formatted(tasks.size(), tasks.size() == 1 ? "task" : "tasks", 100 * utilization);
    if (fits) {
      return "Schedulable: all deadlines are met (" + figures + ").";
    }
    if (utilization > 1) {
      return "Not schedulable: the processor is overloaded (" + figures + ").";
    }
    if (times == null && !ProcessorDemand.of(tasks).isComplete()) {
      return "It takes too long to find out whether all deadlines are met (" + figures + ").";
    }
    StringBuilder text = new StringBuilder("Not schedulable (" + figures + ").");
    for (int i = 0; times != null && i < tasks.size(); i++) {
      if (!times.meets(i)) {
        text.append(' ').append(explained(tasks, times, i));
        break;
      }
    }
    if (times == null && !timeline.misses().isEmpty()) {
      Timeline.Miss first = timeline.misses().getFirst();
      text.append(
          " %s, arrived at %s, misses its deadline at %s."
              .formatted(
                  tasks.get(first.task()).name(),
                  TimeText.rounded(first.arrivalNs()),
                  TimeText.rounded(first.deadlineNs())));
    }
    return text.toString();
  }

  private String explained(List<TaskModel> tasks, ResponseTimes times, int task) {
    TaskModel model = tasks.get(task);
    Predicate<List<TaskModel>> fits = changed -> ResponseTimes.ofVerdict(changed).meets(task);
    OptionalLong cost = Sensitivity.maxCostNs(tasks, task, fits);
    long responseNs = times.responseNs(task);
    if (responseNs == ResponseTimes.UNBOUNDED && !times.isComplete()) {
      return "It takes too long to find out when " + model.name() + " ends.";
    }
    return "%s ends %s after its arrival at the worst, its deadline is %s%s."
        .formatted(
            model.name(),
            responseNs == ResponseTimes.UNBOUNDED ? "any time" : TimeText.rounded(responseNs),
            TimeText.rounded(model.deadlineNs()),
            cost.isPresent()
                ? "; it fits with a cost of " + TimeText.of(cost.getAsLong()) + " at most"
                : "; the tasks above it leave it no time");
  }
}
