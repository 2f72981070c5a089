package dev.takt.session.stage;

/** What became of an item that was offered to a stage; all but {@link #ACCEPTED} leave it there. */
public enum StageAnswer {
  /** The stage has it: it will be handled, or reported as failed, or given back by a stop. */
  ACCEPTED,

  /**
   * The stage has as many items as it can handle within its target: tell who asked that it is busy.
   */
  SHED,

  /** The queue has no place: it is too short for the target, or there is no target. */
  FULL,

  /** The stage is being stopped, or has stopped. */
  STOPPED;

  /** Returns whether the stage has the item. */
  public boolean isAccepted() {
    return this == ACCEPTED;
  }
}
