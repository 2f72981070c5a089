package dev.takt.cpu;

import dev.takt.realtime.TimeText;
import dev.takt.realtime.os.CpuSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The budgets of threads that are no tasks: together no more than tasks leave.
 *
 * <p><b>Thread rule:</b> any thread; it takes no lock of the manager's.
 */
final class PlainBudgets {
  /** Shares are fractions, so that three thirds may be a little more than one. */
  private static final double ROUNDING = 1e-9;

  private final ManagedTasks tasks;
  private final ManagerSettings settings;
  private final ProcessorsApart places;
  private final List<PlainBudget> admitted = new ArrayList<>();

  PlainBudgets(ManagedTasks tasks, ManagerSettings settings, ProcessorsApart places) {
    this.tasks = tasks;
    this.settings = settings;
    this.places = places;
  }

  PlainBudget admit(String name, long budgetNs, long periodNs) {
    PlainBudget.check(budgetNs, periodNs);
    String refusal;
    PlainBudget budget;
    synchronized (this) {
      refusal = refusal((double) budgetNs / periodNs, periodNs);
      budget = new PlainBudget(this, name, budgetNs, periodNs, refusal);
      if (refusal.isEmpty()) {
        admitted.add(budget);
      }
    }
    report(
        name, refusal.isEmpty() ? ManagerEvent.Kind.ADMITTED : ManagerEvent.Kind.REJECTED, refusal);
    return budget;
  }

  private String refusal(double asked, long periodNs) {
    double given = admitted.stream().mapToDouble(PlainBudget::processors).sum();
    CpuSet apart = places.housekeeping();
    double left = apart == null ? leftByAlpha() : apart.size();
    if (given + asked <= left + ROUNDING) {
      return "";
    }
    long fittingNs = (long) ((left - given + ROUNDING) * periodNs);
    return String.format(
        Locale.ROOT,
        "it asks for %.2f processors, tasks leave %.2f (%s), and other budgets have %.2f of these;"
            + " %s",
        asked,
        left,
        apart == null
            ? String.format(
                Locale.ROOT,
                "they may take %.0f %% of each of their %d of %d",
                settings.alpha() * 100,
                tasks.control().processors(),
                processors())
            : "processors " + apart,
        given,
        fittingNs <= 0
            ? "nothing more fits: close another budget, or lower alpha"
            : "it would fit with a budget of %s in %s at most"
                .formatted(TimeText.of(fittingNs), TimeText.of(periodNs)));
  }

  private double leftByAlpha() {
    return processors() - tasks.control().processors() * settings.alpha();
  }

  /** Returns how many processors this process may use, those of tasks included. */
  private int processors() {
    CpuSet usable = settings.system().processCpus();
    return Math.max(
        tasks.control().processors(),
        usable == null ? Runtime.getRuntime().availableProcessors() : usable.size());
  }

  void remove(PlainBudget budget) {
    boolean was;
    synchronized (this) {
      was = admitted.remove(budget);
    }
    if (was) {
      report(budget.name(), ManagerEvent.Kind.ENDED, "");
    }
  }

  long nowNs() {
    return settings.clock().nanoTime();
  }

  void report(String name, ManagerEvent.Kind kind, String detail) {
    tasks.report(name, kind, detail);
  }
}
