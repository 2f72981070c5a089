package dev.takt.persist;

import dev.takt.realtime.Admission;
import dev.takt.realtime.AdmissionAnswer;
import dev.takt.realtime.AdmissionRequest;
import dev.takt.realtime.LeadBounds;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.Periodic;
import dev.takt.realtime.ReleaseEngine;
import dev.takt.realtime.ReleaseListener;
import dev.takt.realtime.ReleaseOutcome;
import dev.takt.realtime.ReleaseParameters;
import dev.takt.realtime.ReleaseTimer;
import dev.takt.realtime.ReleaseTurn;
import dev.takt.realtime.ReleaseView;
import dev.takt.realtime.RevocableScheduling;
import dev.takt.realtime.RunningRelease;
import dev.takt.realtime.Supervised;
import dev.takt.realtime.ThreadMeter;
import dev.takt.realtime.counters.CounterRows;
import dev.takt.realtime.counters.Figure;
import dev.takt.realtime.counters.RowKind;
import dev.takt.realtime.counters.RowText;
import dev.takt.realtime.os.Sleeper;
import dev.takt.realtime.os.ThreadScheduling;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The thread of the increments: a periodic task while a cycle goes on, asleep while none does.
 *
 * <pre>
 *   idle -- a cycle begins --&gt; increment, period, increment, ... -- it is over --&gt; idle
 * </pre>
 *
 * <p>After it was idle its periods are counted anew, from a period after its last release at the
 * earliest: so it is never released more often than it was admitted for.
 *
 * <p>An increment that is aborted ends between two objects and nothing is undone: the cycle goes on
 * with the next one. It never spins, since nothing is lost when an increment begins late.
 *
 * <p><b>Thread rule:</b> as {@link Supervised}. Releases allocate nothing but what the cycle does.
 */
final class PersistenceThread extends Thread implements Supervised {
  private static final long ABORT_POLL_NS = 20_000;

  private final PersistenceTask task;
  private final AdmissionAnswer admission;
  private final Periodic parameters;
  private final NanoClock clock;
  private final Sleeper sleeper;
  private final ReleaseTimer timer;
  private final ReleaseEngine engine;
  private final int priority;
  private final RevocableScheduling scheduling;
  private volatile @Nullable ReleaseTurn turn;
  private volatile boolean quarantined;
  private volatile @Nullable String stopReason;

  private PersistenceThread(
      PersistenceTask task, AdmissionAnswer admission, Periodic parameters, NanoClock clock) {
    super("takt-persist");
    setDaemon(true);
    this.task = task;
    this.admission = admission;
    this.parameters = parameters;
    this.clock = clock;
    this.priority = task.settings().priority();
    this.scheduling =
        new RevocableScheduling(OperatingSystems.current(), task.settings().scheduling());
    this.sleeper = clock.newSleeper();
    this.timer = new ReleaseTimer(clock, sleeper, LeadBounds.NO_SPIN);
    ReleaseListener listener = admission.listener();
    this.engine =
        new ReleaseEngine(
            this,
            parameters,
            null,
            ThreadMeter.of(clock),
            listener == null ? List.of() : List.of(listener),
            task.settings().failures());
  }

  /**
   * Makes one that is admitted.
   *
   * @param code whose class of trust counts
   * @throws IllegalStateException if it is not admitted
   */
  static PersistenceThread admitted(PersistenceTask task, Class<?> code, NanoClock clock) {
    PersistenceTaskSettings settings = task.settings();
    Periodic parameters = Periodic.ofNs(settings.periodNs()).withBudgetNs(settings.targetPauseNs());
    Admission given = settings.admission();
    Admission installed = Admission.installed();
    AdmissionAnswer answer =
        (given == null || installed.isBinding() ? installed : given)
            .decide(new AdmissionRequest("persistence", code, parameters, settings.priority()));
    String refusal = answer.refusal();
    if (refusal != null) {
      throw new IllegalStateException(
          ("the persistence task is not admitted (targetPauseNs=%s, periodNs=%s): %s; a task"
                  + " without a budget may count with half of what is left: give it one"
                  + " (Schedule.budgetNs), or take shorter increments or a longer period"
                  + " (PersistenceTaskSettings)")
              .formatted(settings.targetPauseNs(), settings.periodNs(), refusal));
    }
    try {
      PersistenceThread thread = new PersistenceThread(task, answer, parameters, clock);
      answer.bind(thread);
      thread.turn = answer.newTurn();
      return thread;
    } catch (RuntimeException | Error e) {
      answer.ended();
      throw e;
    }
  }

