package dev.takt.cpu;

import dev.takt.cpu.ManagedTask.State;
import dev.takt.cpu.admission.AdmissionTest;
import dev.takt.cpu.analysis.TaskModel;
import java.util.List;

/**
 * How much longer than its cost each task may run before another one misses its deadline: so long
 * looks of the supervisor may be put off.
 *
 * <p>Only what comes before a task on its processor, or shares its priority, can make it late. So
 * the first task of a processor binds no look by its own deadline; when it must be looked at itself
 * follows from the tasks below it. No more can be won by that: each release of the task with the
 * least to spare needs a look between its time and its deadline that finds who runs in its place,
 * so looks are as frequent as this one is released, 500 a second where one of 2 ms is second.
 *
 * <p>It is worked out where nobody waits for it: when the admission changes it is forgotten, which
 * counts as none, until somebody asks what there is to work out, and brings the answer before the
 * admission has changed again.
 *
 * <p><b>Thread rule:</b> {@link #windowNs}: any thread; a question: the one that asks; the rest:
 * with the manager's lock.
 */
final class SpareTime {
  /** An admitted task, and how it is analysed. */
  record Placed(ManagedTask task, TaskModel model) {}

  /**
   * What there is to work out.
   *
   * @param admission the number of the admission that it is about
   * @param processors the tasks of each, the shortest deadline first
   */
  record Question(long admission, List<List<Placed>> processors, AdmissionTest test) {
    /** Works it out: O(n²), without the lock. */
    Answer answer() {
      return new Answer(
          this,
          processors.stream()
              .map(each -> test.spareNs(each.stream().map(Placed::model).toList()))
              .toList());
    }
  }

  /** What was worked out, in the order of the question. */
  record Answer(Question question, List<long[]> spareNs) {}

  /** Of how many admissions it was forgotten. */
  private long admission;

  private boolean known = true;
  private volatile long windowNs;

  /** The admission has changed. */
  void forget(List<ManagedTask> tasks) {
    admission++;
    known = false;
    tasks.forEach(each -> each.spareNs = 0);
  }

  boolean isKnown() {
    return known;
  }

  Question question(List<List<Placed>> processors, AdmissionTest test) {
    return new Question(admission, processors, test);
  }

  /** Takes an answer, unless the admission has changed since the question. */
  void learn(Answer answer, List<ManagedTask> tasks) {
    if (answer.question().admission() != admission) {
      return;
    }
    known = true;
    long longestNs = 0;
    for (int i = 0; i < answer.spareNs().size(); i++) {
      List<Placed> there = answer.question().processors().get(i);
      long[] spareNs = answer.spareNs().get(i);
      long leastNs = Long.MAX_VALUE;
      for (int place = 0; place < spareNs.length; place++) {
        longestNs = Math.max(longestNs, there.get(place).model().deadlineNs());
        there.get(place).task().spareNs = spareNs[place];
        leastNs = Math.min(leastNs, spareNs[place]);
      }
      for (ManagedTask each : tasks) { // these run as their server, one of the admitted
        if (each.state() == State.SERVED && each.decision().processor() == i) {
          each.spareNs = leastNs;
        }
      }
    }
    windowNs = longestNs;
  }

  /** Returns within which time it may be used once, in nanoseconds: the longest deadline. */
  long windowNs() {
    return windowNs;
  }
}
