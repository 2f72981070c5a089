package dev.takt.cpu.portable;

/** What the portable scheduler sleeps through. */
public enum Interval {
  /** No task is due: all other threads have the processor. */
  PAUSE,
  /** A task holds the baton. */
  SLOT
}
