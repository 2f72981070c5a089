package dev.takt.reflex;

import dev.takt.reflex.woven.ChangeSink;
import dev.takt.reflex.woven.TaskMemory;
import org.jspecify.annotations.Nullable;

/**
 * Gives tasks back the state that was stored of them.
 *
 * <p>Called when a task is registered, before its stable objects are counted and before {@code
 * initialize()}: see {@link RuntimeSettings#withRecovery}.
 *
 * <p><b>Thread rule:</b> called by the thread that registers the task, under the lock of the
 * registration; no release of the task runs.
 */
@FunctionalInterface
public interface TaskRecovery {
  /** There is nothing to recover. */
  TaskRecovery NONE = (name, task) -> false;

  /**
   * Sets the fields of a task, and what hangs together with them, to what was stored.
   *
   * @param name the name under which the task is registered
   * @param task as its constructor has made it
   * @return whether there was something stored under that name
   * @throws IllegalArgumentException if what was stored does not fit the task
   */
  boolean recover(String name, ReflexTask task);

  /**
   * Returns what learns of the changes that the releases of a task commit, or null. Called after
   * {@link #recover}, when the task's memory is prepared; its first release is the next thing that
   * changes it.
   *
   * @throws IllegalStateException if the task cannot be kept
   */
  default @Nullable ChangeSink changes(String name, ReflexTask task, TaskMemory memory) {
    return null;
  }
}
