package dev.takt.reflex;

import dev.takt.realtime.Aperiodic;
import dev.takt.realtime.Continuous;
import dev.takt.realtime.Periodic;
import dev.takt.realtime.ReleaseEngine;
import dev.takt.realtime.ReleaseOutcome;
import dev.takt.realtime.ReleaseParameters;
import dev.takt.realtime.Sporadic;
import dev.takt.realtime.counters.CounterRows;
import dev.takt.realtime.counters.CounterSource;
import dev.takt.realtime.counters.Counters;
import dev.takt.realtime.counters.Figure;
import dev.takt.realtime.counters.RowKind;
import dev.takt.realtime.counters.RowText;
import java.util.Arrays;
import java.util.Locale;

/**
 * What others can see of a runtime without asking it: its tasks and its space, for {@code takt top}
 * and the MBeans. It reads what the tasks have counted anyway.
 *
 * <p><b>Thread rule:</b> any thread.
 */
final class RuntimeCounters implements CounterSource {
  private static final String[] STATES = states();

  private final ReflexRuntime runtime;

  /** The first {@link #size} are tasks; replaced by a longer one when it is full. */
  private volatile TaskRunner[] tasks = new TaskRunner[8];

  private volatile int size;

  RuntimeCounters(ReflexRuntime runtime) {
    this.runtime = runtime;
  }

  /** Whether anybody is to see it; a runtime that a test drives has no time of this machine. */
  private boolean isPublished() {
    return runtime.settings().counters() && !runtime.driven;
  }

  /** Adds a task; one thread at a time. */
  void add(TaskRunner task) {
    int added = size;
    if (added == tasks.length) {
      tasks = Arrays.copyOf(tasks, 2 * added);
    }
    tasks[added] = task;
    size = added + 1; // after the task is there
  }

  /** Shows the runtime from now on. */
  void begin() {
    if (isPublished()) {
      Counters.ofThisJvm().add(this);
      if (runtime.isStopped()) { // meanwhile: nobody may end this again
        end();
      }
    }
  }

  /** Shows it no more. */
  void end() {
    if (isPublished()) {
      Counters.ofThisJvm().remove(this);
    }
  }

  @Override
  public RowKind kind() {
    return RowKind.RUNTIME;
  }

  @Override
  public void copyTo(CounterRows rows, String owner) {
    int count = size;
    TaskRunner[] all = tasks; // as long as the size that was read, at least
    rows.add(RowKind.RUNTIME, owner, owner)
        .set(RowText.STATE, STATES[runtime.life.phase().ordinal()])
        .set(Figure.TASKS, count)
        .set(Figure.WORKERS, runtime.settings().workers());
    SpaceCounters.copyTo(rows, owner, runtime.space());
    for (int i = 0; i < count; i++) {
      copyTask(rows, owner, all[i]);
    }
  }

  private static void copyTask(CounterRows rows, String owner, TaskRunner task) {
    ReleaseParameters parameters = task.parameters();
    ReleaseEngine releases = task.releases;
    rows.addShared(RowKind.TASK, owner, task.name(), task)
        .set(RowText.TYPE, task instanceof ActiveRunner ? "active" : "passive")
        .set(RowText.STATE, state(task))
        .set(Figure.PERIOD_NS, periodNs(parameters))
        .set(Figure.DEADLINE_NS, parameters.deadlineNs())
        .set(Figure.BUDGET_NS, parameters.budgetNs())
        .set(Figure.PRIORITY, task.priority())
        // Releases are read last, so that a look never shows more endings than beginnings.
        .set(Figure.COMMITS, task.commits())
        .set(Figure.CONFLICTS, releases.count(ReleaseOutcome.CONFLICT))
        .set(Figure.ABORTS, releases.count(ReleaseOutcome.ABORTED))
        .set(Figure.FAILURES, task.failed())
        .set(Figure.LATE_STARTS, releases.lateStarts())
        .set(Figure.MISSES, releases.misses())
        .set(Figure.SKIPPED, releases.skipped())
        .set(Figure.OVERRUNS, releases.overruns())
        .set(Figure.RELEASES, releases.releases());
  }

  private static String state(TaskRunner task) {
    return task.isStopped() ? "stopped" : task.isQuarantined() ? "quarantined" : "runs";
  }

  private static long periodNs(ReleaseParameters parameters) {
    return switch (parameters) {
      case Periodic periodic -> periodic.periodNs();
      case Sporadic sporadic -> sporadic.minInterarrivalNs();
      case Aperiodic _, Continuous _ -> 0;
    };
  }

  private static String[] states() {
    RuntimePhase.Phase[] phases = RuntimePhase.Phase.values();
    String[] states = new String[phases.length];
    for (int i = 0; i < states.length; i++) {
      states[i] = phases[i].name().toLowerCase(Locale.ROOT);
    }
    return states;
  }
}
