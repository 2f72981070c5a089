package dev.takt.rtsj.monitor;

import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.ThreadScheduling;

/**
 * The ceilings that a thread is under, in any order of coming and going.
 *
 * <p>Invariant: the thread's priority is the highest of its own and of these ceilings, as far as
 * the system grants it: where it refuses a ceiling, the next lower one counts. What it refuses is
 * tried again at the next change. Its own is looked up when the first ceiling comes; who changes it
 * before the last one goes has the change undone then.
 *
 * <p><b>Thread rule:</b> the thread itself; others may read its own priority, at their risk.
 */
final class CeilingStack {
  /** What {@link #set} is if the thread has its own priority. */
  private static final int OWN = 0;

  /** How many there are of each. */
  private final int[] counts = new int[ThreadScheduling.MAX_PRIORITY + 1];

  private int total;
  private int highest;
  private int set = OWN;
  private Policy ownPolicy = Policy.OTHER;
  private int ownPriority;

  /** Whether the thread has its own priority, for all that is known here. */
  boolean isEmpty() {
    return total == 0 && set == OWN;
  }

  /** Returns the thread's own priority, unless it is empty. */
  int ownPriority() {
    return ownPriority;
  }

  /**
   * Returns the thread's own priority, as {@link Priorities#own}, and keeps it for {@link #add},
   * before which this is called.
   */
  int lookUp(MonitorThread self, Priorities priorities) {
    if (isEmpty()) {
      ownPriority = priorities.own(self);
    }
    return ownPriority;
  }

  /** Puts the thread under a ceiling that is not below its own priority. */
  Errno add(MonitorThread self, int ceiling, Priorities priorities) {
    counts[ceiling]++;
    total++;
    highest = Math.max(highest, ceiling);
    Errno error = apply(self, priorities);
    return Math.max(set, ownPriority) >= ceiling ? Errno.NONE : error;
  }

  /** Takes the thread from under one of its ceilings. */
  Errno remove(MonitorThread self, int ceiling, Priorities priorities) {
    counts[ceiling]--;
    total--;
    while (highest > 0 && counts[highest] == 0) {
      highest--;
    }
    Errno error = apply(self, priorities);
    return set == OWN || counts[set] > 0 ? Errno.NONE : error;
  }

  /** Returns why the highest that is wanted is not in force; NONE: it is. */
  private Errno apply(MonitorThread self, Priorities priorities) {
    Errno refused = Errno.NONE;
    for (int wanted = highest; wanted > ownPriority; wanted--) {
      if (counts[wanted] > 0) {
        Errno error = apply(self, wanted, priorities);
        if (error == Errno.NONE) {
          return refused;
        }
        refused = refused == Errno.NONE ? error : refused;
      }
    }
    Errno error = apply(self, OWN, priorities);
    return refused == Errno.NONE ? error : refused;
  }

  private Errno apply(MonitorThread self, int wanted, Priorities priorities) {
    if (wanted == set) {
      return Errno.NONE;
    }
    if (set == OWN) {
      // Only now, because who is raised by no ceiling has no need of it. Its priority may have been
      // changed since it was looked up: the two must go together when they are put back.
      ownPolicy =
          ownPriority == 0
              ? Policy.OTHER
              : priorities.policy(self) == Policy.RR ? Policy.RR : Policy.FIFO;
    }
    long changes = priorities.changes();
    Errno error =
        wanted == OWN
            ? priorities.set(self, ownPolicy, ownPriority)
            : priorities.set(self, Policy.FIFO, wanted);
    if (error == Errno.NONE) {
      set = wanted;
      if (priorities.changes() == changes + 1) { // only this one, which leaves what is its own
        self.knowPriority(ownPriority, changes + 1);
      }
    }
    return error;
  }
}
