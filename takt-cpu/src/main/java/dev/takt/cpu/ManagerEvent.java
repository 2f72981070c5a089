package dev.takt.cpu;

import org.jspecify.annotations.Nullable;

/**
 * Something that a {@link CpuManager} has done or seen.
 *
 * @param timeNs when, by the manager's clock
 * @param task the name of the task; empty: it concerns all
 * @param kind what
 * @param detail the figures and the reason, for people
 * @param failure what a task has thrown, of {@link Kind#FAILED}; else null. It is code of the task:
 *     its methods may do anything
 */
public record ManagerEvent(
    long timeNs, String task, Kind kind, String detail, @Nullable Throwable failure) {
  /** Makes one without a failure. */
  public ManagerEvent(long timeNs, String task, Kind kind, String detail) {
    this(timeNs, task, kind, detail, null);
  }

  /** What happened. */
  public enum Kind {
    /** It was admitted, or its trial is over, or its share is free again. */
    ADMITTED,
    /** It was admitted for a trial, in which its cost is measured. */
    TRIAL,
    /** It is a passive task, released within what the server of its runtime has. */
    SERVED,
    /** It runs without guarantee and real-time policy. */
    BEST_EFFORT,
    /** It was not admitted. */
    REJECTED,
    /** The trial is over, or the cost was measured again. */
    MEASURED,
    /** Its cost is larger than the one that it was admitted with. */
    DRIFTED,
    /**
     * It does not keep to its cost or its period; its class says what becomes of it. Of plain
     * threads: they took more than their budget.
     */
    NONCONFORMING,
    /** E has changed, by how much more time than its cost each task is given. */
    EXTENSUM,
    /** The file with the costs that were learned cannot be read or written. */
    UNLEARNED,
    /** A task of a higher rank needed its share; it runs on without priority. */
    DISPLACED,
    /** A release took longer than its cost. */
    OVERRUN,
    /** It lost its priority. */
    DEMOTED,
    /** Its release was aborted, and no other begins. */
    DROPPED,
    /** It was to be dropped, but its release could not be aborted in time. */
    UNSTOPPABLE,
    /**
     * The operating system did not grant what the analysis counts with: a priority or reservation,
     * processors, or that other threads stay off these. Once for each task.
     */
    SHORTFALL,
    /** An exception escaped from a release. */
    FAILED,
    /** Code that the manager calls has thrown; the manager goes on. */
    FAULT,
    /** It is released no more. */
    ENDED
  }
}
