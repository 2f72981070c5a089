package dev.takt.cpu;

import dev.takt.cpu.ManagedTask.State;
import dev.takt.cpu.admission.AdmissionControl;
import dev.takt.cpu.cost.CostBound;

/**
 * Makes a bound of measured releases, and hands it to the admission: the end of a trial, and drift
 * later on.
 *
 * <p><b>Thread rule:</b> the supervisor's thread, with the manager's lock.
 *
 * <p>Source: CPU control 2.4.
 */
final class CostLearning {
  private final CpuManager manager;
  private final AdmissionControl control;
  private final double probability;

  CostLearning(CpuManager manager, AdmissionControl control, double probability) {
    this.manager = manager;
    this.control = control;
    this.probability = probability;
  }

  void learn(ManagedTask task) {
    CostBound bound = CostBound.of(task.samples.take(), probability);
    task.measured(bound);
    manager.report(task, ManagerEvent.Kind.MEASURED, bound.toString());
    if (!task.state().isAdmitted()) {
      return;
    }
    long limitNs = task.profile().trialCostNs();
    if (task.state() == State.TRIAL && bound.boundNs() <= limitNs) {
      control.changeCost(task.name(), Math.max(1, bound.boundNs()));
      task.admittedWith(Math.max(1, bound.boundNs()));
      task.become(State.ADMITTED);
      manager.report(task, ManagerEvent.Kind.ADMITTED, "with a cost of " + task.costNs() + " ns");
      manager.schedule();
    } else if (bound.boundNs() > task.costNs()) {
      drifted(task, bound, limitNs);
    }
  }

  private void drifted(ManagedTask task, CostBound bound, long limitNs) {
    boolean fits = bound.boundNs() <= limitNs && control.changeCost(task.name(), bound.boundNs());
    if (fits) {
      task.admittedWith(bound.boundNs());
      manager.schedule();
    }
    manager.report(
        task,
        ManagerEvent.Kind.DRIFTED,
        "%s; %s"
            .formatted(
                bound,
                fits ? "it fits" : "it keeps its cost of " + task.costNs() + " ns, and its class"));
  }
}
