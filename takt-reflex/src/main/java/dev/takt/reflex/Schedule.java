package dev.takt.reflex;

import dev.takt.realtime.Aperiodic;
import dev.takt.realtime.Continuous;
import dev.takt.realtime.LeadBounds;
import dev.takt.realtime.Periodic;
import dev.takt.realtime.ReleaseParameters;
import dev.takt.realtime.internal.Ranges;
import java.util.Objects;

/**
 * When a task is released, what is expected of a release, and how urgent it is.
 *
 * @param release {@link Periodic} or {@link Continuous} for an active task, {@link Aperiodic} for a
 *     passive one, of which the queue capacity has no meaning: the events wait in the space
 * @param priority the priority, {@link ReflexRuntime#MIN_PRIORITY} (lowest) to {@link
 *     ReflexRuntime#MAX_PRIORITY}
 * @param lead how long before a release its thread wakes, and how much of the time it may spin;
 *     without meaning for a passive task
 * @param bestEffort whether it wants no guarantee: then an {@link dev.takt.realtime.Admission}
 *     counts no share for it, and cannot refuse it, and it takes nothing from others: it has the
 *     lowest priority, whatever {@code priority} is, and a thread of its own has no real-time
 *     policy
 */
public record Schedule(
    ReleaseParameters release, int priority, LeadBounds lead, boolean bestEffort) {
  /** The default priority. */
  public static final int DEFAULT_PRIORITY = 10;

  /** Checks each value. */
  public Schedule {
    Objects.requireNonNull(release, "release");
    Objects.requireNonNull(lead, "lead");
    Ranges.check("priority", priority, ReflexRuntime.MIN_PRIORITY, ReflexRuntime.MAX_PRIORITY);
  }

  /** Makes one of a task that wants to meet its deadlines. */
  public Schedule(ReleaseParameters release, int priority, LeadBounds lead) {
    this(release, priority, lead, false);
  }

  /** Checks that it is one of an active task (released by time), or of a passive one. */
  void requireActive(boolean active) {
    boolean byTime = release instanceof Periodic || release instanceof Continuous;
    if (active ? !byTime : !(release instanceof Aperiodic)) {
      throw new IllegalArgumentException(
          "release=%s (expected: %s)"
              .formatted(
                  release,
                  active
                      ? "Periodic or Continuous; or register the task as passive"
                      : "Aperiodic; or register the task as active"));
    }
  }

  /** Returns a schedule with the {@linkplain #DEFAULT_PRIORITY default priority}. */
  public static Schedule of(ReleaseParameters release) {
    return new Schedule(release, DEFAULT_PRIORITY, LeadBounds.DEFAULTS);
  }

  /** Returns the schedule of an active task with a release in every period, due at its end. */
  public static Schedule periodic(long periodNs) {
    return of(Periodic.ofNs(periodNs));
  }

  /** Returns the schedule of an active task without any sleep between releases. */
  public static Schedule continuous() {
    return of(Continuous.UNLIMITED);
  }

  /** Returns the schedule of a passive task, without deadline and budget. */
  public static Schedule onMatch() {
    return of(Aperiodic.ofCapacity(1));
  }

  /** Returns this schedule with another priority. */
  public Schedule priority(int priority) {
    return new Schedule(release, priority, lead, bestEffort);
  }

  /** Returns this schedule, of a task that wants no guarantee. */
  public Schedule asBestEffort() {
    return new Schedule(release, priority, lead, true);
  }

  /** Returns this schedule with another deadline. */
  public Schedule deadlineNs(long deadlineNs) {
    return new Schedule(release.withDeadlineNs(deadlineNs), priority, lead, bestEffort);
  }

  /** Returns this schedule with another budget: so much processor time a release may take. */
  public Schedule budgetNs(long budgetNs) {
    return new Schedule(release.withBudgetNs(budgetNs), priority, lead, bestEffort);
  }

  /** Returns this schedule with other bounds of the lead. */
  public Schedule lead(LeadBounds lead) {
    return new Schedule(release, priority, lead, bestEffort);
  }
}
