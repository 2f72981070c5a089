package dev.takt.cpu;

import dev.takt.cpu.analysis.TaskModel;
import dev.takt.realtime.Periodic;
import dev.takt.realtime.internal.Names;
import dev.takt.realtime.internal.Ranges;
import java.util.Objects;

/**
 * What a task asks for. Source: CPU control 2.
 *
 * @param name its name, different from those of the others that are admitted or displaced; not
 *     blank, without control characters
 * @param periodNs the time between two releases, in nanoseconds, 1 to {@link TaskModel#MAX_NS};
 *     less than {@link #MIN_PERIOD_NS} is refused
 * @param deadlineNs by when a release must have ended, after it was due, in nanoseconds, 1 to
 *     {@link TaskModel#MAX_NS}
 * @param budgetNs the processor time of a release, in nanoseconds, 1 to {@link TaskModel#MAX_NS};
 *     0: it is measured, in a trial
 * @param authentication its class
 */
public record Profile(
    String name,
    long periodNs,
    long deadlineNs,
    long budgetNs,
    AuthenticationClass authentication) {
  /**
   * The shortest period that is admitted: 100 us in nanoseconds. What a release takes outside of
   * its code, some 7 us, is in no analysis; with shorter periods it would be more than what is left
   * to others.
   */
  public static final long MIN_PERIOD_NS = 100_000;

  /** Checks each value. */
  public Profile {
    Objects.requireNonNull(authentication, "authentication");
    Names.check("a task", Objects.requireNonNull(name, "name"));
    Ranges.check("budgetNs", budgetNs, 0, TaskModel.MAX_NS);
    TaskModel.of(name, budgetNs == 0 ? 1 : budgetNs, periodNs, deadlineNs); // checks the others
  }

  /** Makes one with the period as deadline, without a budget, in the default class. */
  public static Profile of(String name, long periodNs) {
    return new Profile(name, periodNs, periodNs, 0, AuthenticationClass.DEFAULT);
  }

  /** Returns this, with a deadline. */
  public Profile withDeadlineNs(long deadlineNs) {
    return new Profile(name, periodNs, deadlineNs, budgetNs, authentication);
  }

  /** Returns this, with a budget. */
  public Profile withBudgetNs(long budgetNs) {
    return new Profile(name, periodNs, deadlineNs, budgetNs, authentication);
  }

  /** Returns this, in a class. */
  public Profile in(AuthenticationClass authentication) {
    return new Profile(name, periodNs, deadlineNs, budgetNs, authentication);
  }

  /** Returns the cost that it is admitted with: its budget, or in a trial what its class allows. */
  long trialCostNs() {
    return budgetNs != 0 ? budgetNs : authentication.maxCostNs(periodNs);
  }

  /** Returns this, with another name. */
  Profile named(String name) {
    return new Profile(name, periodNs, deadlineNs, budgetNs, authentication);
  }

  TaskModel model(long costNs) {
    return TaskModel.of(name, costNs, periodNs, deadlineNs);
  }

  /** Returns the model of this, or of a deferrable server that has it as budget. */
  TaskModel model(long costNs, boolean isServer) {
    return isServer ? TaskModel.deferrableServer(name, costNs, periodNs) : model(costNs);
  }

  Periodic release() {
    return Periodic.ofNs(periodNs).withDeadlineNs(deadlineNs);
  }
}