  @Override
  public void run() {
    try {
      scheduling.enlist(true);
      engine.start(clock.nanoTime());
      while (!timer.isCancelled()) {
        if (!task.hasWork()) {
          idle();
        } else if (awaitNext()) {
          release();
          giveTurnBack();
        }
      }
    } finally {
      leaveTurn();
      admission.ended();
      task.incrementsEnded(stopReason);
    }
  }

  /** Makes it look whether there is something to do; any thread. */
  void wake() {
    sleeper.wake();
  }

  private void idle() {
    long earliestNs = engine.next(); // a period after the last release
    if (!timer.awaitWake()) {
      Thread.interrupted(); // an interrupt ends nothing here
    }
    long nowNs = clock.nanoTime();
    engine.start(nowNs - earliestNs < 0 ? earliestNs : nowNs);
  }

  private boolean awaitNext() {
    ReleaseTurn turn = this.turn;
    boolean due = turn != null && turn.await(engine.next());
    while (!due && !timer.isCancelled()) {
      due = engine.awaitNext(timer);
      if (!due) {
        Thread.interrupted();
      }
    }
    return due;
  }

  private void release() {
    if (quarantined) {
      engine.pass(clock.nanoTime());
      return;
    }
    engine.begin(clock.nanoTime());
    ReleaseOutcome outcome = ReleaseOutcome.FAILED;
    try {
      task.increment();
      outcome = ReleaseOutcome.COMPLETED;
    } finally {
      engine.end(clock.nanoTime(), outcome);
    }
  }

  private void giveTurnBack() {
    ReleaseTurn turn = this.turn;
    if (turn != null) {
      turn.giveBack(clock.nanoTime());
    }
  }

  private void leaveTurn() {
    ReleaseTurn turn = this.turn;
    if (turn != null) {
      turn.leave();
    }
  }

  @Override
  public void schedule(ThreadScheduling asked) {
    scheduling.schedule(asked);
  }

  @Override
  public void demote() {
    scheduling.demote();
    leaveTurn();
  }

  @Override
  public boolean restore() {
    ReleaseTurn turn = this.turn;
    if (turn != null) {
      turn.rejoin();
    }
    scheduling.restore();
    return true;
  }

  /** Makes the thread end after the present increment. */
  void end() {
    timer.cancel();
    leaveTurn();
  }

  @Override
  public void stop(String reason) {
    stopReason = reason;
    end();
  }

  @Override
  public boolean abortRelease(Duration timeout) {
    RunningRelease running = engine.running();
    if (running == null || Thread.currentThread() == this) {
      return false;
    }
    long untilNs = clock.nanoTime() + timeout.toNanos();
    while (engine.runs(running.number())) {
      task.preempt();
      if (clock.nanoTime() - untilNs >= 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      clock.parkNanos(ABORT_POLL_NS);
    }
    return true;
  }

  @Override
  public void quarantine(boolean quarantined) {
    this.quarantined = quarantined;
  }

  @Override
  public boolean isQuarantined() {
    return quarantined;
  }

  @Override
  public String name() {
    return "persistence";
  }

  @Override
  public int priority() {
    return admission.isBestEffort() || scheduling.isDemoted() ? 1 : priority;
  }

  @Override
  public ReleaseParameters parameters() {
    return parameters;
  }

  @Override
  public @Nullable RunningRelease running() {
    return engine.running();
  }

  /** While it is idle, that of the earliest one that a new cycle may begin with. */
  @Override
  public long nextDueNs() {
    return engine.nextDueNs();
  }

  @Override
  public boolean view(ReleaseView into) {
    return engine.view(into);
  }

  /** Adds its row, which a CPU manager may have begun or completes. */
  void copyTo(CounterRows rows, String owner) {
    rows.addShared(RowKind.TASK, owner, name(), this)
        .set(RowText.TYPE, "persistence")
        .complete(RowText.STATE, quarantined ? "quarantined" : task.state())
        .complete(Figure.PERIOD_NS, parameters.periodNs())
        .complete(Figure.DEADLINE_NS, parameters.deadlineNs())
        .complete(Figure.BUDGET_NS, parameters.budgetNs())
        .set(Figure.PRIORITY, priority())
        .set(Figure.COMMITS, engine.count(ReleaseOutcome.COMPLETED))
        .set(Figure.FAILURES, engine.count(ReleaseOutcome.FAILED))
        .set(Figure.LATE_STARTS, engine.lateStarts())
        .set(Figure.MISSES, engine.misses())
        .set(Figure.SKIPPED, engine.skipped())
        .raise(Figure.OVERRUNS, engine.overruns())
        .set(Figure.RELEASES, engine.releases());
  }
}
