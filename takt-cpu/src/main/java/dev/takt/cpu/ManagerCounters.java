package dev.takt.cpu;

import dev.takt.cpu.admission.AdmissionControl;
import dev.takt.cpu.cost.CostBound;
import dev.takt.realtime.SingleWriterCounters;
import dev.takt.realtime.Supervised;
import dev.takt.realtime.counters.CounterRows;
import dev.takt.realtime.counters.CounterSource;
import dev.takt.realtime.counters.Counters;
import dev.takt.realtime.counters.Figure;
import dev.takt.realtime.counters.RowKind;
import dev.takt.realtime.counters.RowText;
import dev.takt.realtime.flight.TaktEvents;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What others can see of a CPU manager without asking it: its tasks, its processors and what it has
 * decided, for {@code takt top}, the MBeans and the Flight Recorder. It never takes the manager's
 * lock.
 *
 * <p><b>Thread rule:</b> {@link #looked}: the supervisor's thread; {@link #copyTo}: one thread at a
 * time; the rest: any thread.
 */
final class ManagerCounters implements CounterSource {
  private static final double MILLION = 1e6;
  private static final int MAX_DROPPED = 64;
  private static final String[] STATES = lowerCase(ManagedTask.State.values());

  private final List<ManagedTask> tasks;
  private final ManagerSettings settings;
  private final AdmissionControl control;

  /**
   * The last tasks that were dropped, which the manager no longer has when they have ended; those
   * that nobody else knows any more are not kept alive.
   */
  private final List<WeakReference<ManagedTask>> dropped = new CopyOnWriteArrayList<>();

  private final SingleWriterCounters looks = new SingleWriterCounters(1);
  private final AtomicLongArray kinds = new AtomicLongArray(ManagerEvent.Kind.values().length);

  // Of the thread that copies.
  private final double[] shares;
  private final long[] tasksOf;
  private final String[] processors;

  ManagerCounters(List<ManagedTask> tasks, ManagerSettings settings, AdmissionControl control) {
    this.tasks = tasks;
    this.settings = settings;
    this.control = control;
    shares = new double[control.processors()];
    tasksOf = new long[shares.length];
    processors = new String[shares.length];
    Arrays.setAll(processors, this::nameOf);
  }

  /** Of several that stand for any processor each has a number, because beans have names. */
  private String nameOf(int processor) {
    if (settings.cpus() != null) {
      return settings.cpu(processor).toString();
    }
    return processors.length == 1 ? "any" : "any " + (processor + 1);
  }

  private static String[] lowerCase(Enum<?>[] constants) {
    return Arrays.stream(constants).map(ManagerCounters::lowerCase).toArray(String[]::new);
  }

  private static String lowerCase(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** Shows the manager from now on. */
  void begin() {
    if (settings.counters()) {
      Counters.ofThisJvm().add(this);
    }
  }

  /** Shows it no more. */
  void end() {
    if (settings.counters()) {
      Counters.ofThisJvm().remove(this);
    }
  }

  /** Counts a look of the supervisor. */
  void looked() {
    looks.add(0, 1);
  }

  /** Counts what the manager reports, and tells the Flight Recorder. */
  void reported(ManagedTask task, ManagerEvent.Kind kind, String detail) {
    kinds.incrementAndGet(kind.ordinal());
    if (settings.isRehearsal()) {
      return;
    }
    String name = task.name();
    switch (kind) {
      case ADMITTED, TRIAL, SERVED, BEST_EFFORT, REJECTED ->
          TaktEvents.admission(
              name,
              task.profile().authentication().name(),
              lowerCase(kind),
              task.costNs(),
              task.profile().periodNs(),
              detail);
      case DEMOTED, DISPLACED -> TaktEvents.demotion(name, lowerCase(kind), detail);
      case DROPPED, UNSTOPPABLE -> {
        keep(task);
        TaktEvents.drop(name, kind == ManagerEvent.Kind.DROPPED, detail);
      }
      default -> {} // an overrun is told where it is measured
    }
  }

  private synchronized void keep(ManagedTask task) {
    dropped.add(new WeakReference<>(task));
    if (dropped.size() > MAX_DROPPED) {
      dropped.removeFirst();
    }
  }

  private long count(ManagerEvent.Kind kind) {
    return kinds.get(kind.ordinal());
  }

  @Override
  public RowKind kind() {
    return RowKind.CPU_MANAGER;
  }

  @Override
  public void copyTo(CounterRows rows, String owner) {
    double extensum = control.test().extensum();
    Arrays.fill(shares, 0);
    Arrays.fill(tasksOf, 0);
    long count = 0;
    for (ManagedTask each : tasks) {
      copyTask(rows, owner, each);
      count++;
      if (each.state().isAdmitted()) {
        shares[each.decision().processor()] += utilization(each) * extensum;
        tasksOf[each.decision().processor()]++;
      }
    }
    for (WeakReference<ManagedTask> each : dropped) {
      ManagedTask task = each.get();
      if (task != null && !tasks.contains(task)) {
        copyTask(rows, owner, task);
      }
    }
    rows.add(RowKind.CPU_MANAGER, owner, owner)
        .set(Figure.PROCESSORS, shares.length)
        .set(Figure.TASKS, count)
        .set(Figure.LOOKS, looks.get(0))
        .set(Figure.ADMITTED, count(ManagerEvent.Kind.ADMITTED))
        .set(Figure.TRIALS, count(ManagerEvent.Kind.TRIAL))
        .set(Figure.REJECTED, count(ManagerEvent.Kind.REJECTED))
        .set(Figure.DISPLACED, count(ManagerEvent.Kind.DISPLACED))
        .set(Figure.OVERRUNS, count(ManagerEvent.Kind.OVERRUN))
        .set(Figure.DEMOTED, count(ManagerEvent.Kind.DEMOTED))
        .set(
            Figure.DROPPED, count(ManagerEvent.Kind.DROPPED) + count(ManagerEvent.Kind.UNSTOPPABLE))
        .set(Figure.EXTENSUM_PPM, Math.round(extensum * MILLION))
        .set(Figure.ALPHA_PPM, Math.round(control.test().alpha() * MILLION));
    for (int i = 0; i < shares.length; i++) {
      rows.add(RowKind.PROCESSOR, owner, processors[i])
          .set(Figure.PROCESSOR, i)
          .set(Figure.TASKS, tasksOf[i])
          .set(Figure.SHARE_PPM, Math.round(shares[i] * MILLION));
    }
  }

  private static double utilization(ManagedTask task) {
    return (double) task.costNs() / task.profile().periodNs();
  }

  private static void copyTask(CounterRows rows, String owner, ManagedTask task) {
    Supervised subject = task.subject();
    Profile profile = task.profile();
    ManagedTask.State state = task.state();
    rows.addShared(RowKind.TASK, owner, task.name(), subject)
        .set(RowText.CLASS, profile.authentication().name())
        .complete(Figure.PERIOD_NS, profile.periodNs())
        .complete(Figure.DEADLINE_NS, profile.deadlineNs())
        .complete(Figure.BUDGET_NS, profile.budgetNs())
        .raise(Figure.OVERRUNS, task.overruns());
    if (state != ManagedTask.State.BEST_EFFORT) {
      rows.set(RowText.BASIS, basis(task)).set(Figure.COST_NS, task.costNs());
    }
    if (state.isAdmitted()) { // those that are served are part of their server
      rows.set(Figure.UTILIZATION_PPM, Math.round(utilization(task) * MILLION))
          .set(Figure.PROCESSOR, task.decision().processor());
    }
    if (subject instanceof RunnableTask.Control plain) {
      plain.copyTo(rows);
    } else if (task.isServer) {
      rows.set(RowText.TYPE, "server");
    }
    if (state == ManagedTask.State.ADMITTED) {
      rows.complete(RowText.STATE, STATES[state.ordinal()]); // what its runtime says tells more
    } else {
      rows.set(RowText.STATE, STATES[state.ordinal()]);
    }
  }

  /** Returns what the cost of a task comes from. */
  private static String basis(ManagedTask task) {
    CostBound measured = task.measured();
    return measured != null && measured.boundNs() == task.costNs()
        ? "measured"
        : task.profile().budgetNs() != 0 ? "budget" : "class";
  }
}
