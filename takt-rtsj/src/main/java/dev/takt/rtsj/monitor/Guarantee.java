package dev.takt.rtsj.monitor;

/**
 * What a monitor does about priorities here.
 *
 * @param kind how a thread inside comes to the priority of those it keeps waiting
 * @param reason why, and what would get more
 */
public record Guarantee(Kind kind, String reason) {
  /** How a thread inside comes to the priority of those it keeps waiting. */
  public enum Kind {
    /** It does not: a thread of middle priority can keep one of high priority waiting. */
    NONE,
    /** The kernel gives it the highest priority of those that wait, as long as they do. */
    INHERITANCE,
    /** It has the ceiling's priority from before it enters until after it exits. */
    CEILING
  }

  @Override
  public String toString() {
    return kind + " (" + reason + ")";
  }
}
