package dev.takt.cpu;

import dev.takt.cpu.analysis.TaskModel;
import dev.takt.realtime.TimeText;
import dev.takt.realtime.internal.Names;
import dev.takt.realtime.internal.Ranges;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the tasks of an application may have. Source: CPU control 2.2.
 *
 * @param name for messages
 * @param rank a task of a higher rank may displace one of a lower, if its class {@code displaces}
 * @param maxCostNs the longest execution time of a release, in nanoseconds, 1 to {@link
 *     TaskModel#MAX_NS}
 * @param maxPeriodNs the longest period, in nanoseconds, 1 to {@link TaskModel#MAX_NS}: a rare task
 *     with a long cost delays all others for as long
 * @param maxShare the largest part of a processor that one task may take, above 0, at most 1
 * @param displaces whether its tasks may displace those of a lower rank
 * @param onOverrun what is done with a task that exceeds its cost
 * @param graceNs by how much a release may exceed its cost before that is done, in nanoseconds, 0
 *     to {@link TaskModel#MAX_NS}; the first 20 releases, which load classes, may exceed it by 20
 *     ms more
 */
public record AuthenticationClass(
    String name,
    int rank,
    long maxCostNs,
    long maxPeriodNs,
    double maxShare,
    boolean displaces,
    OverrunPolicy onOverrun,
    long graceNs) {
  /** The usual grace: 5 ms. A collection of the heap is not taken for an overrun. */
  public static final long DEFAULT_GRACE_NS = 5_000_000;

  /** For tasks that nothing is said about: half a processor at most; an overrun demotes. */
  public static final AuthenticationClass DEFAULT =
      new AuthenticationClass(
          "default",
          0,
          TaskModel.MAX_NS,
          TaskModel.MAX_NS,
          0.5,
          false,
          OverrunPolicy.DEMOTE,
          DEFAULT_GRACE_NS);

  /** Checks each value. */
  public AuthenticationClass {
    Names.check("a class", Objects.requireNonNull(name, "name"));
    Objects.requireNonNull(onOverrun, "onOverrun");
    Ranges.check("maxCostNs", maxCostNs, 1, TaskModel.MAX_NS);
    Ranges.check("maxPeriodNs", maxPeriodNs, 1, TaskModel.MAX_NS);
    Ranges.check("graceNs", graceNs, 0, TaskModel.MAX_NS);
    if (!(maxShare > 0 && maxShare <= 1)) {
      throw new IllegalArgumentException(
          "maxShare=" + maxShare + " (expected: above 0, at most 1)");
    }
  }

  /** Returns this, with another policy. */
  public AuthenticationClass withOnOverrun(OverrunPolicy onOverrun) {
    return new AuthenticationClass(
        name, rank, maxCostNs, maxPeriodNs, maxShare, displaces, onOverrun, graceNs);
  }

  /** Returns this, with another grace. */
  public AuthenticationClass withGraceNs(long graceNs) {
    return new AuthenticationClass(
        name, rank, maxCostNs, maxPeriodNs, maxShare, displaces, onOverrun, graceNs);
  }

  /** Returns the longest time that a release of a task with a period may take. */
  long maxCostNs(long periodNs) {
    return Math.max(1, Math.min(maxCostNs, (long) (maxShare * periodNs)));
  }

  /** Returns why a task must not be as it is; null: it may. */
  @Nullable String refusal(Profile profile) {
    if (profile.periodNs() < Profile.MIN_PERIOD_NS) {
      return "a period of %s (limit: %s at least; do more in each release, and less often)"
          .formatted(TimeText.of(profile.periodNs()), TimeText.of(Profile.MIN_PERIOD_NS));
    }
    if (profile.periodNs() > maxPeriodNs) {
      return "a period of %s (limit of class %s: %s; shorten the period, or use another class)"
          .formatted(TimeText.of(profile.periodNs()), name, TimeText.of(maxPeriodNs));
    }
    long limitNs = maxCostNs(profile.periodNs());
    if (profile.budgetNs() > limitNs) {
      return ("a budget of %s (limit of class %s with that period: %s; do less in a release, or use"
              + " another class)")
          .formatted(TimeText.of(profile.budgetNs()), name, TimeText.of(limitNs));
    }
    return null;
  }
}
