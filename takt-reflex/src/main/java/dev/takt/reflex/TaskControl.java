package dev.takt.reflex;

import dev.takt.reflex.memory.AtomicStats;
import org.jspecify.annotations.Nullable;

/**
 * What others see of a registered task.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public sealed interface TaskControl permits TaskRunner {
  /** Returns the name given at registration. */
  String name();

  /** Returns the priority. */
  int priority();

  /** Returns the counters. */
  TaskStats stats();

  /** Returns the counters of the calls of its {@link Atomic} methods. */
  AtomicStats atomicStats();

  /**
   * Returns the first exception that escaped from the task, or null. Later ones are counted, and
   * only the first {@link RuntimeSettings#maxFailures()} in a row are endured: then the task is
   * stopped.
   */
  @Nullable Throwable failure();

  /**
   * Returns whether the task is never released again: it failed too often, or the runtime has
   * stopped.
   */
  boolean isStopped();
}
