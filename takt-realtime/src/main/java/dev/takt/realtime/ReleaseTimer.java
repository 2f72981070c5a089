package dev.takt.realtime;

import dev.takt.realtime.os.Sleeper;
import java.util.Objects;

/**
 * Waits for absolute release times: sleeps until shortly before, then spins.
 *
 * <p><b>Purpose.</b> A sleep alone ends late by what the operating system needs to wake a thread; a
 * spin alone burns a processor and, for a real-time thread, is throttled by the kernel. The timer
 * sleeps until a <em>lead</em> before the release and spins for the rest.
 *
 * <p><b>The lead</b> is learned: it is the lateness that 255 of 256 wake-ups do not exceed, found
 * by counting each one and keeping none. The one that is later makes its release late by what it
 * exceeds the lead. Wake-ups that are later than {@code maxLeadNs} are accidents, and nothing is
 * learned from them.
 *
 * <p><b>The spin share.</b> Spinning is paid for from a credit, which grows by {@code maxSpinShare}
 * of all time that passes. When it runs short, because the period is short or the lateness varies
 * much, the lead that is used shrinks and the thread sleeps even for a shorter time than the lead:
 * releases get late, by the lateness that is not spun for, and the share holds.
 *
 * <p><b>Warm caches.</b> After a long sleep the code and data of the next one are no longer in the
 * caches, which would make the end of the release slow. The timer is awake early anyway: after a
 * sleep of more than 200 microseconds it wakes earlier still, by what that took before, and goes
 * through the motions of sleeping ({@link Sleeper#warmCaches}) before it spins. That counts as
 * spinning.
 *
 * <p><b>Assumptions.</b> (1) The clock is monotonic. (2) One thread waits; any thread cancels.
 *
 * <p><b>Guarantees.</b> (1) {@link #await} returns true at or after the release time, never before.
 * (2) It spins for no longer than {@code maxLeadNs} for one release, and within any time {@code t}
 * for no longer than {@code maxSpinShare * t + 2 * maxLeadNs}. (3) {@link #cancel} ends a wait at
 * once, sleeping or spinning, also when it comes before the wait begins. (4) So does an interrupt,
 * also when the release time has passed; where the {@link Sleeper} is not woken by interrupts, the
 * interrupting thread also wakes it.
 *
 * <p><b>Thread rule.</b> {@link #await} is for one thread; everything else for any.
 *
 * <p><b>Memory.</b> Waiting allocates nothing.
 *
 * {@snippet :
 * ReleaseTimer timer = new ReleaseTimer(NanoClock.system());
 * long releaseNs = NanoClock.system().nanoTime();
 * while (timer.await(releaseNs += 100_000)) {
 *   work();
 * }
 * }
 */
public final class ReleaseTimer {
  private static final int SPUN = 0;
  private static final int SLEPT = 1;
  private static final int LEAD = 2;
  private static final int TALLIES = 3;

  /** After a wait as long as that, others have used the caches. */
  private static final long COLD_NS = 200_000;

  private static final long MAX_WARMING_NS = 40_000;
  private static final int WARMING_DECAY = 16;

  /** For looking at the clock and at the reasons to stop, before the caches are warmed. */
  private static final long WARMING_MARGIN_NS = 1_000;

  private final NanoClock clock;
  private final Sleeper sleeper;
  private final LearnedLead lead;
  private final SingleWriterCounters counters = new SingleWriterCounters(TALLIES);

  /** Longest recent duration of that run. */
  private long warmingNs = MAX_WARMING_NS / 2;

  private volatile boolean cancelled;

  /** Makes a timer with the {@linkplain LeadBounds#DEFAULTS default bounds} of the lead. */
  public ReleaseTimer(NanoClock clock) {
    this(clock, clock.newSleeper(), LeadBounds.DEFAULTS);
  }

  /**
   * Makes a timer with the default spin share.
   *
   * @param clock the clock to wait by
   * @param minLeadNs the smallest lead, in nanoseconds, at least 0
   * @param maxLeadNs the largest lead and so the longest spin, in nanoseconds, at least {@code
   *     minLeadNs}
   */
  public ReleaseTimer(NanoClock clock, long minLeadNs, long maxLeadNs) {
    this(
        clock,
        clock.newSleeper(),
        new LeadBounds(minLeadNs, maxLeadNs, LeadBounds.DEFAULT_MAX_SPIN_SHARE));
  }

