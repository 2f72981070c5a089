package dev.takt.cpu;

import dev.takt.cpu.portable.BatonThread;
import dev.takt.cpu.portable.Turn;
import dev.takt.realtime.LeadBounds;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.ReleaseEngine;
import dev.takt.realtime.ReleaseListener;
import dev.takt.realtime.ReleaseOutcome;
import dev.takt.realtime.ReleaseParameters;
import dev.takt.realtime.ReleaseTimer;
import dev.takt.realtime.ReleaseView;
import dev.takt.realtime.RevocableScheduling;
import dev.takt.realtime.RunningRelease;
import dev.takt.realtime.Schedulable;
import dev.takt.realtime.Supervised;
import dev.takt.realtime.ThreadMeter;
import dev.takt.realtime.counters.CounterRows;
import dev.takt.realtime.counters.Figure;
import dev.takt.realtime.counters.RowText;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.realtime.stop.RunAborted;
import dev.takt.realtime.stop.StopSwitch;
import dev.takt.realtime.stop.StoppableThread;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Plain code, released by time on a thread of its own.
 *
 * <p>Its release is aborted by an interrupt, which ends what waits, and at the stop sites of its
 * code ({@link dev.takt.realtime.stop.Stoppable}), which end what runs. What does not wait and has
 * no stop sites cannot be ended by anybody; it loses its priority.
 *
 * <p><b>Thread rule:</b> any thread, but for {@link #run}, which is the thread's own.
 */
final class RunnableTask extends StoppableThread implements Schedulable {
  private static final long ABORT_POLL_NS = 100_000;

  /** The time between two looks at which code it is in. */
  private static final long ABORT_LOOK_NS = 2_000_000;

  final Control control = new Control();
  private final String name;
  private final Runnable work;
  private final ReleaseParameters parameters;
  private final NanoClock clock;
  private final ReleaseTimer timer;
  private final ReleaseEngine engine;
  private final Consumer<Throwable> failures;
  private final Runnable onEnd;
  private final @Nullable BatonThread scheduler;
  private final @Nullable Turn turn;
  private final RevocableScheduling scheduling;
  private volatile boolean quarantined;

  /** Open when it runs no code of the task any more. */
  private final CountDownLatch ended = new CountDownLatch(1);

  /** The number of the release that is to end; 0: none. */
  private volatile long abortedNumber;

  /**
   * Makes one; {@link #start} begins its releases.
   *
   * @param scheduler gives it the processor; null: the operating system
   * @param grants is told what its thread was granted, each time it has asked
   */
  RunnableTask(
      ManagedTask task,
      Runnable work,
      ThreadScheduling asked,
      @Nullable BatonThread scheduler,
      ManagerSettings settings,
      ReleaseListener listener,
      Consumer<Throwable> failures,
      Consumer<Grant> grants,
      Runnable onEnd) {
    super(null, "takt-" + task.name());
    setDaemon(true);
    this.name = task.name();
    this.work = work;
    this.parameters = task.profile().release();
    this.scheduling = new RevocableScheduling(settings.system(), asked, grants);
    this.clock = settings.clock();
    this.failures = failures;
    this.onEnd = onEnd;
    this.scheduler = scheduler;
    this.turn = scheduler == null ? null : scheduler.newTurn();
    if (turn != null) {
      task.turns.add(turn);
    }
    timer = new ReleaseTimer(clock, clock.newSleeper(), leadBounds(task.profile()));
    engine =
        new ReleaseEngine(
            this, parameters, null, ThreadMeter.of(clock), List.of(listener), failures);
  }

  /**
   * How much it may spin before its releases: a part of its own share of the processor. So all
   * tasks of one together spin for that part of it at most, however many they are; what each may
   * spin by itself would add up to more than a processor.
   */
  static LeadBounds leadBounds(Profile profile) {
    double share = Math.min(1, (double) profile.trialCostNs() / profile.periodNs());
    return new LeadBounds(
        LeadBounds.DEFAULT_MIN_LEAD_NS,
        LeadBounds.DEFAULT_MAX_LEAD_NS,
        share * LeadBounds.DEFAULT_MAX_SPIN_SHARE);
  }

  @Override
  public void run() {
    try {
      scheduling.enlist(false);
      engine.start(clock.nanoTime());
      while (awaitNext()) {
        if (quarantined) {
          engine.pass(clock.nanoTime());
        } else {
          release();
        }
        if (turn != null) {
          turn.giveBack(clock.nanoTime());
        }
      }
    } finally {
      leaveTurn();
      ended.countDown();
      onEnd.run();
    }
  }

  private boolean awaitNext() {
    boolean due = turn != null && turn.await(engine.next());
    while (!due && !timer.isCancelled()) {
      due = engine.awaitNext(timer);
      if (!due) {
        interrupted(); // it came too late for the release that was to end
      }
    }
    return due;
  }

  private void leaveTurn() {
    if (scheduler != null && turn != null) {
      scheduler.remove(turn);
    }
  }

  private void release() {
    engine.begin(clock.nanoTime());
    ReleaseOutcome outcome = ReleaseOutcome.COMPLETED;
    try {
      work.run();
    } catch (RunAborted e) {
      outcome = ReleaseOutcome.ABORTED;
    } catch (Throwable e) {
      outcome = quarantined ? ReleaseOutcome.ABORTED : ReleaseOutcome.FAILED;
      failed(e);
    } finally {
      engine.end(clock.nanoTime(), outcome);
      interrupted(); // one that was meant for this release
    }
  }

  /** Reporting runs code of the task, too, which may be aborted, or throw again. */
  private void failed(Throwable failure) {
    try {
      failures.accept(failure);
    } catch (Throwable e) {
      // the failure is counted
    }
  }

  void schedule(ThreadScheduling asked) {
    scheduling.schedule(asked);
  }

  @Nullable Grant grant() {
    return scheduling.grant();
  }

  /** Begins no release any more, and lets the thread end. */
  void end() {
    timer.cancel();
    leaveTurn();
  }

  /**
   * Called when nobody waits for the end of its release any more. One that is left with a
   * reservation of the kernel would keep a JVM from exiting until its next period, or longer.
   */
  void abandon() {
    demote();
    interrupt();
  }

  /**
   * Waits until it has ended; not by {@link #join} alone, which waits for the thread's own monitor
   * without end.
   */
  void awaitEnd(Duration timeout) throws InterruptedException {
    if (ended.await(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
      join(timeout);
    }
  }

  /** Adds what is counted of its releases to its row. */
  void copyTo(CounterRows rows) {
    rows.set(RowText.TYPE, "plain")
        .set(Figure.PRIORITY, priority())
        .set(Figure.COMMITS, engine.count(ReleaseOutcome.COMPLETED))
        .set(Figure.ABORTS, engine.count(ReleaseOutcome.ABORTED))
        .set(Figure.FAILURES, engine.count(ReleaseOutcome.FAILED))
        .set(Figure.LATE_STARTS, engine.lateStarts())
        .set(Figure.MISSES, engine.misses())
        .set(Figure.SKIPPED, engine.skipped())
        .set(Figure.RELEASES, engine.releases());
  }

  boolean abortRelease(Duration timeout) {
    RunningRelease running = engine.running();
    if (running == null || Thread.currentThread() == this) {
      return false;
    }
    abortedNumber = running.number();
    interrupt();
    long nowNs = clock.nanoTime();
    long untilNs = nowNs + timeout.toNanos();
    long lookNs = nowNs;
    Set<Class<?>> flipped = new HashSet<>();
    try {
      while (engine.runs(running.number())) {
        if (nowNs - untilNs >= 0 || Thread.currentThread().isInterrupted()) {
          return false;
        }
        if (nowNs - lookNs >= 0) {
          // Again and again: it may have gone on to other code, or to another wait.
          StopSwitch.flipWhereItIs(this, flipped);
          interrupt();
          lookNs = clock.nanoTime() + ABORT_LOOK_NS;
        }
        clock.parkNanos(ABORT_POLL_NS);
        nowNs = clock.nanoTime();
      }
      return true;
    } finally {
      StopSwitch.rearm(flipped);
    }
  }

  @Override
  protected boolean isToStop() {
    return engine.runs(abortedNumber);
  }

  void demote() {
    scheduling.demote();
    if (turn != null) {
      turn.leave();
    }
  }

  boolean restore() {
    if (turn != null) {
      turn.rejoin();
    }
    scheduling.restore();
    return true;
  }

  void quarantine(boolean quarantined) {
    this.quarantined = quarantined;
  }

  boolean isQuarantined() {
    return quarantined;
  }

  void stop(String reason) {
    end();
  }

  @Override
  public String name() {
    return name; // that of the thread can be changed by its code
  }

  @Override
  public int priority() {
    Grant present = scheduling.grant();
    return scheduling.isDemoted()
        ? 0
        : present == null ? scheduling.asked().priority() : present.scheduling().priority();
  }

  @Override
  public ReleaseParameters parameters() {
    return parameters;
  }

  @Override
  public @Nullable RunningRelease running() {
    return engine.running();
  }

  long nextDueNs() {
    return engine.nextDueNs();
  }

  boolean view(ReleaseView into) {
    return engine.view(into);
  }

  /**
   * What the manager supervises it by. The thread itself is in the hands of the code that it runs,
   * and must not be able to give itself back what it has lost.
   */
  final class Control implements Supervised {
    private Control() {}

    void copyTo(CounterRows rows) {
      RunnableTask.this.copyTo(rows);
    }

    @Override
    public String name() {
      return RunnableTask.this.name();
    }

    @Override
    public int priority() {
      return RunnableTask.this.priority();
    }

    @Override
    public ReleaseParameters parameters() {
      return RunnableTask.this.parameters();
    }

    @Override
    public @Nullable RunningRelease running() {
      return RunnableTask.this.running();
    }

    @Override
    public boolean view(ReleaseView into) {
      return RunnableTask.this.view(into);
    }

    @Override
    public long nextDueNs() {
      return RunnableTask.this.nextDueNs();
    }

    @Override
    public boolean abortRelease(Duration timeout) {
      return RunnableTask.this.abortRelease(timeout);
    }

    @Override
    public void demote() {
      RunnableTask.this.demote();
    }

    @Override
    public boolean restore() {
      return RunnableTask.this.restore();
    }

    @Override
    public void schedule(ThreadScheduling asked) {
      RunnableTask.this.schedule(asked);
    }

    @Override
    public @Nullable Grant grant() {
      return RunnableTask.this.grant();
    }

    @Override
    public void quarantine(boolean quarantined) {
      RunnableTask.this.quarantine(quarantined);
    }

    @Override
    public boolean isQuarantined() {
      return RunnableTask.this.isQuarantined();
    }

    @Override
    public void stop(String reason) {
      RunnableTask.this.stop(reason);
    }
  }
}
