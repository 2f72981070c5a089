package dev.takt.cpu;

import dev.takt.cpu.admission.AdmissionControl;
import dev.takt.cpu.analysis.TaskModel;

/**
 * What a task could ask for in place of its profile: another cost or period, within what its class
 * allows, so that it is admitted if it asks for what it was told would fit.
 *
 * @param costNs the cost that it asks for now
 * @param isServer whether it is analysed as a deferrable server
 */
record ProfileAlternatives(Profile profile, long costNs, boolean isServer)
    implements AdmissionControl.Alternatives {
  @Override
  public TaskModel withCostNs(long costNs) {
    return profile.model(costNs, isServer);
  }

  /**
   * A deadline that is the period goes with it. What has no budget has a trial with another period,
   * which needs room for twice the least trial.
   */
  @Override
  public TaskModel withPeriodNs(long periodNs) {
    long deadlineNs = profile.deadlineNs() == profile.periodNs() ? periodNs : profile.deadlineNs();
    Profile other =
        new Profile(
            profile.name(), periodNs, deadlineNs, profile.budgetNs(), profile.authentication());
    long leastNs = 2 * Math.ceilDiv(periodNs, (long) ManagedTasks.LEAST_TRIAL_SHARE);
    return other.model(
        profile.budgetNs() != 0 ? costNs : Math.min(other.trialCostNs(), leastNs), isServer);
  }

  @Override
  public long maxCostNs() {
    return profile.authentication().maxCostNs(profile.periodNs());
  }

  @Override
  public long maxPeriodNs() {
    long mostNs = isServer ? TaskModel.MAX_NS / 3 : TaskModel.MAX_NS; // its deadline is 3 T - C
    return Math.min(mostNs, profile.authentication().maxPeriodNs());
  }
}
