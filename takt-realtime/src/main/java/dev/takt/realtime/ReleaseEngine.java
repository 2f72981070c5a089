package dev.takt.realtime;

import dev.takt.realtime.flight.TaktEvents;
import dev.takt.realtime.internal.Fields;
import dev.takt.realtime.os.Shortfall;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The releases of one {@link Schedulable}, one after the other: when each is due, its begin and
 * end, what is judged and counted, and which listeners are called.
 *
 * <p><b>Purpose.</b> Tasks, real-time threads and handlers have one meaning of late start, miss,
 * skipped period and overrun. The engine has no thread and reads no clock: the thread that runs the
 * releases drives it.
 *
 * <pre>
 *   start -&gt; awaitNext -&gt; begin -&gt; (the work) -&gt; end      by time
 *              ^    |                               |
 *              +----+---------- pass ---------------+
 *            due -&gt; begin -&gt; (the work) -&gt; end          by what the caller has found to be due
 * </pre>
 *
 * <p><b>Supervision.</b> A release in progress is published by one ordered store at its begin and
 * one at its end: a sequence number, odd while it runs. Due time, begin and thread are written
 * before the number becomes odd, and a reader checks that the number is still the same after it has
 * read them.
 *
 * <p><b>Thread rule.</b> {@link #running} and the counts: any thread. Everything else: the thread
 * that runs the releases, one at a time, unless a method says otherwise.
 *
 * <p><b>Memory.</b> About 300 bytes; nothing is allocated afterwards, unless by {@link #running} or
 * a listener. Without deadline, budget and listener no time is taken and a release costs two
 * counters.
 */
public final class ReleaseEngine implements EndedRelease {
  private static final int LATE_STARTS = ReleaseOutcome.values().length;
  private static final int MISSES = LATE_STARTS + 1;
  private static final int SKIPPED = LATE_STARTS + 2;
  private static final int OVERRUNS = LATE_STARTS + 3;

  private static final VarHandle DUE =
      Fields.handle(MethodHandles.lookup(), ReleaseEngine.class, "dueNs", long.class);
  private static final VarHandle SEQUENCE =
      Fields.handle(MethodHandles.lookup(), ReleaseEngine.class, "sequence", long.class);

  private final Schedulable subject;
  private final ReleaseParameters parameters;
  private final ThreadMeter meter;
  private final ReleaseListener[] listeners;
  private final Consumer<Throwable> listenerFailures;
  private final @Nullable ArrivalQueue arrivals;
  private final boolean timed;
  private final boolean continuous;
  private final long lateStartNs;
  private final SingleWriterCounters counters = new SingleWriterCounters(OVERRUNS + 1);
  private @Nullable PeriodicReleases periods;

  /** Odd while a release runs; accessed through {@link #SEQUENCE}. */
  private long sequence;

  private Thread thread = Thread.currentThread();
  private long dueNs;
  private long beginNs;
  private long usedBeforeNs;
  private long endNs;
  private ReleaseOutcome outcome = ReleaseOutcome.COMPLETED;
  private long tardinessNs;
  private long overBudgetNs;

  /** What the Flight Recorder is told of the release that runs; null: nothing. */
  private @Nullable Object flight;

  /**
   * Makes an engine.
   *
   * @param subject what it releases
   * @param parameters when, and what is expected of a release
   * @param arrivals the arrivals that wait; null: it is released by time, or the caller finds out
   *     what is due
   * @param meter measures the processor time of the calling thread, if there is a budget
   * @param listeners are called in this order, at the end of a release in this order, too
   * @param listenerFailures receives what a listener throws
   */
  public ReleaseEngine(
      Schedulable subject,
      ReleaseParameters parameters,
      @Nullable ArrivalQueue arrivals,
      ThreadMeter meter,
      List<ReleaseListener> listeners,
      Consumer<Throwable> listenerFailures) {
    this.subject = subject;
    this.parameters = parameters;
    this.arrivals = arrivals;
    this.meter = meter;
    this.listeners = listeners.toArray(ReleaseListener[]::new);
    this.listenerFailures = listenerFailures;
    this.continuous = parameters instanceof Continuous;
    this.lateStartNs = parameters.lateStartNs();
    this.timed = parameters.deadlineNs() != 0 || parameters.budgetNs() != 0 || !listeners.isEmpty();
  }

  /** Returns what it was made with. */
  public ReleaseParameters parameters() {
    return parameters;
  }

  /**
   * Returns whether times are needed; otherwise those that {@link #begin}, {@link #end} and {@link
   * #due} are given are ignored.
   */
  public boolean isTimed() {
    return timed;
  }

  /**
   * Sets what periods and phases are counted from, before the first release.
   *
   * @param originNs the time
   */
  public void start(long originNs) {
    switch (parameters) {
      case Periodic periodic -> periods = new PeriodicReleases(periodic, originNs);
      case Continuous continuous -> dueNs = originNs + continuous.phaseNs();
      case Sporadic _, Aperiodic _ -> {}
    }
  }

  /**
   * Waits until the next release is due: by time, or by the oldest arrival.
   *
   * @param timer what to wait with
   * @return false if the timer was cancelled or the thread interrupted
   */
  public boolean awaitNext(ReleaseTimer timer) {
    if (arrivals != null) {
      return awaitArrival(timer, arrivals);
    }
    return timer.await(next());
  }

  /**
   * Goes on to the next release by time, for a caller that waits for it in another way than {@link
   * #awaitNext}.
   *
   * @return when it is due
   */
  public long next() {
    if (periods != null) {
      dueNs = periods.nextNs();
    }
    return dueNs;
  }

  private boolean awaitArrival(ReleaseTimer timer, ArrivalQueue arrivals) {
    while (true) {
      long nextNs = arrivals.nextNs();
      if (nextNs == ArrivalQueue.NONE) {
        if (!timer.awaitWake()) {
          return false;
        }
      } else if (!timer.await(nextNs)) {
        return false;
      } else if (poll(arrivals, nextNs)) {
        return true;
      } // else a later arrival has taken the place of the one that was waited for
    }
  }

  private boolean poll(ArrivalQueue arrivals, long nowNs) {
    long polledNs = arrivals.poll(nowNs);
    if (polledNs == ArrivalQueue.NONE) {
      return false;
    }
    dueNs = polledNs;
    return true;
  }

  /**
   * Brings an arrival; any thread.
   *
   * @param nowNs the time
   * @return what became of it
   */
  public Arrival arrive(long nowNs) {
    return queue().arrive(nowNs);
  }

  /**
   * Returns how long it takes until the oldest arrival is due; 0: it is, or none waits; any thread.
   */
  public long dueInNs(long nowNs) {
    long nextNs = queue().nextNs();
    return nextNs == ArrivalQueue.NONE ? 0 : Math.max(0, nextNs - nowNs);
  }

  /**
   * Takes the oldest arrival out and begins its release, if it is due.
   *
   * @param nowNs the time
   * @return whether a release has begun
   */
  public boolean beginDue(long nowNs) {
    boolean due = poll(queue(), nowNs);
    if (due) {
      begin(nowNs);
    }
    return due;
  }

  /** Takes the oldest arrivals out without a release; any thread. */
  public void dropArrivals(long count) {
    queue().dropOldest(count);
  }

  /** Ignores all arrivals from now on, if it is released by them; any thread. */
  public void closeArrivals() {
    if (arrivals != null) {
      arrivals.close();
    }
  }

  /** Returns how many arrivals have had this result; any thread. */
  public long count(Arrival arrival) {
    return arrivals == null ? 0 : arrivals.count(arrival);
  }

  private ArrivalQueue queue() {
    if (arrivals == null) {
      throw new IllegalStateException(
          subject.name() + " is not released by arrivals (remedy: release(Sporadic..))");
    }
    return arrivals;
  }

  /**
   * Sets when the next release became due, for one that is not released by time.
   *
   * @param dueNs the time
   */
  public void due(long dueNs) {
    this.dueNs = dueNs;
  }

  /**
   * Begins a release, on the calling thread.
   *
   * @param nowNs the time
   */
  public void begin(long nowNs) {
    VarHandle.storeStoreFence(); // after the store that has ended the release before
    Thread caller = Thread.currentThread();
    if (thread != caller) {
      thread = caller;
    }
    beginNs = nowNs;
    if (continuous) {
      dueNs = nowNs;
    }
    flight = TaktEvents.beginRelease();
    SEQUENCE.setRelease(this, sequence + 1);
    if (timed) {
      beginTimed(nowNs);
    }
  }

  private void beginTimed(long nowNs) {
    if (lateStartNs != 0 && nowNs - dueNs >= lateStartNs) {
      counters.add(LATE_STARTS, 1);
    }
    for (ReleaseListener listener : listeners) {
      try {
        listener.onBegin(subject, dueNs, nowNs);
      } catch (Throwable e) {
        listenerFailures.accept(e);
      }
    }
    if (parameters.budgetNs() != 0) {
      usedBeforeNs = meter.usedNs();
    }
  }

  /**
   * Ends the release that runs: judges and counts it, and calls the listeners.
   *
   * @param nowNs the time
   * @param outcome how it ended
   */
  public void end(long nowNs, ReleaseOutcome outcome) {
    counters.add(outcome.ordinal(), 1);
    if (timed) {
      judge(nowNs);
    }
    SEQUENCE.setRelease(this, sequence + 1);
    if (flight != null) {
      recordRelease(flight, outcome);
    }
    if (timed) {
      endTimed(nowNs, outcome);
    }
  }

  private void recordRelease(Object begun, ReleaseOutcome outcome) {
    TaktEvents.endRelease(
        begun,
        subject.name(),
        outcome.name().toLowerCase(Locale.ROOT),
        releases(),
        timed ? beginNs - dueNs : TaktEvents.NO_TIME);
    flight = null;
  }

  private void judge(long nowNs) {
    if (parameters.budgetNs() != 0) {
      overBudgetNs = parameters.overBudgetNs(meter.usedNs() - usedBeforeNs);
      if (overBudgetNs > 0) {
        counters.add(OVERRUNS, 1);
        if (TaktEvents.wantsOverruns()) {
          long budgetNs = parameters.budgetNs();
          TaktEvents.overrun(subject.name(), budgetNs, budgetNs + overBudgetNs);
        }
      }
    }
    tardinessNs = parameters.tardinessNs(dueNs, nowNs);
    if (tardinessNs > 0) {
      counters.add(MISSES, 1);
      if (TaktEvents.wantsMisses()) {
        TaktEvents.miss(subject.name(), parameters.deadlineNs(), tardinessNs);
      }
    }
    pass(nowNs);
  }

  private void endTimed(long nowNs, ReleaseOutcome outcome) {
    endNs = nowNs;
    if (this.outcome != outcome) {
      this.outcome = outcome;
    }
    for (ReleaseListener listener : listeners) {
      try {
        listener.onEnd(this);
      } catch (Throwable e) {
        // The release is over and stands; a broken listener must not take the thread with it.
        listenerFailures.accept(e);
      }
    }
  }

  /**
   * Goes on to the next period, after a release or without one.
   *
   * @param nowNs the time
   */
  public void pass(long nowNs) {
    if (periods != null) {
      long skipped = periods.end(nowNs);
      if (skipped != 0) {
        counters.add(SKIPPED, skipped);
      }
    }
  }

  @Override
  public Schedulable subject() {
    return subject;
  }

  @Override
  public long number() {
    return releases();
  }

  /** Returns when the present release, or the last one, was due. */
  @Override
  public long dueNs() {
    return dueNs;
  }

  /** Returns when the present release, or the last one, has begun. */
  @Override
  public long beginNs() {
    return beginNs;
  }

  @Override
  public long endNs() {
    return endNs;
  }

  @Override
  public ReleaseOutcome outcome() {
    return outcome;
  }

  @Override
  public long tardinessNs() {
    return tardinessNs;
  }

  @Override
  public long overBudgetNs() {
    return overBudgetNs;
  }

  /** Returns the release that runs now; null: none, or it ended during this call. */
  public @Nullable RunningRelease running() {
    ReleaseView view = new ReleaseView();
    return view(view) ? view.toRelease() : null;
  }

  /**
   * As {@link #running}, and allocates nothing.
   *
   * @param into is set to the release that runs now; what it is otherwise means nothing
   * @return false: none runs, or it ended during this call
   */
  public boolean view(ReleaseView into) {
    long seen = (long) SEQUENCE.getAcquire(this);
    if ((seen & 1) == 0) {
      return false;
    }
    into.set(number(seen), dueNs, beginNs, thread);
    VarHandle.loadLoadFence();
    return (long) SEQUENCE.getOpaque(this) == seen;
  }

  /**
   * Returns when the next release is due, or a time that has passed while its thread has not gone
   * on to it; any thread.
   *
   * @return {@link Supervised#UNKNOWN_NS}: it is not released by time
   */
  public long nextDueNs() {
    return periods == null ? Supervised.UNKNOWN_NS : (long) DUE.getOpaque(this);
  }

  /**
   * Returns the thread that runs a release now; null: none does, or it ended during this call.
   * Allocates nothing.
   */
  public @Nullable Thread runner() {
    long seen = (long) SEQUENCE.getAcquire(this);
    Thread runner = thread;
    VarHandle.loadLoadFence();
    return (seen & 1) != 0 && (long) SEQUENCE.getOpaque(this) == seen ? runner : null;
  }

  /** Returns whether the release with a number runs now. */
  public boolean runs(long number) {
    return (long) SEQUENCE.getAcquire(this) == 2 * number - 1;
  }

  private static long number(long sequence) {
    return (sequence + 1) >> 1;
  }

  /** Returns how many releases have begun. */
  public long releases() {
    return number((long) SEQUENCE.getAcquire(this));
  }

  /** Returns how many releases have ended in a way. */
  public long count(ReleaseOutcome outcome) {
    return counters.get(outcome.ordinal());
  }

  /**
   * Returns how many releases have begun late, by {@link ReleaseParameters#lateStartNs} or more.
   */
  public long lateStarts() {
    return counters.get(LATE_STARTS);
  }

  /** Returns how many releases have ended past their deadline. */
  public long misses() {
    return counters.get(MISSES);
  }

  /** Returns how many periods had no release because their deadline had passed before. */
  public long skipped() {
    return counters.get(SKIPPED);
  }

  /** Returns how many releases took more processor time than their budget. */
  public long overruns() {
    return counters.get(OVERRUNS);
  }

  /** Returns why overruns are not counted; null: they are, or there is no budget. */
  public @Nullable Shortfall shortfall() {
    return parameters.budgetNs() == 0 ? null : meter.budgetShortfall(subject.name());
  }
}
