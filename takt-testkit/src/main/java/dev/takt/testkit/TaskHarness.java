package dev.takt.testkit;

import dev.takt.realtime.Periodic;
import dev.takt.realtime.ReleaseOutcome;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.time.Duration;

/**
 * Runs a task one release at a time, on given events, by a clock that only the test moves.
 *
 * <p>The task is an active one with a period of {@value #PERIOD_NS} ns on a {@link VirtualClock}:
 * {@link #release} writes events, lets one period pass, and says how the release ended. As in life,
 * a task with subscriptions is released only if one of them has a match, and what a release leaves
 * is there for the next. The task is not warmed up, and never stopped for failing.
 *
 * <p><b>Thread rule:</b> for one thread, the test's. The task runs on a thread of its own while
 * that one waits; nothing of it runs between two calls.
 *
 * {@snippet :
 * try (TaskHarness harness = TaskHarness.of(new StockBuyer())) {
 *   TaskHarness.Release release = harness.release(new Event("type", "sell").add("price", 12.5));
 *   assertEquals(ReleaseOutcome.COMPLETED, release.outcome());
 *   assertTrue(harness.space().test(new Event("type", "bought").add("price", 12.5)));
 * }
 * }
 */
public final class TaskHarness implements AutoCloseable {
  /** The time from one release to the next, in nanoseconds. */
  public static final long PERIOD_NS = 1_000_000;

  private static final Duration LIMIT = Duration.ofSeconds(10);

  /**
   * How a release ended.
   *
   * @param outcome how; null if there was no release, because no subscription had a match
   * @param failure what it threw, or the limit that it ran into; null if it did not fail
   */
  public record Release(ReleaseOutcome outcome, Throwable failure) {
    /** Returns whether there was a release, and it committed. */
    public boolean isCommitted() {
      return outcome == ReleaseOutcome.COMPLETED;
    }
  }

  private final VirtualClock clock = new VirtualClock();
  private final EventSpace space;
  private final ReflexRuntime runtime;
  private final TaskControl control;

  /** How the last release ended; the clock's lock hands them over. */
  private ReleaseOutcome outcome;

  private Throwable failure;

  private TaskHarness(ReflexTask task, EventSpace space, RuntimeSettings settings) {
    this.space = space;
    runtime =
        ReflexRuntime.create(
            space,
            settings
                .withClock(clock)
                .withMaxFailures(Integer.MAX_VALUE)
                .withUncheckedTasks(true)
                .withListeners(release -> outcome = release.outcome())
                .withFailureHandler((control, thrown) -> failure = thrown));
    control =
        runtime.active(
            task.getClass().getSimpleName(),
            task,
            Schedule.of(Periodic.ofNs(PERIOD_NS).withPhaseNs(PERIOD_NS)));
    runtime.start();
  }

  /**
   * Initializes a task in a space of its own.
   *
   * @throws IllegalStateException if it fails to initialize
   */
  public static TaskHarness of(ReflexTask task) {
    return of(task, EventSpace.create(), RuntimeSettings.DEFAULTS.withWarmUpNs(0));
  }

  /**
   * Initializes a task.
   *
   * @param task the task
   * @param space where it works
   * @param settings the settings; clock, listeners, failure handler and the limit of failures are
   *     the harness's
   * @throws IllegalArgumentException if the task is refused, for instance because it is not woven
   * @throws IllegalStateException if it fails to initialize
   */
  public static TaskHarness of(ReflexTask task, EventSpace space, RuntimeSettings settings) {
    return new TaskHarness(task, space, settings);
  }

  /**
   * Writes events and lets one period pass, in which there is at most one release.
   *
   * @param events what is in the space before the release, besides what was there
   * @return how it ended
   */
  public Release release(Event... events) {
    for (Event event : events) {
      space.write(event);
    }
    outcome = null;
    failure = null;
    try {
      clock.runUntil(clock.nanoTime() + PERIOD_NS, 1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the release ran", e);
    }
    return new Release(outcome, failure);
  }

  /** Returns the space. */
  public EventSpace space() {
    return space;
  }

  /** Returns the clock, whose time the task sees by {@link ReflexTask#nowNs}. */
  public VirtualClock clock() {
    return clock;
  }

  /** Returns what the runtime knows about the task: counters, memory, failures. */
  public TaskControl control() {
    return control;
  }

  /** Ends the task. */
  @Override
  public void close() {
    if (!runtime.stop(LIMIT)) {
      throw new IllegalStateException(
          "task " + control.name() + " still runs a release; make it end");
    }
  }
}
