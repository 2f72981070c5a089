package dev.takt.cpu;

import dev.takt.cpu.analysis.TaskModel;
import dev.takt.realtime.TimeText;
import dev.takt.realtime.internal.Ranges;

/**
 * A budget of processor time for threads that are no tasks, of what tasks leave to all others.
 *
 * <p><b>Purpose.</b> A server beside tasks is told whether the processors have room for it, before
 * it slows down all that is not a task.
 *
 * <p><b>Guarantees.</b> While it is admitted, what the tasks may take and what all budgets of the
 * manager have is no more than there is. It is no reservation: a plain thread has no real-time
 * policy, and shares its processors with all others, of other processes, too. Who exceeds it is
 * reported, once for each period, and not stopped.
 *
 * <p><b>What is left.</b> Where tasks have processors of their own, all others. Else of each
 * processor of tasks what alpha leaves ({@link ManagerSettings#withFactors}), also while there are
 * no tasks, and all other processors.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public final class PlainBudget implements AutoCloseable {
  /** The shortest period, in nanoseconds: 10 ms. */
  public static final long MIN_PERIOD_NS = 10_000_000;

  private final PlainBudgets budgets;
  private final String name;
  private final long budgetNs;
  private final long periodNs;
  private final String refusal;

  // With the lock of this.
  private boolean measured;
  private long beginNs;
  private long beginUsedNs;
  private long lastUsedNs;
  private long periodsExceeded;

  PlainBudget(PlainBudgets budgets, String name, long budgetNs, long periodNs, String refusal) {
    this.budgets = budgets;
    this.name = name;
    this.budgetNs = budgetNs;
    this.periodNs = periodNs;
    this.refusal = refusal;
  }

  static void check(long budgetNs, long periodNs) {
    Ranges.check("periodNs", periodNs, MIN_PERIOD_NS, TaskModel.MAX_NS);
    Ranges.check("budgetNs", budgetNs, 1, TaskModel.MAX_NS);
  }

  /** Returns how many processors it is, 0.5 for instance. */
  double processors() {
    return (double) budgetNs / periodNs;
  }

  /** Returns what the manager's events call it. */
  public String name() {
    return name;
  }

  /** Returns how much processor time the threads may take in each period, in nanoseconds. */
  public long budgetNs() {
    return budgetNs;
  }

  /** Returns the period, in nanoseconds. */
  public long periodNs() {
    return periodNs;
  }

  /** Returns whether there is room for it. */
  public boolean isAdmitted() {
    return refusal.isEmpty();
  }

  /** Returns why it is not admitted, and what would be; empty: it is. */
  public String reason() {
    return refusal;
  }

  /**
   * Tells how much processor time the threads have used so far, all together: to be called once in
   * each period or more often. A period ends with the first call after its time is over.
   *
   * @param totalNs since any moment that stays the same, in nanoseconds
   */
  public void used(long totalNs) {
    long nowNs = budgets.nowNs();
    long elapsedNs;
    long takenNs;
    synchronized (this) {
      elapsedNs = nowNs - beginNs;
      takenNs = totalNs - beginUsedNs;
      if (measured && elapsedNs < periodNs) {
        return;
      }
      boolean isFirst = !measured;
      measured = true;
      beginNs = nowNs;
      beginUsedNs = totalNs;
      if (isFirst) {
        return;
      }
      lastUsedNs = Math.round((double) takenNs * periodNs / elapsedNs);
      if (lastUsedNs <= budgetNs) {
        return;
      }
      periodsExceeded++;
    }
    budgets.report(
        name,
        ManagerEvent.Kind.NONCONFORMING,
        "its threads took %s in %s (limit: the budget, %s in %s)"
            .formatted(
                TimeText.rounded(takenNs),
                TimeText.rounded(elapsedNs),
                TimeText.of(budgetNs),
                TimeText.of(periodNs)));
  }

  /** Returns how much they took in the last full period, in nanoseconds; 0: none is over. */
  public synchronized long lastUsedNs() {
    return lastUsedNs;
  }

  /** Returns in how many periods they took more than the budget. */
  public synchronized long periodsExceeded() {
    return periodsExceeded;
  }

  /** Gives the budget back. Does nothing if that was done before. */
  @Override
  public void close() {
    budgets.remove(this);
  }
}
