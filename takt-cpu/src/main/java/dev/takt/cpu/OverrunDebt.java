package dev.takt.cpu;

/**
 * What a task owes: the processor time beyond its cost of measured releases one after the other,
 * less what others of them have left over. It finds those whose releases are too short for a look
 * of the supervisor, and exceed their cost again and again.
 *
 * <p>After the trial one release of {@value CostSamples#STRIDE} is measured. Once one has exceeded
 * its cost, each is, until nothing is owed any more: so a single accident is not counted as many,
 * and one that always exceeds is found after {@value CostSamples#STRIDE} releases on average and
 * those in which the class's grace is used up.
 *
 * <p><b>Thread rule:</b> {@link #add} and {@link #isOpen}: the thread that runs the releases; the
 * rest: any.
 */
final class OverrunDebt {
  private volatile long ns;
  private volatile boolean forgiven;

  /** Adds a measured release. */
  void add(long usedNs, long costNs) {
    long before = ns;
    boolean anew = forgiven;
    if (anew) {
      before = 0;
    }
    long after = Math.max(0, before + usedNs - costNs);
    if (after != ns) {
      ns = after;
    }
    if (anew) {
      forgiven = false; // last: a look in between must not see what was forgiven
    }
  }

  /** Returns whether the next release is to be measured. */
  boolean isOpen() {
    return ns > 0;
  }

  /** Returns what is owed, in nanoseconds. */
  long ns() {
    return forgiven ? 0 : ns;
  }

  /** Begins anew with the next release that is measured. */
  void forgive() {
    forgiven = true;
  }
}
