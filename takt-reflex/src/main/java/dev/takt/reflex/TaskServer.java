package dev.takt.reflex;

import dev.takt.realtime.LeadBounds;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.PassiveServer;
import dev.takt.realtime.Periodic;
import dev.takt.realtime.ReleaseParameters;
import dev.takt.realtime.ReleaseTimer;
import dev.takt.realtime.ReleaseTurn;
import dev.takt.realtime.RunningRelease;
import dev.takt.realtime.ServerAnswer;
import dev.takt.realtime.Supervised;
import dev.takt.realtime.ThreadMeter;
import dev.takt.realtime.os.ThreadScheduling;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The budgeted server of a runtime's passive tasks: what their worker asks before each release.
 *
 * <p>A server takes no more than one processor, so it has one worker, whatever {@code workers} is:
 * more would need a budget each.
 *
 * <pre>
 *   worker:  mayServe -- yes --&gt; release -- mayServe -- ...
 *               |
 *               +- used up: sleeps until the next period; producers do not wake it
 * </pre>
 *
 * <p><b>What is charged</b> is the processor time of the worker, with the looking for something to
 * do, and not what it waits for those above it. Reading it takes some 400 ns, so it is read only
 * when so much time has passed that the budget may be used up: some five times in a period. A
 * release costs one reading of the clock.
 *
 * <p><b>Thread rule:</b> {@link #begin} to {@link #afterRest}: the worker; the rest: any thread.
 * Serving allocates nothing.
 */
final class TaskServer implements Supervised {
  private final PassiveServer parameters;
  private final @Nullable ServerAnswer admission;
  private final NanoClock clock;
  private final ThreadMeter meter;
  private final ReleaseTimer timer;
  private final RuntimeScheduling scheduling;
  private final String name;
  private volatile @Nullable ThreadScheduling assigned;
  private volatile boolean isBestEffort;
  private volatile @Nullable Worker worker;
  private volatile @Nullable ReleaseTurn turn;

  // Of the worker.
  private ServerBudget budget;
  private boolean hasTurn;
  private long lookAtNs;
  private long usedBeforeNs;

  /**
   * Makes one.
   *
   * @param admission what it was admitted with; null: there was no admission
   */
  TaskServer(
      String name,
      PassiveServer parameters,
      @Nullable ServerAnswer admission,
      RuntimeSettings settings) {
    this.name = name;
    this.parameters = parameters;
    this.admission = admission;
    this.clock = settings.clock();
    this.meter = ThreadMeter.of(clock);
    this.timer = new ReleaseTimer(clock, clock.newSleeper(), LeadBounds.NO_SPIN);
    this.scheduling = settings.scheduling();
    this.budget = new ServerBudget(parameters, clock.nanoTime());
    if (admission != null) {
      isBestEffort = admission.isBestEffort();
      admission.bind(this);
    }
  }

  /** Returns the scheduling of its worker. */
  ThreadScheduling forWorker(int priority) {
    ThreadScheduling given = assigned;
    if (isBestEffort) {
      return scheduling.bestEffort();
    }
    return given == null ? scheduling.forWorker(priority) : scheduling.forWorker(given);
  }

  /** Sets the worker, before it starts. */
  void serveBy(Worker worker) {
    turn = admission == null ? null : admission.newTurn();
    synchronized (this) {
      this.worker = worker;
      ThreadScheduling given = assigned; // perhaps another one than the worker was made with
      if (given != null) {
        schedule(given);
      }
    }
    if (isBestEffort) {
      demote(); // meanwhile
    }
  }

  /** Begins the first period. */
  void begin() {
    long nowNs = clock.nanoTime();
    budget = new ServerBudget(parameters, nowNs);
    usedBeforeNs = usedNs();
    lookAtNs = budget.lookAtNs(nowNs);
  }

  private long usedNs() {
    long usedNs = meter.usedNs();
    return usedNs == ThreadMeter.UNKNOWN ? clock.nanoTime() : usedNs;
  }

  private void charge(long nowNs) {
    long usedNs = usedNs();
    budget.charge(Math.max(0, usedNs - usedBeforeNs), nowNs);
    usedBeforeNs = usedNs;
    lookAtNs = budget.lookAtNs(nowNs);
  }

  /** Sleeps if the budget is used up; false: it is still, so look whether the runtime stops. */
  boolean mayServe() {
    long nowNs = clock.nanoTime();
    if (nowNs - lookAtNs < 0) {
      return true;
    }
    giveTurnBack(nowNs);
    charge(nowNs);
    return !budget.isUsedUp() || awaitBudget();
  }

  private boolean awaitBudget() {
    boolean due = timer.await(budget.replenishedAtNs());
    // An interrupt that a release has left behind would keep this worker from sleeping.
    Thread.interrupted();
    afterRest();
    charge(clock.nanoTime());
    return due && !budget.isUsedUp();
  }

  /** Waits for the turn of the worker where threads take turns. */
  void beginRelease() {
    ReleaseTurn turn = this.turn;
    if (turn != null && !hasTurn) {
      long nowNs = clock.nanoTime();
      charge(nowNs);
      hasTurn = turn.await(nowNs);
      afterRest();
    }
  }

  private void giveTurnBack(long nowNs) {
    ReleaseTurn turn = this.turn;
    if (turn != null && hasTurn) {
      hasTurn = false;
      turn.giveBack(nowNs);
    }
  }

  /** Called when the worker is about to sleep because there is nothing to do. */
  void beforeRest() {
    long nowNs = clock.nanoTime();
    giveTurnBack(nowNs);
    charge(nowNs);
  }

  /** Called after a wait, which is not charged. */
  void afterRest() {
    usedBeforeNs = usedNs();
  }

  /** Ends a sleep, and every later one, at once. */
  void cancel() {
    timer.cancel();
    leaveTurn();
  }

  private void leaveTurn() {
    ReleaseTurn turn = this.turn;
    if (turn != null) {
      turn.leave();
    }
  }

  /** Called when nothing is served any more; gives its share back. */
  void retire() {
    if (admission != null) {
      admission.ended();
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int priority() {
    return isBestEffort ? ReflexRuntime.MIN_PRIORITY : ReflexRuntime.MAX_PRIORITY;
  }

  @Override
  public ReleaseParameters parameters() {
    return Periodic.ofNs(parameters.periodNs()).withBudgetNs(parameters.budgetNs());
  }

  @Override
  public synchronized void schedule(ThreadScheduling asked) {
    assigned = asked;
    Worker worker = this.worker;
    if (worker != null && !isBestEffort) {
      worker.scheduling.schedule(scheduling.forWorker(asked));
    }
  }

  @Override
  public void demote() {
    isBestEffort = true;
    Worker worker = this.worker;
    if (worker != null) {
      worker.scheduling.demote();
    }
    leaveTurn();
  }

  @Override
  public synchronized boolean restore() {
    isBestEffort = false;
    ReleaseTurn turn = this.turn;
    if (turn != null) {
      turn.rejoin();
    }
    Worker worker = this.worker;
    if (worker != null) {
      worker.scheduling.restore();
    }
    if (isBestEffort) {
      demote(); // meanwhile
    }
    return true;
  }

  /** Its releases are those of the tasks, which are looked at one by one. */
  @Override
  public @Nullable RunningRelease running() {
    return null;
  }

  @Override
  public boolean abortRelease(Duration timeout) {
    return false;
  }

  /** The tasks can be put into quarantine, not all together. */
  @Override
  public void quarantine(boolean quarantined) {}

  @Override
  public boolean isQuarantined() {
    return false;
  }

  /** Ends with its runtime; until then it goes on without a guarantee. */
  @Override
  public void stop(String reason) {
    demote();
  }
}
