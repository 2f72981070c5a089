package dev.takt.cli.schedule;

import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import dev.takt.cpu.admission.AdmissionControl;
import dev.takt.cpu.admission.AdmissionTest;
import dev.takt.cpu.admission.AdmissionTest.Kind;
import dev.takt.cpu.admission.Decision;
import dev.takt.cpu.analysis.TaskModel;
import dev.takt.cpu.analysis.UtilizationBounds;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the CPU manager would decide about tasks with each of its schedulers, and which of the
 * bounds they pass. Source: CPU control 2.1.
 *
 * @param extensum E, by how much more time than its cost each task is given
 * @param alpha the share of each processor that tasks may take together
 */
public record Judgement(double extensum, double alpha) {
  private static final Map<String, Kind> SCHEDULERS = new LinkedHashMap<>();

  static {
    SCHEDULERS.put("fixed-priority", Kind.RESPONSE_TIMES);
    SCHEDULERS.put("portable", Kind.NON_PREEMPTIVE);
    SCHEDULERS.put("deadline", Kind.DEMAND);
  }

  /**
   * Checks both factors.
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public Judgement {
    UtilizationBounds.checkFactors(extensum, alpha);
  }

  /**
   * Adds what the CPU manager would decide with each scheduler: a sentence for all that decide the
   * same for the same reason, and the rows of {@code decisions}.
   *
   * @param tasks the tasks in the order in which they are registered
   */
  public void addDecisions(Report report, List<TaskModel> tasks, int cpus) {
    List<Map<String, Object>> rows = new ArrayList<>();
    Map<String, List<String>> schedulersOf = new LinkedHashMap<>();
    SCHEDULERS.forEach(
        (scheduler, kind) -> {
          Optional<String> refusal = refusal(kind, tasks, cpus);
          String outcome = refusal.map(why -> "refuse " + why + ".").orElse("admit all tasks.");
          schedulersOf.computeIfAbsent(outcome, _ -> new ArrayList<>()).add(scheduler);
          Map<String, Object> row = new LinkedHashMap<>();
          row.put("scheduler", scheduler);
          row.put("alpha", alpha);
          row.put("extensum", extensum);
          row.put("admitted", refusal.isEmpty());
          row.put("reason", refusal.orElse(""));
          rows.add(row);
        });
    schedulersOf.forEach(
        (outcome, schedulers) ->
            report.note(
                "The CPU manager (%s, alpha %s, E %s) would %s"
                    .formatted(
                        String.join(", ", schedulers), plain(alpha), plain(extensum), outcome)));
    report.put("decisions", rows);
  }

  /** Returns a factor with the digits that were given. */
  private static String plain(double factor) {
    return BigDecimal.valueOf(factor).stripTrailingZeros().toPlainString();
  }

  /** Returns the first task that is refused, and why; empty: all are admitted. */
  private Optional<String> refusal(Kind kind, List<TaskModel> tasks, int cpus) {
    AdmissionTest test = new AdmissionTest(kind, extensum, alpha);
    if (test.passes(tasks)) {
      return Optional.empty();
    }
    AdmissionControl control = new AdmissionControl(test, cpus);
    for (TaskModel each : tasks) {
      Decision decision = control.admit(each, 0, false);
      if (!decision.isAdmitted()) {
        return Optional.of(each.name() + ": " + decision.reason());
      }
    }
    return Optional.empty();
  }

  /**
   * Adds the bounds of the tasks of each processor as rows of {@code bounds}, and returns them as
   * lines for a terminal.
   *
   * @param there the tasks of each processor; one without tasks has no rows
   */
  public String addBounds(Report report, List<List<TaskModel>> there) {
    List<Map<String, Object>> rows = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < there.size(); i++) {
      List<TaskModel> tasks = there.get(i);
      if (!tasks.isEmpty()) {
        text.append("Bounds").append(there.size() == 1 ? "" : " on processor " + i);
        text.append(", which look at utilizations alone:\n");
        for (Bound each : bounds(tasks)) {
          Map<String, Object> row = new LinkedHashMap<>();
          row.put("bound", each.name());
          row.put("processor", i);
          row.put("value", Result.rounded(each.value()));
          row.put("limit", Result.rounded(each.limit()));
          row.put("passed", each.passed());
          rows.add(row);
          text.append(
              "  %-13s %8.3f  limit %.3f  %s\n"
                  .formatted(each.name(), each.value(), each.limit(), each.passed()));
        }
        text.append('\n');
      }
    }
    report.put("bounds", rows);
    return text.toString();
  }

  private record Bound(String name, double value, double limit, boolean passes, boolean within) {
    /** A bound says nothing about tasks with short deadlines, jitter, blocking or suspension. */
    String passed() {
      return passes ? "passed" : within ? "does not apply to these tasks" : "not passed";
    }
  }

  private List<Bound> bounds(List<TaskModel> tasks) {
    double utilization = tasks.stream().mapToDouble(TaskModel::utilization).sum();
    double product =
        tasks.stream().mapToDouble(each -> each.utilization() + 1).reduce(1, (a, b) -> a * b);
    double liuLayland = UtilizationBounds.liuLayland(tasks.size());
    double extended = UtilizationBounds.extendedUtilization(tasks, extensum);
    return List.of(
        new Bound(
            "Liu-Layland",
            utilization,
            liuLayland,
            UtilizationBounds.passLiuLayland(tasks),
            utilization <= liuLayland),
        new Bound("hyperbolic", product, 2, UtilizationBounds.passHyperbolic(tasks), product <= 2),
        new Bound(
            "extended",
            extended,
            alpha * liuLayland,
            new AdmissionTest(Kind.EXTENDED_BOUND, extensum, alpha).passes(tasks),
            extended < alpha * liuLayland));
  }
}
