package dev.takt.realtime.counters;

import java.util.Locale;

/**
 * A number of a row. Counts only grow while the source lives.
 *
 * <p><b>Thread rule:</b> immutable.
 */
public enum Figure {
  /** The time between two releases, in nanoseconds; 0: it has none. */
  PERIOD_NS("time between two releases, ns; 0: it has none"),
  /** By when a release must have ended, in nanoseconds; 0: no deadline. */
  DEADLINE_NS("time from when a release is due to its deadline, ns; 0: none"),
  /** Processor time of a release, in nanoseconds; 0: no limit. */
  BUDGET_NS("processor time that a release may take, ns; 0: no limit"),
  /** The worst-case execution time that it is admitted with, in nanoseconds. */
  COST_NS("worst-case execution time that it is admitted with, ns"),
  /** Cost divided by period, in millionths of a processor. */
  UTILIZATION_PPM("cost divided by period, millionths of a processor"),
  /** More is more urgent. */
  PRIORITY("priority; more is more urgent"),
  /** The index of a processor among those of the manager. */
  PROCESSOR("index of its processor among those of the CPU manager"),
  /** Releases begun. */
  RELEASES("releases begun"),
  /** Releases, or transactions of a space, that committed. */
  COMMITS("releases (of a space: transactions) that committed"),
  /** Releases, or transactions of a space, that lost a conflict. */
  CONFLICTS("releases (of a space: transactions) that lost a conflict"),
  /** Releases, or transactions of a space, that aborted. */
  ABORTS("releases (of a space: transactions) that aborted"),
  /** Releases that an exception or a limit ended; of persistence: cycles that failed. */
  FAILURES("releases that an exception or a limit ended (of persistence: cycles that failed)"),
  /** Releases that began late. */
  LATE_STARTS("releases that began a period or more late"),
  /** Releases that ended past their deadline. */
  MISSES("releases that ended past their deadline"),
  /** Periods without a release, because their time was over. */
  SKIPPED("periods without a release because their time was over"),
  /** Releases that took more processor time than their budget or cost. */
  OVERRUNS("releases that took more processor time than their budget or cost"),
  /** Events in the space. */
  EVENTS("events in the space"),
  /** The most events in the space. */
  CAPACITY("most events in the space"),
  /** Subscriptions to the space. */
  SUBSCRIPTIONS("subscriptions"),
  /** Tasks of the runtime, manager or processor. */
  TASKS("tasks"),
  /** Threads for passive tasks. */
  WORKERS("threads for passive tasks"),
  /** Processors of the manager. */
  PROCESSORS("processors for tasks"),
  /** How often the supervisor has looked. */
  LOOKS("looks of the supervisor"),
  /** Tasks admitted so far. */
  ADMITTED("tasks admitted so far with a cost that was known or measured"),
  /** Tasks admitted for a trial so far. */
  TRIALS("tasks admitted for a trial so far"),
  /** Tasks rejected so far. */
  REJECTED("tasks rejected so far"),
  /** Tasks displaced so far. */
  DISPLACED("tasks displaced so far"),
  /** Tasks demoted so far. */
  DEMOTED("tasks demoted so far"),
  /** Tasks dropped so far. */
  DROPPED("tasks dropped so far"),
  /** The factor E of the admission, in millionths. */
  EXTENSUM_PPM("factor E of the admission, millionths"),
  /** The share of each processor that tasks may take, in millionths. */
  ALPHA_PPM("alpha: share of each processor that tasks may take, millionths"),
  /** What admitted tasks take of a processor, with the factor E, in millionths. */
  SHARE_PPM("share of the processor that its tasks take, with E, millionths"),
  /** Persistence cycles that have left a snapshot. */
  CYCLES("persistence cycles that have left a snapshot"),
  /** The number of the snapshot that was made last; 0: none. */
  GENERATION("number of the snapshot that was made last; 0: none"),
  /** Objects that the present persistence cycle has found, or the last one. */
  OBJECTS("objects that the present persistence cycle has found, or the last one"),
  /** The length of the last snapshot. */
  BYTES("length of the last snapshot, bytes"),
  /** From the begin of the last cycle until its snapshot was safe, in nanoseconds. */
  CYCLE_NS("from the begin of the last cycle until its snapshot was safe, ns"),
  /** Increments of persistence cycles. */
  INCREMENTS("increments of persistence cycles"),
  /** How long an increment is to be at most, in nanoseconds. */
  TARGET_PAUSE_NS("how long an increment is to be at most, ns"),
  /** The longest increment, in nanoseconds. */
  MAX_PAUSE_NS("longest increment, ns"),
  /** Increments that were longer than that. */
  OVER_TARGET("increments that were longer than that");

  private final String description;

  Figure(String description) {
    this.description = description;
  }

  /** Returns what it is, for people. */
  public String description() {
    return description;
  }

  /** Returns its name in JSON: {@code period_ns}. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
