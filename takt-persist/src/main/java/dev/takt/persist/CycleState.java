package dev.takt.persist;

/** How far a cycle is. */
public enum CycleState {
  /** The next increment has work to do. */
  RUNNING,

  /** The next increment has none unless a release has ended or the writer has written. */
  WAITING,

  /** The snapshot is complete and safe. */
  DONE,

  /**
   * The cycle has ended without a snapshot, see {@link Cycle#failure}; the ones before are safe.
   */
  FAILED
}
