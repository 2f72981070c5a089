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
  /** Releases that an exception or a limit ended; cycles of persistence, items of a stage. */
  FAILURES("releases that an exception or a limit ended (cycles, items of a stage: that failed)"),
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
  /** The most events in the space, or items in the queue of a stage. */
  CAPACITY("most events in the space (of a stage: items in its queue)"),
  /** Subscriptions to the space. */
  SUBSCRIPTIONS("subscriptions"),
  /** Tasks of the runtime, manager or processor. */
  TASKS("tasks"),
  /** Threads for passive tasks; of a stage: threads or sessions. */
  WORKERS("threads for passive tasks (of a stage: threads or sessions)"),
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
  OVER_TARGET("increments that were longer than that"),
  /** Items in the queue of a stage. */
  QUEUED("items in the queue"),
  /** Items that handlers of a stage have. */
  HANDLING("items that handlers have"),
  /** The most items that a stage may have to meet its target. */
  LIMIT("most items, queued and with handlers, by which the target is met"),
  /** Items of a stage, or connections, that were accepted. */
  ACCEPTED("items (of a listener: connections) accepted"),
  /** Items refused because the target would not be met. */
  SHED("items refused because the target would not be met"),
  /** Items refused because the queue was full. */
  FULL("items refused because the queue was full"),
  /** Items handled. */
  HANDLED("items handled"),
  /** Items given back when the stage was stopped. */
  GIVEN_BACK("items given back when the stage was stopped"),
  /** Callers that wait for room in a stage. */
  WAITING("callers that wait for room"),
  /** Workers that are in a handler. */
  BUSY("workers that are in a handler"),
  /** Items accepted in a second, in the last 5 to 10. */
  ACCEPTED_PER_S("items accepted in a second, of the last 5 to 10 s"),
  /** Median time from acceptance to the handler, in nanoseconds. */
  WAIT_P50_NS("median time from acceptance to the handler, of the last 5 to 10 s, ns"),
  /** 90th percentile of the time from acceptance to the handler, in nanoseconds. */
  WAIT_P90_NS("90th percentile of the time from acceptance to the handler, ns"),
  /** Longest time from acceptance to the handler, in nanoseconds. */
  WAIT_MAX_NS("longest time from acceptance to the handler, ns"),
  /** Median time of a handler for a batch, in nanoseconds. */
  SERVICE_P50_NS("median time of a handler for a batch, of the last 5 to 10 s, ns"),
  /** 90th percentile of the time of a handler for a batch, in nanoseconds. */
  SERVICE_P90_NS("90th percentile of the time of a handler for a batch, ns"),
  /** Longest time of a handler for a batch, in nanoseconds. */
  SERVICE_MAX_NS("longest time of a handler for a batch, ns"),
  /** Median time from acceptance to the end of the handler, in nanoseconds. */
  RESPONSE_P50_NS("median time from acceptance to the end of the handler, last 5 to 10 s, ns"),
  /** 90th percentile of the time from acceptance to the end of the handler, in nanoseconds. */
  RESPONSE_P90_NS("90th percentile of the time from acceptance to the end of the handler, ns"),
  /** Longest time from acceptance to the end of the handler, in nanoseconds. */
  RESPONSE_MAX_NS("longest time from acceptance to the end of the handler, ns"),
  /** The target for the 90th percentile of the response, in nanoseconds; 0: none. */
  TARGET_NS("target for the 90th percentile of the response, ns; 0: none"),
  /** Clients of a host. */
  CLIENTS("clients"),
  /** Garbage collections since the host was ready; more than 0 is a fault. */
  COLLECTIONS("garbage collections since it was ready"),
  /** How often the budget of the links was used up, so that clients had to wait. */
  RESTS("times that the budget of its links was used up"),
  /** Connections of clients that are known, at all addresses. */
  SESSIONS("connections of clients that are known"),
  /** Requests of clients, at all addresses. */
  REQUESTS("requests of clients"),
  /** Requests that had to wait because their client asks more often than it may. */
  DELAYED("requests that had to wait because their client asks more often than it may"),
  /** What is kept in the heap for clients, beside the space. */
  HELD_BYTES("what is kept in the heap for clients, beside the space, bytes"),
  /** The most that all clients together may have kept. */
  MAX_HELD_BYTES("most that all clients together may have kept, bytes"),
  /** Which part of its own most is kept for the client that has most of it, in millionths. */
  FULLEST_PPM("part of its own most, of the client that has most of it, millionths"),
  /** The most clients at an address. */
  MAX_CLIENTS("most clients"),
  /** Connections that were closed at once, because there were as many as may be. */
  REFUSED("connections closed at once, because there were as many as may be"),
  /** Clients that were cut off: they broke a rule or a limit, or their connection broke. */
  CUT_OFF("clients cut off: they broke a rule or a limit, or their connection broke"),
  /** The bytes of long messages that are on their way. */
  INCOMING_BYTES("long messages that are on their way, bytes"),
  /** The most bytes of long messages that may be on their way. */
  MAX_INCOMING_BYTES("most of them that may be on their way, bytes");

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
