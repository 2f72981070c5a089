package dev.takt.cpu;

import dev.takt.cpu.cost.Conformance;
import dev.takt.cpu.cost.CostBound;
import dev.takt.realtime.Supervised;
import dev.takt.realtime.TimeText;
import org.jspecify.annotations.Nullable;

/**
 * Makes a bound of measured releases, and decides what it means for the task: the end of a trial,
 * and drift later on.
 *
 * <pre>
 *   samples full --&gt; too many releases over the cost, or late? --yes--&gt; NONCONFORMING, by its class:
 *        |                                                              count, demote, drop
 *        no
 *        +--&gt; in a trial: its cost is the bound, but no more than what its class allows
 *        +--&gt; later: a bound {@value #DRIFT} above the cost is asked for; DRIFTED, with the answer
 * </pre>
 *
 * <p>The largest of what was measured is within the cost that the class allows, but for a few, when
 * a trial ends well; a bound beyond that is an extrapolation, and the class has the last word: what
 * exceeds it is an overrun.
 *
 * <p>Bounds that are learned again and again of the same costs differ by chance. So a cost is
 * changed, and drift is reported, only for what is {@value #DRIFT} above, a share, of the cost or
 * of what was reported last; a cost that creeps goes beyond that in the end, since it is compared
 * with the one of the admission. It is never lowered: see {@link CostSamples} for what may come
 * back.
 *
 * <p><b>Thread rule:</b> one thread, the upkeep's. It sorts without the manager's lock, and decides
 * with it.
 *
 * <p>Source: CPU control 2.4.
 */
final class CostLearning {
  /** By how much a bound is above the cost before it is drift. */
  static final double DRIFT = 0.05;

  private final ManagedTasks tasks;
  private final Supervisor.Findings findings;
  private final double probability;
  private final @Nullable CostStore store;

  CostLearning(ManagedTasks tasks, Supervisor.Findings findings, double probability) {
    this.tasks = tasks;
    this.findings = findings;
    this.probability = probability;
    this.store = tasks.store();
  }

  /** Learns of all whose samples are full; these stay as they are until then. */
  void learnAll() {
    for (ManagedTask each : tasks.all()) {
      if (each.samples.full() && each.state().isSupervised()) {
        learn(each);
      }
    }
  }

  void learn(ManagedTask task) {
    CostSamples.Taken taken = task.samples.take();
    CostBound wall = CostBound.of(taken.wallsNs(), probability);
    CostBound bound = CostBound.of(taken.costsNs(), probability);
    if (bound.basis() == CostBound.Basis.COARSE
        && (bound.maxNs() == 0 || wall.boundNs() < bound.boundNs())) {
      bound = wall; // a release has no more of the processor than of the time
    }
    CostBound learned = bound;
    tasks.locked(
        () -> {
          learned(task, taken, learned, wall);
          return task;
        });
  }

  private void learned(ManagedTask task, CostSamples.Taken taken, CostBound bound, CostBound wall) {
    task.measured(bound, wall);
    tasks.report(
        task,
        ManagerEvent.Kind.MEASURED,
        "%s; from begin to end %s on average, %s at most"
            .formatted(bound, TimeText.rounded(wall.averageNs()), TimeText.of(wall.maxNs())));
    if (task.state().isAdmitted()) {
      boolean trial = task.state() == ManagedTask.State.TRIAL;
      long limitNs = trial ? task.costNs() : task.profile().trialCostNs();
      Conformance conformance = Conformance.of(taken.costsNs(), limitNs, taken.late());
      decide(task, bound, conformance, limitNs);
      if (store != null) {
        store.keep(task, conformance.conforms());
      }
    }
  }

  private void decide(ManagedTask task, CostBound bound, Conformance conformance, long limitNs) {
    boolean trial = task.state() == ManagedTask.State.TRIAL;
    if (!conformance.conforms()) {
      nonconforming(task, conformance, limitNs);
      return;
    }
    if (trial) {
      admitted(task, Math.clamp(bound.boundNs(), 1, limitNs));
    } else if (bound.boundNs() > task.costNs() * (1 + DRIFT)
        && bound.boundNs() > task.driftedToNs * (1 + DRIFT)) {
      drifted(task, bound, limitNs);
    }
  }

  private void nonconforming(ManagedTask task, Conformance conformance, long limitNs) {
    String reason =
        "it does not keep to its %s: %s; cost %s, deadline %s"
            .formatted(
                conformance.keepsCost() ? "period" : "cost",
                conformance,
                TimeText.of(limitNs),
                TimeText.of(task.profile().deadlineNs()));
    tasks.report(task, ManagerEvent.Kind.NONCONFORMING, reason);
    Supervised subject = task.subject();
    boolean stays = task.profile().authentication().onOverrun() == OverrunPolicy.COUNT;
    if (subject != null && !stays) {
      findings.demote(task, subject);
      findings.exceeded(task, subject, reason);
    } else if (task.state() == ManagedTask.State.TRIAL) {
      admitted(task, limitNs);
    }
  }

  /** Ends a trial, with a cost that is not above what it had in it. */
  private void admitted(ManagedTask task, long costNs) {
    tasks.control().changeCost(task.name(), costNs);
    task.admittedWith(costNs);
    task.become(ManagedTask.State.ADMITTED);
    tasks.report(task, ManagerEvent.Kind.ADMITTED, "with a cost of " + TimeText.of(task.costNs()));
    tasks.schedule();
    tasks.readmit();
  }

  private void drifted(ManagedTask task, CostBound bound, long limitNs) {
    boolean fits =
        bound.boundNs() <= limitNs && tasks.control().changeCost(task.name(), bound.boundNs());
    task.driftedToNs = bound.boundNs();
    if (fits) {
      task.admittedWith(bound.boundNs());
      tasks.schedule();
    }
    tasks.report(
        task,
        ManagerEvent.Kind.DRIFTED,
        "%s; %s"
            .formatted(
                bound,
                fits
                    ? "it fits"
                    : "it keeps its cost of " + TimeText.of(task.costNs()) + ", and its class"));
  }
}
