package dev.takt.realtime;

/**
 * A release that has ended, as its listeners see it.
 *
 * <p><b>Thread rule:</b> valid during the call to the listener, on its thread; the next release
 * uses the same object again. Copy what is needed later.
 */
public interface EndedRelease {
  /** Returns what was released. */
  Schedulable subject();

  /** Returns its number, from 1. */
  long number();

  /** Returns when it was due. */
  long dueNs();

  /** Returns when it began. */
  long beginNs();

  /** Returns when it ended. */
  long endNs();

  /** Returns how it ended. */
  ReleaseOutcome outcome();

  /** Returns by how much it has missed its deadline; 0 or less: it has not, or has none. */
  long tardinessNs();

  /** Returns by how much it has exceeded its budget; 0 or less: it has not, or has none. */
  long overBudgetNs();
}
