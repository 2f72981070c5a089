package dev.takt.reflex;

import dev.takt.realtime.Supervised;
import dev.takt.realtime.os.Grant;
import dev.takt.reflex.limit.AtomicStats;
import org.jspecify.annotations.Nullable;

/**
 * What others see of a registered task.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public sealed interface TaskControl extends Supervised permits TaskRunner {
  /**
   * Returns what the thread of an active task was granted by the operating system; null until it
   * has started. Always null for a passive task, which has no thread of its own: see {@link
   * ReflexRuntime#grants} for the workers.
   */
  @Override
  @Nullable Grant grant();

  /** Returns the counters. */
  TaskStats stats();

  /**
   * Returns how many releases have committed: the same as in {@link #stats}, but without making an
   * object, for callers that ask often and must not allocate.
   */
  long commits();

  /** Returns the counters of the calls of its {@link Atomic} methods. */
  AtomicStats atomicStats();

  /**
   * Returns the first exception that escaped from the task, or null. Later ones are counted; after
   * {@link RuntimeSettings#maxFailures()} failures in a row the task is stopped.
   */
  @Nullable Throwable failure();

  /** Returns the task with its memory, for code that stores and shows it. */
  StableRoot stableRoot();

  /**
   * Returns whether the task is never released again: it failed too often or was stopped, or the
   * runtime has stopped.
   */
  boolean isStopped();

  /** Returns the reason that {@link #stop} was given; null if it was not called. */
  @Nullable String stopReason();
}
