package dev.takt.cpu.portable;

/** What the portable scheduler sleeps through. */
public enum Interval {
  /** No task is due: the time of everybody else. */
  PAUSE,
  /** A task holds the baton. */
  SLOT
}
