package dev.takt.cpu;

import dev.takt.realtime.ThreadMeter;

/**
 * What the supervisor has seen of one task, from look to look.
 *
 * <p><b>Thread rule:</b> the supervisor's thread alone. All numbers of threads are the operating
 * system's, all times are in nanoseconds, and -1 is a time that is not known.
 */
final class Observation {
  /** Until when no release can begin; {@link Supervisor#NEVER}: one runs, or nobody knows. */
  long idleDueNs;

  /** When the next look is to come until then, at the earliest and at the latest. */
  long nextNs;

  long latestNs;

  /** Of the release due then, whose begin may be seen late: what its thread had used before. */
  long preparedDueNs;

  int preparedThreadId;
  long preparedUsedNs = ThreadMeter.UNKNOWN;

  /** The release that is looked at, its thread, and since when and from what it is measured. */
  long number;

  int threadId;
  long firstNs;
  long usedAtFirstNs;

  /** What that thread had used then since it was last read, which was before the release. */
  long unseenUsedNs;

  /** Which thread's use was read last, and what that was. */
  int readThreadId;

  long readUsedNs;

  /** What its thread had used at the last look, and when it was last seen to have run. */
  long usedAtLookNs;

  long ranNs;

  /** Whether it has been counted as an overrun. */
  boolean isOverrun;

  /** Whether it has used up its cost for certain, whether code was cold then, and when that was. */
  boolean isSpent;

  boolean spentCold;
  long spentNs;

  /** What is to be told at the end of this look: an overrun, 0: none, and an excess. */
  long foundOverrunNs;

  Supervisor.Excess foundExcess = Supervisor.Excess.NONE;
  long foundNs;
  long foundGraceNs;
}
