package dev.takt.cpu;

import dev.takt.realtime.ReleaseView;
import dev.takt.realtime.Supervised;
import dev.takt.realtime.ThreadMeter;
import dev.takt.realtime.TimeText;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the releases that run now, and finds those that have exceeded their cost. It has no
 * thread and reads no clock.
 *
 * <p><b>When.</b> A release that begins after a look cannot exceed its cost before that has passed.
 * So the next look is a period after the first moment at which any task can have exceeded its cost:
 * of one that waits for its time, counted from its next release. While a release lasts longer than
 * its cost, or is due and has not begun, and for tasks that are not released by time, looks are a
 * period apart. So they are between one period and {@value #MAX_GAP_NS} ns apart.
 *
 * <p><b>When later.</b> Where that would be less than {@value #MERGED_PERIODS} periods after the
 * look before, the next one is so much later, and takes the place of several: but no later than a
 * release can have run beyond its cost for what the others of its processor have {@linkplain
 * SpareTime to spare}, and for the grace of its class, and only if no release has been seen beyond
 * its cost within the longest deadline, so that nothing is spared twice, and no {@linkplain
 * ColdCode code is cold}.
 *
 * <p><b>What is remembered.</b> Of a task that waits for its time nothing is asked before that:
 * when the next look is to come for it stays as it was, unless a task has {@linkplain #forget
 * changed}. So of most tasks a look reads this alone, which for 100 of them is most of what it
 * takes.
 *
 * <p><b>What is measured.</b> The processor time of the running thread, as the operating system
 * counts it: from the begin on, if the look before it has prepared for the release, because the
 * next one was to be more than a period after its begin; else from the first look at it on. A
 * release of short cost is not prepared for if it harms nobody to see it a period later. What the
 * release took before that look is not known. For the count of overruns it is taken to be the time
 * that had passed, but no more than two periods of looking, so that a supervisor that was itself
 * late does not charge a task for it, and no more than its thread has used since it was looked at
 * before, because it may have slept; for anything that is done about it, it is nothing. What is
 * prepared includes what the thread takes to wait for its time, so no release is charged for more
 * than it has lasted. Where processor time is not to be had, all time that passes counts.
 *
 * <p><b>Guarantees.</b> (1) An overrun is found at the first look after it, if the release was
 * prepared for, or seen within a period of its begin. That is a period later at most; where looks
 * are merged {@value #MERGED_PERIODS}, and one more for what is not prepared for, which is before
 * another task misses a deadline by it. (2) A release counts as an overrun that has not exceeded
 * its cost only if it had lasted longer than that at the first look, and then by two periods at
 * most. (3) Nothing is done about a task for time that it has not used. (4) A release that waits, a
 * sleep for example, is found when it has lasted {@value #STUCK_GRACES} graces beyond twice its
 * deadline; one that could run, and has not for {@value #READY_FACTOR} times as long, too: it may
 * only wait for the processor; and one that has used up its cost for certain and still runs that
 * much later: what it has the JVM do, as collecting the heap, is not its own processor time. (5)
 * The first releases, whose code is cold, have {@value #COLD_GRACE_NS} ns more of grace. (6)
 * Releases that end before a look finds them are found by what they {@linkplain OverrunDebt owe
 * together}. (7) A release that has used up its cost for certain is reported as spent at once, so
 * that what it takes beyond is not taken from others. (8) While {@linkplain ColdCode code is cold}
 * the grace of (5) is also that of each release that had not used up its cost before, and nothing
 * is owed.
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
 * <p><b>Thread rule:</b> one thread; {@link #forget}: any.
 */
final class Supervisor {
  static final int STUCK_GRACES = 10;

  /** The longest time between two looks while there is something to look at: 100 ms. */
  static final long MAX_GAP_NS = 100_000_000;

  /** Looks are so many periods apart where nobody misses a deadline by that. */
  static final int MERGED_PERIODS = 3;

  /** Of what was before the first look at a release, so many periods are taken to be used. */
  private static final int CHARGED_PERIODS = 2;

  /** A look that is put off leaves this part of a period for what it is late itself. */
  private static final int LATE_PART = 4;

  /** What {@link #look} returns when there is nothing to look at. */
  static final long NEVER = Long.MAX_VALUE;

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
  private final SpareTime spare;
  private final ColdCode code;
  private final Findings findings;
  private final ReleaseView view = new ReleaseView();
  private final Consumer<ManagedTask> looking = this::lookIfSupervised;
  private final Consumer<ManagedTask> preparing = this::prepare;
  private final Consumer<ManagedTask> telling = this::tell;
  private long nowNs;
  private long nextNs;
  private long latestNs;
  private boolean found;

  /** Whether tasks have changed since the look before, and whether they had at this one. */
  private volatile boolean changed = true;

  private boolean isAnew;

  /** Whether a release has exceeded its cost, and when that was seen last. */
  private boolean anyExceeded;

  private long exceededNs;

  Supervisor(
      ThreadTimes times, long lookPeriodNs, SpareTime spare, ColdCode code, Findings findings) {
    this.times = times;
    this.lookPeriodNs = lookPeriodNs;
    this.spare = spare;
    this.code = code;
    this.findings = findings;
  }

  /**
   * Has the next look ask each task anew, because some have come, gone, or changed; any thread,
   * after the change.
   */
  void forget() {
    changed = true;
  }

  /**
   * Looks at all tasks.
   *
   * @param tasks goes through them by {@code forEach}, without an iterator
   * @return when to look again; {@link #NEVER}: there is nothing to look at
   */
  long look(List<ManagedTask> tasks, long nowNs) {
    nextNs = NEVER;
    latestNs = NEVER;
    found = false;
    this.nowNs = nowNs;
    isAnew = changed;
    if (isAnew) {
      changed = false; // before anything is read: what changes meanwhile is for the next look
    }
    tasks.forEach(looking);
    if (found) {
      tasks.forEach(telling);
    }
    if (nextNs != NEVER) {
      if (mayBeLater()) {
        nextNs = Math.clamp(nowNs + MERGED_PERIODS * lookPeriodNs, nextNs, latestNs);
      }
      nextNs = Math.min(nextNs, nowNs + MAX_GAP_NS);
      if (nextNs - nowNs > lookPeriodNs) {
        tasks.forEach(preparing);
      }
    }
    return nextNs;
  }

  private void lookIfSupervised(ManagedTask task) {
    Observation seen = task.seen;
    if (seen.idleDueNs != NEVER && nowNs < seen.idleDueNs && !isAnew) {
      lookAgain(seen); // as at the look before
    } else if (task.state().isSupervised()) {
      Supervised subject = task.subject();
      if (subject == null) {
        lookAfter(nowNs, 0);
      } else {
        look(task, subject);
      }
    }
  }

  private void lookAgain(Observation seen) {
    nextNs = Math.min(nextNs, seen.nextNs);
    latestNs = Math.min(latestNs, seen.latestNs);
  }

  /**
   * Has the next look come a period after a time.
   *
   * @param laterNs how long after that time it may come at the latest
   */
  private void lookAfter(long fromNs, long laterNs) {
    nextNs = Math.min(nextNs, fromNs + lookPeriodNs);
    latestNs = Math.min(latestNs, fromNs + Math.max(lookPeriodNs, laterNs));
  }

  /** Returns whether all that there is to spare is left. */
  private boolean mayBeLater() {
    return !code.isCold(nowNs) && !(anyExceeded && nowNs - exceededNs <= spare.windowNs());
  }

  /** Returns for how long nobody is harmed by a release that has exceeded its cost. */
  private long harmlessNs(ManagedTask task) {
    return Math.min(
        task.spareNs - lookPeriodNs / LATE_PART, task.profile().authentication().graceNs());
  }

  private void look(ManagedTask task, Supervised subject) {
    findDebt(task, subject);
    task.seen.idleDueNs = NEVER;
    if (subject.view(view)) {
      see(task);
      long usedUpNs = view.beginNs() + task.costNs();
      if (nowNs > usedUpNs) {
        judge(task, subject, code.isCold(nowNs));
        lookAfter(nowNs, 0);
      } else {
        lookAfter(usedUpNs, harmlessNs(task) - (task.seen.firstNs - view.beginNs()));
      }
      return;
    }
    long dueNs = subject.nextDueNs();
    if (dueNs > nowNs) {
      long usedUpNs = dueNs + task.costNs();
      task.seen.idleDueNs = dueNs;
      task.seen.nextNs = usedUpNs + lookPeriodNs;
      task.seen.latestNs = usedUpNs + Math.max(lookPeriodNs, harmlessNs(task));
      lookAgain(task.seen);
    } else { // it may begin at any moment, and nothing is known of it
      lookAfter(nowNs, harmlessNs(task) - lookPeriodNs);
    }
  }

  private void findDebt(ManagedTask task, Supervised subject) {
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
  }

  /** Notes what a task has used before its next release, if that may be seen late. */
  private void prepare(ManagedTask task) {
    Observation seen = task.seen;
    long unseenNs = nextNs - seen.idleDueNs;
    if (unseenNs > lookPeriodNs
        && task.state().isSupervised()
        && (task.costNs() > CHARGED_PERIODS * lookPeriodNs
            || unseenNs + lookPeriodNs > harmlessNs(task))) {
      seen.preparedDueNs = seen.idleDueNs;
      seen.preparedThreadId = task.threadId();
      seen.preparedUsedNs = usedNs(task, seen.preparedThreadId);
    }
  }

  /** Returns what a thread has used, and notes it. */
  private long usedNs(ManagedTask task, int threadId) {
    long usedNs = times.usedNs(threadId);
    if (usedNs >= 0) {
      task.seen.readThreadId = threadId;
      task.seen.readUsedNs = usedNs;
    }
    return usedNs;
  }

  /** Notes what a release is measured from, and anew when its thread has become known. */
  private void see(ManagedTask task) {
    Observation seen = task.seen;
    boolean isNew = view.number() != seen.number;
    int threadId = task.threadId();
    if (isNew || threadId != seen.threadId) {
      boolean isPrepared =
          isNew
              && seen.preparedUsedNs != ThreadMeter.UNKNOWN
              && seen.preparedThreadId == threadId
              && seen.preparedDueNs == view.dueNs();
      seen.number = view.number();
      seen.threadId = threadId;
      seen.firstNs = isPrepared ? view.beginNs() : nowNs;
      long readNs = threadId == seen.readThreadId ? seen.readUsedNs : 0;
      seen.usedAtFirstNs = isPrepared ? seen.preparedUsedNs : usedNs(task, threadId);
      seen.unseenUsedNs = seen.usedAtFirstNs - readNs;
      seen.preparedUsedNs = ThreadMeter.UNKNOWN;
      seen.usedAtLookNs = -1;
      seen.ranNs = nowNs;
      seen.isOverrun &= !isNew;
      seen.isSpent = false;
    }
  }

  private void judge(ManagedTask task, Supervised subject, boolean cold) {
    Observation seen = task.seen;
    long costNs = task.costNs();
    long wallNs = nowNs - view.beginNs();
    long usedNs = usedNs(task, seen.threadId);
    boolean isKnown = usedNs >= 0 && seen.usedAtFirstNs >= 0;
    long certainNs = isKnown ? Math.min(usedNs - seen.usedAtFirstNs, wallNs) : wallNs;
    long chargedNs = Math.min(seen.unseenUsedNs, CHARGED_PERIODS * lookPeriodNs);
    long beforeNs = isKnown ? Math.max(0, Math.min(seen.firstNs - view.beginNs(), chargedNs)) : 0;
    boolean stood = isKnown && usedNs == seen.usedAtLookNs;
    seen.usedAtLookNs = usedNs;
    if (!stood) {
      seen.ranNs = nowNs;
    }
    boolean isUsedUp =
        stood
            && task.isReserved()
            && beforeNs + certainNs >= costNs - costNs / 8 - RESERVED_SLACK_NS;
    if (beforeNs + certainNs > costNs || isUsedUp) {
      anyExceeded = true;
      exceededNs = nowNs;
    }
    if (certainNs > costNs || isUsedUp) {
      findings.spent(task, subject);
      if (!seen.isSpent) {
        seen.isSpent = true;
        seen.spentCold = cold;
        seen.spentNs = nowNs;
      }
    }
    if (beforeNs + certainNs > costNs && !seen.isOverrun) {
      seen.isOverrun = true;
      task.countOverrun();
      found(task, beforeNs + certainNs);
    }
    boolean isCold = seen.isSpent ? seen.spentCold : cold;
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
            || nowNs - task.seen.ranNs > readyNs
            || (task.seen.isSpent && nowNs - task.seen.spentNs > readyNs));
  }

  private void found(ManagedTask task, long overrunNs) {
    found = true;
    task.seen.foundOverrunNs = overrunNs;
  }

  private void exceeds(ManagedTask task, Supervised subject, Excess excess, long ns, long graceNs) {
    Observation seen = task.seen;
    found = true;
    seen.foundExcess = excess;
    seen.foundNs = ns;
    seen.foundGraceNs = graceNs;
    findings.demote(task, subject);
  }

  /** Reports what was found of a task. */
  private void tell(ManagedTask task) {
    Observation seen = task.seen;
    long overrunNs = seen.foundOverrunNs;
    if (overrunNs != 0) {
      seen.foundOverrunNs = 0;
      findings.overrun(task, overrunNs);
    }
    Excess excess = seen.foundExcess;
    if (excess != Excess.NONE) {
      seen.foundExcess = Excess.NONE;
      Supervised subject = task.subject();
      String reason = reason(task, excess);
      if (subject != null && reason != null) {
        findings.exceeded(task, subject, reason);
      }
    }
  }

  private static @Nullable String reason(ManagedTask task, Excess excess) {
    Observation seen = task.seen;
    String found = TimeText.of(seen.foundNs);
    String cost = TimeText.of(task.costNs());
    String grace = TimeText.of(seen.foundGraceNs);
    return switch (excess) {
      case NONE -> null;
      case USED -> "%s used (limit: %s, grace: %s)".formatted(found, cost, grace);
      case LASTS ->
          "it runs since %s (deadline: %s)"
              .formatted(found, TimeText.of(task.profile().deadlineNs()));
      case OWES ->
          ("%s more than its cost used in releases one after the other"
                  + " (limit: %s each, grace: %s)")
              .formatted(found, cost, grace);
    };
  }
}
