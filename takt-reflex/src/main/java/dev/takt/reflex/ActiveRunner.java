package dev.takt.reflex;

import dev.takt.realtime.Continuous;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.ReleaseTimer;
import dev.takt.realtime.ReleaseTurn;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.space.Handle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An active task: released by time, on a thread of its own.
 *
 * <p>When a release ends after the deadlines of later periods have passed, these periods are
 * skipped: running them one after the other would only make the next ones late too.
 */
final class ActiveRunner extends TaskRunner implements Runnable {
  private final Schedule schedule;
  private final ReleaseTimer timer;
  private @Nullable ReleaseContext context;
  private volatile @Nullable RuntimeThread thread;

  /** The scheduling that its admission gave it; null: none, or it was not admitted. */
  private @Nullable ThreadScheduling assigned;

  private volatile @Nullable ReleaseTurn turn;
  private volatile boolean demoted;

  ActiveRunner(
      ReflexRuntime runtime, String name, ReflexTask task, Schedule schedule, TaskState state) {
    super(runtime, name, task, schedule, state);
    this.schedule = schedule;
    NanoClock clock = runtime.settings().clock();
    this.timer = new ReleaseTimer(clock, clock.newSleeper(), schedule.lead());
  }

  /** Makes the thread that runs this. */
  synchronized RuntimeThread newThread() {
    RuntimeScheduling scheduling = runtime.settings().scheduling();
    RuntimeThread thread =
        new RuntimeThread(this, "takt-" + name(), scheduling.forActive(schedule));
    this.thread = thread;
    ThreadScheduling given = assigned;
    if (demoted) {
      thread.scheduling.schedule(scheduling.bestEffort());
    } else if (given != null) {
      thread.scheduling.schedule(scheduling.forActive(given));
    }
    return thread;
  }

  @Override
  public long nextDueNs() {
    return releases.nextDueNs();
  }

  @Override
  public synchronized void schedule(ThreadScheduling asked) {
    assigned = asked;
    RuntimeThread thread = this.thread;
    if (thread != null && !demoted) {
      thread.scheduling.schedule(runtime.settings().scheduling().forActive(asked));
    }
  }

  /** Sets the context of all releases and the time of the first; before the thread starts. */
  void prepare(ReleaseContext context, long startNs) {
    this.context = context;
    turn = state.admission().newTurn();
    releases.start(startNs);
  }

  /** Makes the thread end after the present release; any thread. */
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

  @Override
  void wake() {
    if (hasFailedTooOften()) {
      cancel();
    }
  }

  @Override
  public void demote() {
    demoted = true;
    become(ReflexRuntime.MIN_PRIORITY);
    RuntimeThread thread = this.thread;
    if (thread != null) {
      thread.scheduling.demote();
    }
    leaveTurn();
  }

  @Override
  public synchronized boolean restore() {
    demoted = false;
    become(schedule.priority());
    ReleaseTurn turn = this.turn;
    if (turn != null) {
      turn.rejoin();
    }
    RuntimeThread thread = this.thread;
    if (thread != null) {
      thread.scheduling.restore();
    }
    if (demoted) {
      demote(); // meanwhile
    }
    return true;
  }

  @Override
  @SuppressWarnings("NullAway") // prepare() comes before the thread starts
  public void run() {
    try (ReleaseContext context = this.context) {
      thread.enlist();
      if (schedule.release() instanceof Continuous) {
        runContinuously(context);
      } else {
        runPeriodically(context);
      }
      retire();
    } finally {
      runtime.onThreadEnd();
    }
  }

  private void runContinuously(ReleaseContext context) {
    awaitRelease();
    while (mayRelease()) {
      if (isDue()) {
        release(context);
      } else {
        Thread.onSpinWait();
      }
    }
  }

  private void runPeriodically(ReleaseContext context) {
    while (awaitRelease()) {
      if (isDue()) {
        release(context);
      } else {
        releases.pass(runtime.nanoTime());
      }
      ReleaseTurn turn = this.turn;
      if (turn != null) {
        turn.giveBack(runtime.nanoTime());
      }
    }
  }

  /** Waits until the next release is due; false when there are no more releases. */
  private boolean awaitRelease() {
    while (!awaitNext() && mayRelease()) {
      // An interrupt that a release has left behind: it ends the task only together with the
      // runtime.
      Thread.interrupted();
    }
    return mayRelease();
  }

  private boolean awaitNext() {
    ReleaseTurn turn = this.turn;
    return turn != null && turn.await(releases.next()) || releases.awaitNext(timer);
  }

  private boolean mayRelease() {
    return runtime.life.mayReleaseActive() && !hasFailedTooOften();
  }

  /** A task with subscriptions is released only when one has a match. */
  private boolean isDue() {
    return !isQuarantined() && (subscriptions.count() == 0 || subscriptions.hasMatch());
  }

  @Override
  long spunNs() {
    return timer.spunNs();
  }

  @Override
  public @Nullable Grant grant() {
    ThreadGrant granted = threadGrant();
    return granted == null ? null : granted.grant();
  }

  private @Nullable ThreadGrant threadGrant() {
    RuntimeThread thread = this.thread;
    return thread == null ? null : thread.grant();
  }

  void addGrantTo(List<ThreadGrant> granted) {
    ThreadGrant mine = threadGrant();
    if (mine != null) {
      granted.add(mine);
    }
  }

  /** Matches are looked for when the next period begins. */
  @Override
  public boolean wantsNotice() {
    return false;
  }

  @Override
  public void onMatch(Handle handle) {}
}
