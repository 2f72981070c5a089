package dev.takt.stress.ready;

/** Runs that a seed decides. */
public interface ReadyHistories {
  /** Runs one; returns what was wrong, or null. */
  String violation(long seed);
}
