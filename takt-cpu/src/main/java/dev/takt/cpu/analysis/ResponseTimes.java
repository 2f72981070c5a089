package dev.takt.cpu.analysis;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Response-time analysis of tasks with fixed priorities on one processor.
 *
 * <p>For the {@code q}-th release of a task in a busy period, that begins when all tasks of higher
 * priority become ready with it, each as late as its jitter lets it the first time,
 *
 * <pre>
 * w(q) = (q + 1) * (C + S) + B + sum over the higher priorities of ceil((w(q) + J') / T') * C'
 * R    = max over q of w(q) - q * T + J,  until w(q) &lt;= (q + 1) * T - J
 * </pre>
 *
 * <p>The suspension of a task of higher priority is treated as jitter of R' - C': what it has put
 * off may come back to back.
 *
 * <p><b>Complexity:</b> pseudo-polynomial; each w begins at what the one before it was. 1,000 tasks
 * with periods over three decades take 1 to 2 ms of the processor, over six decades 4 to 10 ms, up
 * to a utilization of 0.9. Above 0.98 all response times of a set that misses deadlines take up to
 * 300 ms; {@link #areDeadlinesMet} ends at the first deadline that is missed.
 */
public final class ResponseTimes {
  /**
   * The response time of a task that has none: the processor is overloaded, or the busy period is
   * too long to be followed (26 days, or 100 million terms for all tasks together).
   */
  public static final long UNBOUNDED = Long.MAX_VALUE;

  /** Beyond this a busy period is not followed: 26 days in nanoseconds. */
  private static final long LIMIT = 1L << 51;

  /** How many terms all tasks together may add up; about half a second. */
  private static final long MAX_TERMS = 100_000_000;

  /** The order of rates, the most frequent first. */
  public static final Comparator<TaskModel> RATE_MONOTONIC =
      Comparator.comparingLong(TaskModel::periodNs);

  /** The order of deadlines, the shortest first: optimal where no deadline is after its period. */
  public static final Comparator<TaskModel> DEADLINE_MONOTONIC =
      Comparator.comparingLong(TaskModel::deadlineNs);

  private final List<TaskModel> tasks;
  private final long[] responseNs;

  /** The jitter with which each task comes to those of lower priority. */
  private final long[] jitterNs;

  /**
   * How long each task runs in a window that ends after {@code workAfterNs} and not after {@code
   * workUntilNs}: windows grow, and few of these change from one to the next.
   */
  private final long[] workNs;

  private final long[] workAfterNs;
  private final long[] workUntilNs;

  /**
   * How many terms a verdict may add up, and as many more for each task: some five milliseconds. A
   * set that needs more is not admitted, because the request would keep others waiting: a deadline
   * a million periods away, for example.
   */
  private static final long VERDICT_TERMS = 1_000_000;

  private static final long VERDICT_TERMS_PER_TASK = 20_000;

  private final long maxTerms;
  private long terms;

  /** Whether a response time does not matter once it is past the deadline. */
  private final boolean untilMiss;

  private ResponseTimes(List<TaskModel> tasks, boolean untilMiss, long maxTerms) {
    this.tasks = tasks;
    this.untilMiss = untilMiss;
    this.maxTerms = maxTerms;
    responseNs = new long[tasks.size()];
    jitterNs = new long[tasks.size()];
    workNs = new long[tasks.size()];
    workAfterNs = new long[tasks.size()];
    workUntilNs = new long[tasks.size()];
    Arrays.fill(workUntilNs, -1);
  }

  /**
   * Analyses tasks.
   *
   * @param tasks the task of highest priority first; of equal priorities no two
   */
  public static ResponseTimes of(List<TaskModel> tasks) {
    return of(tasks, MAX_TERMS);
  }

  /**
   * The same, in the time that a verdict may take; see {@link #isComplete}.
   *
   * @param tasks as for {@link #of}
   */
  public static ResponseTimes ofVerdict(List<TaskModel> tasks) {
    return of(tasks, verdictTerms(tasks.size()));
  }

  private static ResponseTimes of(List<TaskModel> tasks, long maxTerms) {
    ResponseTimes analysis = new ResponseTimes(List.copyOf(tasks), false, maxTerms);
    analysis.run();
    return analysis;
  }

  /** Returns how many terms a verdict about so many tasks may add up. */
  public static long verdictTerms(int tasks) {
    return Math.min(MAX_TERMS, VERDICT_TERMS + VERDICT_TERMS_PER_TASK * tasks);
  }

  /**
   * Returns whether all tasks meet their deadlines; ends with the first that does not. False, too,
   * for a set that would take longer than some milliseconds to analyse.
   *
   * @param tasks as for {@link #of}
   */
  public static boolean areDeadlinesMet(List<TaskModel> tasks) {
    return new ResponseTimes(tasks, true, verdictTerms(tasks.size())).run();
  }

  private boolean run() {
    double above = 0; // what those of higher priority take
    boolean delayed = false; // whether one of them has jitter
    boolean known = true;
    long startNs = 0;
    boolean met = true;
    for (int i = 0; i < tasks.size() && (met || !untilMiss); i++) {
      if (known && hasBusyPeriod(i, above, delayed)) {
        startNs = analyse(i, startNs);
      } else {
        responseNs[i] = UNBOUNDED;
      }
      // What a suspended task does to those below it is known if it has a response time.
      known &= tasks.get(i).suspensionNs() == 0 || responseNs[i] != UNBOUNDED;
      above += tasks.get(i).utilization();
      delayed |= jitterNs[i] > 0;
      met &= meets(i);
    }
    return met;
  }

  /**
   * Returns whether a busy period of a task ends. It does not where the task and those above it
   * need more than the whole processor, with the time that it suspends itself; nor where they need
   * just that, and anything puts them off, since nothing is left to catch up.
   */
  private boolean hasBusyPeriod(int task, double above, boolean delayed) {
    TaskModel model = tasks.get(task);
    long ownNs = model.costNs() + model.suspensionNs();
    int whole =
        Utilization.compareToOne(
            above + (double) ownNs / model.periodNs(), tasks.subList(0, task), ownNs, model);
    return whole < 0 || whole == 0 && !delayed && model.jitterNs() == 0 && model.blockingNs() == 0;
  }

  /** Returns the tasks, the one of highest priority first. */
  public List<TaskModel> tasks() {
    return tasks;
  }

  /** Returns the response time of a task; {@link #UNBOUNDED}: there is none. */
  public long responseNs(int task) {
    return responseNs[task];
  }

  /**
   * Returns whether the analysis has come to its end; else a task may be {@link #UNBOUNDED} only
   * because it was given up.
   */
  public boolean isComplete() {
    return terms <= maxTerms;
  }

  /** Returns whether a task meets its deadline. */
  public boolean meets(int task) {
    return responseNs[task] <= tasks.get(task).deadlineNs();
  }

  /** Returns whether all tasks meet their deadlines. */
  public boolean isSchedulable() {
    for (int i = 0; i < tasks.size(); i++) {
      if (!meets(i)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Finds the response time of a task.
   *
   * @param startNs the first window of the task before, to which this one adds its cost at least;
   *     0: unknown
   * @return the first window of this one; 0: unknown
   */
  private long analyse(int task, long startNs) {
    TaskModel model = tasks.get(task);
    long firstNs = 0;
    long worstNs = 0;
    long windowNs = startNs == 0 ? 0 : startNs + model.costNs();
    for (long q = 0; ; q++) {
      windowNs = window(task, q, windowNs);
      if (windowNs == UNBOUNDED) {
        worstNs = UNBOUNDED;
        break;
      }
      firstNs = q == 0 ? windowNs : firstNs;
      long arrivedNs = q * model.periodNs() - model.jitterNs();
      worstNs = Math.max(worstNs, windowNs - arrivedNs);
      if (windowNs <= arrivedNs + model.periodNs()) {
        break;
      }
    }
    responseNs[task] = worstNs;
    jitterNs[task] =
        model.suspensionNs() == 0 || worstNs == UNBOUNDED
            ? model.jitterNs()
            : worstNs - model.costNs();
    // The window of a task that is blocked or suspended is not within that of the next one.
    return model.blockingNs() == 0 && model.suspensionNs() == 0 ? firstNs : 0;
  }

  /** Returns the least fixpoint from a start that is not above it. */
  private long window(int task, long q, long startNs) {
    TaskModel model = tasks.get(task);
    long ownNs = model.costNs() + model.suspensionNs();
    long baseNs = q >= LIMIT / ownNs ? UNBOUNDED : (q + 1) * ownNs + model.blockingNs();
    long windowNs = Math.max(startNs, baseNs);
    long arrivedNs = q * model.periodNs() - model.jitterNs();
    long limitNs = untilMiss ? Math.min(LIMIT, arrivedNs + model.deadlineNs()) : LIMIT;
    while (windowNs <= limitNs && (terms += task + 1) <= maxTerms) {
      long nextNs = baseNs;
      for (int i = 0; i < task && nextNs <= limitNs; i++) {
        if (windowNs > workUntilNs[i] || windowNs <= workAfterNs[i]) {
          findWork(i, windowNs);
        }
        nextNs += workNs[i];
      }
      if (nextNs <= windowNs) {
        return windowNs;
      }
      windowNs = nextNs;
    }
    return UNBOUNDED;
  }

  /** Finds how long a task runs in windows that are about as long as this one. */
  private void findWork(int task, long windowNs) {
    TaskModel model = tasks.get(task);
    long releases = Math.ceilDiv(windowNs + jitterNs[task], model.periodNs());
    workNs[task] = releases > LIMIT / model.costNs() ? LIMIT + 1 : releases * model.costNs();
    workUntilNs[task] = releases * model.periodNs() - jitterNs[task];
    workAfterNs[task] = workUntilNs[task] - model.periodNs();
  }
}
