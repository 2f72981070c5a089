package dev.takt.cpu;

import dev.takt.realtime.RunningRelease;
import dev.takt.realtime.Supervised;

/**
 * Looks at the releases that run now, and finds those that have exceeded their cost. It has no
 * thread and reads no clock.
 *
 * <p><b>What is measured.</b> The processor time of the running thread, as the operating system
 * counts it, from the first look at a release on. What the release took before that look is not
 * known; it is taken to be the time that had passed, but no more than two periods of looking, so
 * that a supervisor that was itself late does not charge a task for it. Where processor time is not
 * to be had, all time that passes counts.
 *
 * <p><b>Guarantees.</b> (1) An overrun is found at the first look after it, if the release was seen
 * within a period of its begin. (2) A release that has not exceeded its cost is not charged for
 * more than two periods too many. (3) A release that neither ends nor uses the processor, a sleep
 * for example, is found when it has lasted {@value #STUCK_GRACES} graces beyond twice its deadline.
 * (4) The first releases, whose code is cold, have {@value #COLD_GRACE_NS} ns more of grace.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class Supervisor {
  static final int STUCK_GRACES = 10;

  /**
   * So much longer is the grace of the first {@value CostSamples#COLD} releases, in which classes
   * are loaded and linked: 20 ms in nanoseconds.
   */
  static final long COLD_GRACE_NS = 20_000_000;

  /** What is done about what was found. */
  interface Findings {
    /** A release has exceeded its cost; once for each release. */
    void overrun(ManagedTask task, long usedNs);

    /** A release has exceeded its cost and the grace, or is stuck; at each look until it ends. */
    void exceeded(ManagedTask task, Supervised subject, String reason);
  }

  /** Processor time of threads. */
  @FunctionalInterface
  interface ThreadTimes {
    /** Returns what a thread has used, in nanoseconds; -1: unknown, as that of thread 0 is. */
    long usedNs(int threadId);
  }

  private final ThreadTimes times;
  private final long lookPeriodNs;
  private final Findings findings;

  Supervisor(ThreadTimes times, long lookPeriodNs, Findings findings) {
    this.times = times;
    this.lookPeriodNs = lookPeriodNs;
    this.findings = findings;
  }

  /** Looks at one task. */
  void look(ManagedTask task, long nowNs) {
    Supervised subject = task.subject();
    RunningRelease running = subject == null ? null : subject.running();
    if (subject == null || running == null) {
      return;
    }
    see(task, running, nowNs);
    long wallNs = nowNs - running.beginNs();
    long costNs = task.costNs();
    if (wallNs > costNs) {
      judge(task, subject, running.number(), wallNs, usedNs(task, running, nowNs));
    }
  }

  /** Notes what a release is measured from, and anew when its thread has become known. */
  private void see(ManagedTask task, RunningRelease running, long nowNs) {
    boolean isNew = running.number() != task.seenNumber;
    int threadId = task.threadId();
    if (isNew || threadId != task.seenThreadId) {
      task.seenNumber = running.number();
      task.seenThreadId = threadId;
      task.seenNs = nowNs;
      task.usedAtSeenNs = times.usedNs(threadId);
      task.overrunSeen &= !isNew;
    }
  }

  private long usedNs(ManagedTask task, RunningRelease running, long nowNs) {
    long usedNs = times.usedNs(task.seenThreadId);
    if (usedNs < 0 || task.usedAtSeenNs < 0) {
      return nowNs - running.beginNs();
    }
    long beforeNs = Math.clamp(task.seenNs - running.beginNs(), 0, 2 * lookPeriodNs);
    return beforeNs + usedNs - task.usedAtSeenNs;
  }

  private void judge(ManagedTask task, Supervised subject, long number, long wallNs, long usedNs) {
    long costNs = task.costNs();
    long graceNs =
        task.profile().authentication().graceNs()
            + (number <= CostSamples.COLD ? COLD_GRACE_NS : 0);
    if (usedNs > costNs && !task.overrunSeen) {
      task.overrunSeen = true;
      task.countOverrun();
      findings.overrun(task, usedNs);
    }
    if (usedNs > costNs + graceNs) {
      findings.exceeded(
          task, subject, "%s ns used (limit: %s, grace: %s)".formatted(usedNs, costNs, graceNs));
    } else if (wallNs > 2 * task.profile().deadlineNs() + STUCK_GRACES * graceNs) {
      findings.exceeded(
          task,
          subject,
          "it runs since %s ns (deadline: %s)".formatted(wallNs, task.profile().deadlineNs()));
    }
  }
}
