package dev.takt.cpu;

import dev.takt.realtime.ReleaseView;
import dev.takt.realtime.Supervised;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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
 * Nothing is done about a task for time that it has not used. (4) A release that waits, a sleep for
 * example, is found when it has lasted {@value #STUCK_GRACES} graces beyond twice its deadline; one
 * that could run, and has not for {@value #READY_FACTOR} times as long, too: it may only wait for
 * the processor; and one that has used up its cost for certain and still runs that much later: what
 * it has the JVM do, as collecting the heap, is not its own processor time. (5) The first releases,
 * whose code is cold, have {@value #COLD_GRACE_NS} ns more of grace. (6) Releases that end before a
 * look finds them are found by what they {@linkplain OverrunDebt owe together}. (7) A release that
 * has used up its cost for certain is reported as spent at once, so that what it takes beyond is
 * not taken from others. (8) While {@linkplain ColdCode code is cold} the grace of (5) is also that
 * of each release that had not used up its cost before, and nothing is owed.
 *
 * <p><b>Order.</b> A look has two parts. The first goes through all tasks, takes the priorities of
 * those that have used up what they have, and notes what was found; it allocates nothing and takes
 * no lock. Only then the second one reports it, which may wait for the JVM, whose own threads those
 * tasks may have kept from running.
 *
 * <p><b>Reservations.</b> The kernel stops a thread when its reservation is used up, so that it
 * hardly ever exceeds its cost. It is spent when it has used nearly all of it, and nothing since
 * the look before.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class Supervisor {
  static final int STUCK_GRACES = 10;

  /** So many times longer is a release given that could run, but does not get the processor. */
  static final int READY_FACTOR = 10;

  /** What a reservation pays for besides the release: waking up, at most, in nanoseconds. */
  static final long RESERVED_SLACK_NS = 20_000;

  /**
   * So much longer is the grace of the first {@value CostSamples#COLD} releases, in which classes
   * are loaded and linked: 20 ms in nanoseconds.
   */
  static final long COLD_GRACE_NS = 20_000_000;

  /** What is done about what was found. */
  interface Findings {
    /** A release has exceeded its cost; once for each release. */
    void overrun(ManagedTask task, long usedNs);

    /**
     * A release has used up its cost for certain, and runs on; at each look until it ends.
     * Allocates nothing and takes no lock.
     */
    void spent(ManagedTask task, Supervised subject);

    /** Comes before each {@link #exceeded}. Allocates nothing and takes no lock. */
    void demote(ManagedTask task, Supervised subject);

    /** A release has exceeded its cost and the grace, or is stuck; at each look until it ends. */
    void exceeded(ManagedTask task, Supervised subject, String reason);
  }

  /** What threads do. */
  @FunctionalInterface
  interface ThreadTimes {
    /** Returns what a thread has used, in nanoseconds; -1: unknown, as that of thread 0 is. */
    long usedNs(int threadId);

    /** Returns whether a thread waits for something else than the processor. */
    default boolean waits(Thread thread) {
      return switch (thread.getState()) {
        case BLOCKED, WAITING, TIMED_WAITING -> true;
        case NEW, RUNNABLE, TERMINATED -> false;
      };
    }
  }

  /** Why something is to be done about a task. */
  enum Excess {
    NONE,
    USED,
    LASTS,
    OWES
  }

  private final ThreadTimes times;
  private final long lookPeriodNs;
  private final ColdCode code;
  private final Findings findings;
  private final ReleaseView view = new ReleaseView();
  private final Consumer<ManagedTask> looking = this::lookIfSupervised;
  private final Consumer<ManagedTask> telling = this::tell;
  private long nowNs;
  private boolean any;
  private boolean found;

  Supervisor(ThreadTimes times, long lookPeriodNs, ColdCode code, Findings findings) {
    this.times = times;
    this.lookPeriodNs = lookPeriodNs;
    this.code = code;
    this.findings = findings;
  }

  /**
   * Looks at all tasks.
   *
   * @param tasks goes through them by {@code forEach}, without an iterator
   * @return whether there was one to look at
   */
  boolean look(List<ManagedTask> tasks, long nowNs) {
    any = false;
    found = false;
    this.nowNs = nowNs;
    tasks.forEach(looking);
    if (found) {
      tasks.forEach(telling);
    }
    return any;
  }

  private void lookIfSupervised(ManagedTask task) {
    if (task.state().isSupervised()) {
      any = true;
      Supervised subject = task.subject();
      if (subject != null) {
        look(task, subject);
      }
    }
  }

  private void look(ManagedTask task, Supervised subject) {
    boolean cold = code.isCold(nowNs);
    long debtNs = task.debt.ns();
    if (debtNs > 0 && (cold || debtNs > task.profile().authentication().graceNs())) {
      task.debt.forgive();
      if (!cold) {
        task.countOverrun();
        found(task, task.costNs() + debtNs);
        exceeds(task, subject, Excess.OWES, debtNs, task.profile().authentication().graceNs());
      }
    }
    if (subject.view(view)) {
      see(task);
      if (nowNs - view.beginNs() > task.costNs()) {
        judge(task, subject, cold);
      }
    }
  }

  /** Notes what a release is measured from, and anew when its thread has become known. */
  private void see(ManagedTask task) {
    boolean isNew = view.number() != task.seenNumber;
    int threadId = task.threadId();
    if (isNew || threadId != task.seenThreadId) {
      task.seenNumber = view.number();
      task.seenThreadId = threadId;
      task.seenNs = nowNs;
      task.usedAtSeenNs = times.usedNs(threadId);
      task.usedAtLookNs = -1;
      task.ranNs = nowNs;
      task.overrunSeen &= !isNew;
      task.spentSeen = false;
    }
  }

  private void judge(ManagedTask task, Supervised subject, boolean cold) {
    long costNs = task.costNs();
    long wallNs = nowNs - view.beginNs();
    long usedNs = times.usedNs(task.seenThreadId);
    boolean isKnown = usedNs >= 0 && task.usedAtSeenNs >= 0;
    long certainNs = isKnown ? usedNs - task.usedAtSeenNs : wallNs;
    long beforeNs = isKnown ? Math.clamp(task.seenNs - view.beginNs(), 0, 2 * lookPeriodNs) : 0;
    boolean stood = isKnown && usedNs == task.usedAtLookNs;
    task.usedAtLookNs = usedNs;
    if (!stood) {
      task.ranNs = nowNs;
    }
    boolean isUsedUp =
        stood
            && task.isReserved()
            && beforeNs + certainNs >= costNs - costNs / 8 - RESERVED_SLACK_NS;
    if (certainNs > costNs || isUsedUp) {
      findings.spent(task, subject);
      if (!task.spentSeen) {
        task.spentSeen = true;
        task.spentCold = cold;
        task.spentNs = nowNs;
      }
    }
    if (beforeNs + certainNs > costNs && !task.overrunSeen) {
      task.overrunSeen = true;
      task.countOverrun();
      found(task, beforeNs + certainNs);
    }
    boolean isCold = task.spentSeen ? task.spentCold : cold;
    long graceNs =
        task.profile().authentication().graceNs()
            + (isCold || view.number() <= CostSamples.COLD ? COLD_GRACE_NS : 0);
    if (certainNs > costNs + graceNs) {
      exceeds(task, subject, Excess.USED, certainNs, graceNs);
    } else if (isStuck(task, wallNs, graceNs)) {
      exceeds(task, subject, Excess.LASTS, wallNs, graceNs);
    }
  }

  private boolean isStuck(ManagedTask task, long wallNs, long graceNs) {
    long limitNs = 2 * task.profile().deadlineNs() + STUCK_GRACES * graceNs;
    long readyNs = READY_FACTOR * limitNs;
    return wallNs > limitNs
        && (times.waits(view.thread())
            || nowNs - task.ranNs > readyNs
            || (task.spentSeen && nowNs - task.spentNs > readyNs));
  }

  private void found(ManagedTask task, long overrunNs) {
    found = true;
    task.foundOverrunNs = overrunNs;
  }

  private void exceeds(ManagedTask task, Supervised subject, Excess excess, long ns, long graceNs) {
    found = true;
    task.foundExcess = excess;
    task.foundNs = ns;
    task.foundGraceNs = graceNs;
    findings.demote(task, subject);
  }

  /** Reports what was found of a task. */
  private void tell(ManagedTask task) {
    long overrunNs = task.foundOverrunNs;
    if (overrunNs != 0) {
      task.foundOverrunNs = 0;
      findings.overrun(task, overrunNs);
    }
    Excess excess = task.foundExcess;
    if (excess != Excess.NONE) {
      task.foundExcess = Excess.NONE;
      Supervised subject = task.subject();
      String reason = reason(task, excess);
      if (subject != null && reason != null) {
        findings.exceeded(task, subject, reason);
      }
    }
  }

  private static @Nullable String reason(ManagedTask task, Excess excess) {
    return switch (excess) {
      case NONE -> null;
      case USED ->
          "%s ns used (limit: %s, grace: %s)"
              .formatted(task.foundNs, task.costNs(), task.foundGraceNs);
      case LASTS ->
          "it runs since %s ns (deadline: %s)".formatted(task.foundNs, task.profile().deadlineNs());
      case OWES ->
          ("%s ns more than its cost used in releases one after the other"
                  + " (limit: %s each, grace: %s)")
              .formatted(task.foundNs, task.costNs(), task.foundGraceNs);
    };
  }
}
