package dev.takt.reflex;

import dev.takt.realtime.ReleaseEngine;
import dev.takt.realtime.ReleaseOutcome;
import dev.takt.realtime.ReleaseParameters;
import dev.takt.realtime.ReleaseView;
import dev.takt.realtime.RunningRelease;
import dev.takt.realtime.ThreadMeter;
import dev.takt.realtime.flight.TaktEvents;
import dev.takt.realtime.os.Grant;
import dev.takt.reflex.limit.AtomicStats;
import dev.takt.reflex.limit.ReleaseAborted;
import dev.takt.reflex.limit.ReleaseError;
import dev.takt.reflex.limit.ReleaseStopped;
import dev.takt.reflex.woven.AtomicGate;
import dev.takt.reflex.woven.TaskMemory;
import dev.takt.reflex.woven.TaskThread;
import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.Handle;
import dev.takt.space.Subscriber;
import dev.takt.space.Template;
import dev.takt.space.Transaction;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Runs the releases of one task: each is one transaction, repeated at once when it loses a
 * conflict, and undone, in the space and in the fields of the task, when it does not commit
 * (Reflexes Fig. 6).
 *
 * <p><b>Thread rule:</b> releases are run by one thread at a time; which one, the subclass
 * arranges. Fields without a remark belong to that thread.
 */
