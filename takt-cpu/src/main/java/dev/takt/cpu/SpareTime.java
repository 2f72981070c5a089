package dev.takt.cpu;

import dev.takt.cpu.admission.AdmissionTest;
import java.util.List;

/**
 * How much longer than its cost each task may run before another one misses its deadline: so long
 * looks of the supervisor may be put off.
 *
 * <p>It is worked out where nobody waits for it: when the admission changes it is forgotten, which
 * counts as none, until the next {@link #learn}.
 *
 * <p><b>Thread rule:</b> {@link #windowNs}: any thread; the rest: with the manager's lock.
 */
final class SpareTime {
  private boolean known = true;
  private volatile long windowNs;

  /** The admission has changed. */
  void forget(List<ManagedTask> tasks) {
    known = false;
    tasks.forEach(each -> each.spareNs = 0);
  }

  boolean isKnown() {
    return known;
  }

  /** It is worked out now, for one processor after the other. */
  void begin() {
    known = true;
    windowNs = 0;
  }

  /** Returns within which time it may be used once, in nanoseconds: the longest deadline. */
  long windowNs() {
    return windowNs;
  }

  /**
   * Works it out for the tasks of one processor.
   *
   * @param admitted the shortest deadline first
   * @param served the passive tasks there, which run as their server, one of the admitted
   */
  void learn(List<ManagedTask> admitted, List<ManagedTask> served, AdmissionTest test) {
    long[] spareNs = test.spareNs(admitted.stream().map(ManagedTask::model).toList());
    long leastNs = Long.MAX_VALUE;
    long longestNs = windowNs;
    for (int i = 0; i < spareNs.length; i++) {
      ManagedTask task = admitted.get(i);
      longestNs = Math.max(longestNs, task.model().deadlineNs());
      task.spareNs = spareNs[i];
      leastNs = Math.min(leastNs, spareNs[i]);
    }
    windowNs = longestNs;
    for (ManagedTask each : served) {
      each.spareNs = leastNs;
    }
  }
}
