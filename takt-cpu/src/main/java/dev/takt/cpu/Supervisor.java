package dev.takt.cpu;

import dev.takt.realtime.RunningRelease;
import dev.takt.realtime.Supervised;

/**
 * Looks at the releases that run now, and finds those that have exceeded their cost. It has no
 * thread and reads no clock.
 *
 * <p><b>What is measured.</b> The processor time of the running thread, as the operating system
 * counts it, from the first look at a release on. What the release took before that look is not
 * known. For the count of overruns it is taken to be the time that had passed, but no more than two
 * periods of looking, so that a supervisor that was itself late does not charge a task for it; for
 * anything that is done about it, it is nothing. Where processor time is not to be had, all time
 * that passes counts.
 *
 * <p><b>Guarantees.</b> (1) An overrun is found at the first look after it, if the release was seen
 * within a period of its begin. (2) A release counts as an overrun that has not exceeded its cost
 * only if it had lasted longer than that at the first look, and then by two periods at most. (3)
 * Nothing is done about a task for time that it has not used. (4) A release that neither ends nor
 * uses the processor, a sleep for example, is found when it has lasted {@value #STUCK_GRACES}
 * graces beyond twice its deadline. (5) The first releases, whose code is cold, have {@value
 * #COLD_GRACE_NS} ns more of grace. (6) Releases that end before a look finds them are found by
 * what they {@linkplain OverrunDebt owe together}. (7) A release that has used up its cost for
 * certain is reported as spent at once, so that what it takes beyond is not taken from others.
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

    /** A release has used up its cost for certain, and runs on; at each look until it ends. */
    void spent(ManagedTask task);

    /** Comes before each {@link #exceeded}, and before anything that takes memory or a lock. */
    void demote(ManagedTask task, Supervised subject);

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
    if (subject == null) {
      return;
    }
    long debtNs = task.debt.ns();
    if (debtNs > task.profile().authentication().graceNs()) {
      owes(task, subject, debtNs);
    }
    RunningRelease running = subject.running();
    if (running != null) {
      see(task, running, nowNs);
      if (nowNs - running.beginNs() > task.costNs()) {
        judge(task, subject, running, nowNs);
      }
    }
  }

  private void owes(ManagedTask task, Supervised subject, long debtNs) {
    task.debt.forgive();
    task.countOverrun();
    findings.overrun(task, task.costNs() + debtNs);
    findings.demote(task, subject);
    findings.exceeded(
        task,
        subject,
        "%s ns more than its cost used in releases one after the other (limit: %s each, grace: %s)"
            .formatted(debtNs, task.costNs(), task.profile().authentication().graceNs()));
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

  private void judge(ManagedTask task, Supervised subject, RunningRelease running, long nowNs) {
    long costNs = task.costNs();
    long wallNs = nowNs - running.beginNs();
    long usedNs = times.usedNs(task.seenThreadId);
    boolean isKnown = usedNs >= 0 && task.usedAtSeenNs >= 0;
    long certainNs = isKnown ? usedNs - task.usedAtSeenNs : wallNs;
    long beforeNs = isKnown ? Math.clamp(task.seenNs - running.beginNs(), 0, 2 * lookPeriodNs) : 0;
    if (certainNs > costNs) {
      findings.spent(task); // first of all: what follows allocates, and so may wait for the JVM
    }
    if (beforeNs + certainNs > costNs && !task.overrunSeen) {
      task.overrunSeen = true;
      task.countOverrun();
      findings.overrun(task, beforeNs + certainNs);
    }
    long graceNs =
        task.profile().authentication().graceNs()
            + (running.number() <= CostSamples.COLD ? COLD_GRACE_NS : 0);
    if (certainNs > costNs + graceNs) {
      findings.demote(task, subject);
      findings.exceeded(
          task, subject, "%s ns used (limit: %s, grace: %s)".formatted(certainNs, costNs, graceNs));
    } else if (wallNs > 2 * task.profile().deadlineNs() + STUCK_GRACES * graceNs) {
      findings.demote(task, subject);
      findings.exceeded(
          task,
          subject,
          "it runs since %s ns (deadline: %s)".formatted(wallNs, task.profile().deadlineNs()));
    }
  }
}