abstract sealed class TaskRunner implements TaskControl, Subscriber
    permits ActiveRunner, PassiveRunner {
  /**
   * How often {@code initialize()} is tried, with all retries each, against ordinary threads that
   * are in its way.
   */
  private static final int MAX_INITIALIZE_TRIES = 100;

  final ReflexRuntime runtime;
  final ReflexTask task;
  final ReleaseEngine releases;

  private final String name;
  private volatile int priority;
  final TaskState state;
  private final TaskMemory memory;
  private final @Nullable AtomicGate gate;
  private final int maxRetries;
  final boolean timed;

  /**
   * How many matches the loops of a release take: fewer after the space was too full for what they
   * wrote, more again after each commit.
   */
  private int maxMatches = Integer.MAX_VALUE;

  /** Whether the attempt has ended because the space was full, and the next one takes less. */
  private boolean takesLess;

  /** What {@link #running} has returned last, if the releases take no time. */
  private volatile @Nullable RunningRelease seenFirst;

  private boolean abortRequested;
  private final FailureLog failures;
  private volatile boolean stopped;
  private volatile @Nullable String stopReason;
  private final AtomicBoolean retired = new AtomicBoolean();
  private volatile boolean quarantined;
  final Subscriptions subscriptions;

  TaskRunner(
      ReflexRuntime runtime, String name, ReflexTask task, Schedule schedule, TaskState state) {
    this.runtime = runtime;
    this.name = name;
    this.task = task;
    this.priority = schedule.priority();
    this.state = state;
    this.memory = state.memory();
    this.gate = state.gate();
    this.failures = new FailureLog(this, runtime.settings());
    this.subscriptions = new Subscriptions(runtime.space(), this, failures);
    this.maxRetries = runtime.space().settings().maxRetries();
    this.releases =
        new ReleaseEngine(
            this,
            schedule.release(),
            null,
            ThreadMeter.of(runtime.settings().clock()),
            state.listeners(runtime.settings().listeners()),
            failures::report);
    this.timed = releases.isTimed();
  }

  /** Tells the task and its admission what they are tied to; before the first release. */
  final void bind(Schedule schedule) {
    task.bind(this);
    state.admission().bind(this);
    if (schedule.bestEffort() || state.admission().isBestEffort()) {
      demote();
    }
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final int priority() {
    return priority;
  }

  @Override
  public final TaskStats stats() {
    // Releases are read last, so that a look never shows more endings than beginnings.
    long commits = commits();
    long conflicts = releases.count(ReleaseOutcome.CONFLICT);
    long aborts = releases.count(ReleaseOutcome.ABORTED);
    long failed = failed();
    return new TaskStats(
        releases.releases(),
        commits,
        conflicts,
        aborts,
        failed,
        releases.lateStarts(),
        releases.misses(),
        releases.skipped(),
        releases.overruns(),
        spunNs(),
        memory.stats());
  }

  @Override
  public final long commits() {
    return releases.count(ReleaseOutcome.COMPLETED);
  }

  final long failed() {
    return releases.count(ReleaseOutcome.FAILED);
  }

  @Override
  public final ReleaseParameters parameters() {
    return releases.parameters();
  }

  @Override
  public final @Nullable RunningRelease running() {
    RunningRelease release = releases.running();
    return release == null || timed ? release : seen(release);
  }

  @Override
  public final boolean view(ReleaseView into) {
    return timed ? releases.view(into) : TaskControl.super.view(into);
  }

  /**
   * Returns a release that has taken no time at its begin, with the time at which it was seen
   * first: it has run for so long at least.
   */
  private RunningRelease seen(RunningRelease release) {
    RunningRelease seen = seenFirst;
    if (seen == null || seen.number() != release.number()) {
      long nowNs = runtime.nanoTime();
      seen = new RunningRelease(release.number(), nowNs, nowNs, release.thread());
      seenFirst = seen;
    }
    return seen;
  }

  // Declared again, or the JVM generates a stub with a message for each, which allocates.
  @Override
  public abstract @Nullable Grant grant();

  @Override
  public abstract void demote();

  @Override
  public abstract void onMatch(Handle handle);

  /**
   * What was given back is left to the sweep: a release that gave it back would most likely end the
   * same way again, and two tasks that abort would release each other without end.
   */
  @Override
  public final void onGivenBack(Handle handle) {}

  /** Returns for how long its thread has spun in wait of releases, in nanoseconds. */
  abstract long spunNs();

  @Override
  public final AtomicStats atomicStats() {
    return gate == null ? AtomicStats.NONE : gate.stats();
  }

  @Override
  public final String toString() {
    return "%s task %s (priority=%s, releases=%s, commits=%s, failures=%s%s)"
        .formatted(
            this instanceof ActiveRunner ? "active" : "passive",
            name,
            priority,
            releases.releases(),
            commits(),
            failed(),
            isStopped() ? ", stopped" : "");
  }

  @Override
  public final @Nullable Throwable failure() {
    return failures.first();
  }

  @Override
  public final StableRoot stableRoot() {
    return new StableRoot(name, task, memory.sinks);
  }

  @Override
  public final boolean isStopped() {
    return stopped || runtime.isStopped();
  }

  @Override
  public final boolean abortRelease(Duration timeout) {
    return ForcedStop.abort(this, Waits.deadlineNs(timeout));
  }

  final void become(int priority) {
    this.priority = priority;
  }

  @Override
  public final void quarantine(boolean quarantined) {
    this.quarantined = quarantined;
    wake();
  }

  @Override
  public final boolean isQuarantined() {
    return quarantined;
  }

  @Override
  public final void stop(String reason) {
    Objects.requireNonNull(reason, "reason");
    if (!stopped) {
      stopReason = reason;
      stopped = true;
      FailureLog.warn("task " + name + " is stopped and never released again: " + reason);
      wake();
    }
  }

  @Override
  public final @Nullable String stopReason() {
    return stopReason;
  }

  /**
   * Has the thread that runs the task look whether it is stopped or may be released; any thread.
   */
  abstract void wake();

  /** Runs one release. */
  final ReleaseOutcome release(ReleaseContext context) {
    releases.begin(timed ? runtime.nanoTime() : 0);
    ReleaseOutcome outcome = attempts(context, false);
    releases.end(timed ? runtime.nanoTime() : 0, outcome);
    failures.released(outcome);
    return outcome;
  }

  /**
   * Runs {@code initialize()} as a transaction.
   *
   * @throws IllegalStateException if it does not commit
   */
  final void initialize(ReleaseContext context) {
    ReleaseOutcome outcome = attempts(context, true);
    for (int tries = 1;
        tries < MAX_INITIALIZE_TRIES && outcome == ReleaseOutcome.CONFLICT;
        tries++) {
      outcome = attempts(context, true);
    }
    failures.initialized();
    if (outcome != ReleaseOutcome.COMPLETED) {
      throw cannotInitialize(outcome);
    }
  }

  private IllegalStateException cannotInitialize(ReleaseOutcome outcome) {
    Throwable cause = failures.first();
    String why = String.valueOf(cause);
    if (outcome == ReleaseOutcome.ABORTED) {
      cause = failures.firstAbort(Abort.Reason.REQUESTED);
      why = "initialize() has called abort(); let it return, and abort in execute()";
    } else if (outcome == ReleaseOutcome.CONFLICT) {
      why =
          "it has lost conflicts with other transactions, tries="
              + MAX_INITIALIZE_TRIES
              + "; start the runtime before other threads use the same events, or do less there";
    }
    return new IllegalStateException("task " + name + " failed to initialize: " + why, cause);
  }

  private ReleaseOutcome attempts(ReleaseContext context, boolean initializing) {
    if (!enter(context)) {
      return ReleaseOutcome.FAILED;
    }
    try {
      ReleaseOutcome outcome;
      int retries = 0;
      do {
        outcome = attempt(context, retries, initializing);
        if (outcome == ReleaseOutcome.CONFLICT) {
          TaktEvents.conflict(name, retries);
        }
      } while (takesLess
          || (outcome == ReleaseOutcome.CONFLICT && retries++ < maxRetries && runtime.mayRetry()));
      return outcome;
    } finally {
      // Even if undoing has failed: atomic calls wait for the release to end.
      exit();
    }
  }

  /** Prepares for the attempts of a release; false if that fails. */
  private boolean enter(ReleaseContext context) {
    memory.sinks.enter();
    if (gate != null) {
      gate.enter();
    }
    try {
      context.prepare(state);
    } catch (Throwable e) {
      if (gate != null) {
        gate.exit();
      }
      memory.sinks.exit();
      if (e instanceof RuntimeException || e instanceof OutOfMemoryError) {
        fail(e);
        return false;
      }
      throw e;
    }
    context.transaction.traceAborts(failures.traced);
    memory.enter(context.area, context.events);
    task.enter(context.transaction, context.events);
    return true;
  }

  private void exit() {
    task.exit();
    memory.exit();
    if (gate != null) {
      gate.exit();
    }
    memory.sinks.exit();
  }

  /**
   * Runs one release and undoes it whatever happens, without counting it; the figures of the
   * memory, its peaks and growths, do include it. See {@link WarmUp}.
   *
   * @return whether it went well or aborted
   */
  final boolean rehearse(ReleaseContext context) {
    if (!enter(context)) {
      return false;
    }
    try {
      return rehearseEntered(context);
    } finally {
      exit();
    }
  }

  private boolean rehearseEntered(ReleaseContext context) {
    Transaction transaction = context.transaction;
    boolean good;
    transaction.traceAborts(Set.of());
    try {
      transaction.rehearse();
      memory.begin();
      task.warmUp();
      task.execute();
      good = memory.rollbackOnly() == null;
    } catch (Throwable e) {
      good = memory.rollbackOnly() == null && e instanceof Abort;
    }
    undo(transaction);
    context.events.reclaim();
    return good;
  }

  private ReleaseOutcome attempt(ReleaseContext context, int retries, boolean initializing) {
    Transaction transaction = context.transaction;
    ReleaseOutcome outcome;
    takesLess = false;
    try {
      transaction.begin(priority, retries);
      memory.begin();
      memory.resume();
      if (initializing) {
        task.initialize();
      } else {
        task.execute();
      }
      Error cause = memory.rollbackOnly();
      if (cause == null) {
        cause = transaction.exceeded();
      }
      if (cause != null || abortRequested) {
        // The task has caught what ended its release; it cannot take it back.
        outcome = outcome(cause);
      } else {
        TaskThread.leave();
        context.committing = true;
        boolean isCommitted = transaction.commit(memory.changed());
        outcome = isCommitted ? ReleaseOutcome.COMPLETED : ReleaseOutcome.CONFLICT;
      }
    } catch (Throwable e) {
      outcome = outcome(transaction, context.committing, e);
    }
    context.committing = false;
    if (outcome == ReleaseOutcome.COMPLETED) {
      memory.commit();
      if (maxMatches != Integer.MAX_VALUE) {
        takeMore();
      }
      subscriptions.commit();
    } else {
      undo(transaction);
    }
    context.events.reclaim();
    return outcome;
  }

  private ReleaseOutcome outcome(Transaction transaction, boolean committing, Throwable thrown) {
    if (committing && transaction.isCommitted()) {
      // What is decided is decided: the events are out, so the task must not forget that it sent
      // them.
      failures.report(thrown);
      return ReleaseOutcome.COMPLETED;
    }
    return outcome(thrown);
  }

  private ReleaseOutcome outcome(@Nullable Throwable thrown) {
    ReleaseError cause = memory.rollbackOnly();
    if (cause instanceof ReleaseAborted) {
      return ReleaseOutcome.ABORTED;
    }
    if (cause != null) {
      fail(cause);
      // A release that had to be ended by force would not end the next time either.
      stopped |= cause instanceof ReleaseStopped;
      return ReleaseOutcome.FAILED;
    }
    if (abortRequested || thrown == null) {
      if (thrown instanceof Abort abort) {
        failures.first(abort);
      }
      return ReleaseOutcome.ABORTED;
    }
    if (thrown instanceof Abort abort) {
      if (abort.reason() == Abort.Reason.CONFLICT) {
        return ReleaseOutcome.CONFLICT;
      }
      Abort first = failures.first(abort);
      if (isOverload(abort.reason())) {
        // Not a defect of this task: if taking less does not help, it is reported, and the task
        // goes on for as long as it lasts.
        takesLess = takeLess();
        if (!takesLess) {
          failures.report(first);
        }
      } else {
        fail(first);
      }
      return ReleaseOutcome.FAILED;
    }
    fail(thrown);
    return ReleaseOutcome.FAILED;
  }

  /** Whether the space has no room for what a release writes, or its journal has none. */
  private static boolean isOverload(Abort.Reason reason) {
    return reason == Abort.Reason.SPACE_FULL || reason == Abort.Reason.REFUSED;
  }

  /**
   * Has the loops of the release that goes on take half as many matches; false if they have taken
   * but one, or the runtime stops.
   */
  private boolean takeLess() {
    int taken = transaction().matches();
    if (taken <= 1 || maxMatches == 1 || !runtime.mayRetry()) {
      return false;
    }
    maxMatches = Math.max(1, Math.min(taken, maxMatches) / 2);
    return true;
  }

  /** Has the loops of the next release take some more matches, so that few of them fail. */
  private void takeMore() {
    int more = maxMatches + maxMatches / 4 + 1;
    maxMatches = more > runtime.space().settings().maxOperations() ? Integer.MAX_VALUE : more;
  }

  private void fail(Throwable thrown) {
    stopped |= failures.fail(thrown);
  }

  private void undo(Transaction transaction) {
    abortRequested = false;
    TaskThread.leave();
    memory.undo();
    if (transaction.isBegun()) {
      transaction.rollback();
    }
    subscriptions.undo();
    task.reset();
  }

  final void requestAbort() {
    abortRequested = true;
  }

  final Handle subscribe(Event template) {
    if (template instanceof Template) {
      memory.keepTransients(); // its predicates, and what they have captured
    }
    return subscriptions.add(template);
  }

  final void unsubscribe(Handle handle) {
    subscriptions.end(handle);
  }

  /**
   * Ends all subscriptions, for good; by the thread that runs the task or when none does any more.
   */
  final void retire() {
    if (retired.compareAndSet(false, true)) {
      state.admission().ended();
    }
    subscriptions.retire(
        stopped
            ? "which was stopped"
            : "which has ended, as active tasks do when the runtime drains; wait for it before, or"
                + " make it passive");
    stopped = true;
  }

  /** Returns whether the task has failed too often. */
  final boolean hasFailedTooOften() {
    return stopped;
  }

  /** Logs the events that lie in the space for this task although it had time to take them. */
  final void logLate() {
    long failed = failed();
    subscriptions.logLate(
        failed == 0
            ? "which was not done in time"
            : "which was not done in time, failures=" + failed + ", the first: " + failure());
  }

  @Override
  public final boolean hasRoom() {
    return memory.hasRoom();
  }

  @Override
  public final int maxMatches() {
    return maxMatches;
  }

  @Override
  public final Transaction transaction() {
    Transaction transaction = task.running();
    if (transaction == null) {
      throw new IllegalStateException(
          "task %s is not in a release; use its handles in initialize() and execute() only"
              .formatted(name));
    }
    return transaction;
  }
}