  /**
   * Makes a timer.
   *
   * @param clock the clock to wait by
   * @param sleeper what the waiting thread sleeps with, by the same clock. A wake-up without a
   *     cancel only makes the thread read the clock again
   * @param bounds how much to spin
   */
  public ReleaseTimer(NanoClock clock, Sleeper sleeper, LeadBounds bounds) {
    this.clock = Objects.requireNonNull(clock, "clock");
    this.sleeper = Objects.requireNonNull(sleeper, "sleeper");
    this.lead = new LearnedLead(bounds, clock.nanoTime());
    counters.set(LEAD, lead.leadNs());
  }

  /**
   * Waits until a release time; returns at once when it has passed.
   *
   * @param releaseNs the time, by this timer's clock
   * @return true at or after the release time; false if the timer was cancelled or the thread
   *     interrupted (its interrupt status stays set)
   */
  public boolean await(long releaseNs) {
    return await(releaseNs, false);
  }

  /**
   * Waits until a release time, or until the sleeper is woken: for who must look whether there is
   * something sooner to wait for. A wake that comes while the timer spins is kept for the next
   * wait.
   *
   * @param releaseNs the time, by this timer's clock
   * @return true at or after the release time; false if woken before, perhaps for no reason, or
   *     cancelled or interrupted
   */
  public boolean awaitOrWake(long releaseNs) {
    return await(releaseNs, true);
  }

  private boolean await(long releaseNs, boolean once) {
    long nowNs = clock.nanoTime();
    boolean cold = releaseNs - nowNs > COLD_NS;
    long wakeNs = releaseNs - lead.begin(nowNs, cold ? warmingNs + WARMING_MARGIN_NS : 0);
    if (nowNs - wakeNs < 0) {
      nowNs = sleepUntil(wakeNs, nowNs, once);
      if (nowNs - wakeNs < 0) {
        return false;
      }
    }
    return nowNs - releaseNs < 0 ? spinUntil(releaseNs, nowNs, cold) : mayWait();
  }

  /** Sleeps, and returns the time: before {@code wakeNs} only if the wait has ended early. */
  private long sleepUntil(long wakeNs, long beginNs, boolean once) {
    long nowNs = beginNs;
    for (boolean again = true; again && nowNs - wakeNs < 0 && mayWait(); again = !once) {
      sleeper.sleepUntil(wakeNs);
      nowNs = clock.nanoTime();
    }
    counters.add(SLEPT, nowNs - beginNs);
    if (nowNs - wakeNs >= 0) {
      lead.woken(nowNs - wakeNs);
      counters.set(LEAD, lead.leadNs());
    }
    return nowNs;
  }

  private boolean spinUntil(long releaseNs, long beginNs, boolean cold) {
    long nowNs = beginNs;
    if (cold && releaseNs - nowNs > warmingNs) {
      nowNs = warmCaches(nowNs);
    }
    while (nowNs - releaseNs < 0 && mayWait()) {
      clock.onSpinWait(releaseNs);
      nowNs = clock.nanoTime();
    }
    // What passed after the release was not spun: the thread did not run.
    boolean released = nowNs - releaseNs >= 0;
    long spunNs = (released ? releaseNs : nowNs) - beginNs;
    lead.spun(spunNs);
    counters.add(SPUN, spunNs);
    return released && mayWait();
  }

  /** Runs the sleep path once without sleeping, to warm caches; returns the time. */
  private long warmCaches(long beginNs) {
    sleeper.warmCaches();
    long nowNs = clock.nanoTime();
    long tookNs = Math.min(nowNs - beginNs, MAX_WARMING_NS);
    warmingNs = Math.max(tookNs, warmingNs - warmingNs / WARMING_DECAY);
    return nowNs;
  }

  /**
   * Sleeps until the sleeper is woken, perhaps for no reason.
   *
   * @return false if the timer was cancelled or the thread interrupted
   */
  public boolean awaitWake() {
    if (mayWait()) {
      sleeper.sleep();
    }
    return mayWait();
  }

  private boolean mayWait() {
    return !cancelled && !Thread.currentThread().isInterrupted();
  }

  /** Ends the present wait, and every later one, at once. Cannot be undone. */
  public void cancel() {
    cancelled = true;
    sleeper.wake();
  }

  /** Returns whether it was cancelled. */
  public boolean isCancelled() {
    return cancelled;
  }

  /** Returns how long before a release the timer now wants to be woken, in nanoseconds. */
  public long leadNs() {
    return counters.get(LEAD);
  }

  /** Returns for how long it has spun so far, in nanoseconds. */
  public long spunNs() {
    return counters.get(SPUN);
  }

  /** Returns for how long it has slept so far, in nanoseconds. */
  public long sleptNs() {
    return counters.get(SLEPT);
  }
}
