package dev.takt.reflex.woven;

import dev.takt.space.NotifyingThread;
import org.jspecify.annotations.Nullable;

/**
 * A thread that runs releases: it knows the memory of the task whose release it runs, so that woven
 * code finds it with one load.
 */
public class TaskThread extends Thread implements NotifyingThread {
  /**
   * The memory of the task whose code this thread runs; null between releases, and while it runs
   * the code of others.
   */
  @Nullable TaskMemory memory;

  /** Makes a thread. */
  public TaskThread(@Nullable Runnable body, String name) {
    super(body, name);
  }

  /**
   * Sets the memory aside that the calling thread, which is a task thread, has entered: until
   * {@link TaskMemory#resume} it runs code that is not the task's. What that makes with {@code new}
   * is its own.
   */
  public static void leave() {
    ((TaskThread) Thread.currentThread()).run(null);
  }

  /** The subscribers that an operation of the task notifies are not part of its release. */
  @Override
  public final @Nullable Object beginNotifying() {
    TaskMemory before = memory;
    run(null);
    return before;
  }

  @Override
  public final void endNotifying(@Nullable Object before) {
    run((TaskMemory) before);
  }

  final void run(@Nullable TaskMemory memory) {
    if (this.memory != memory) {
      this.memory = memory;
    }
  }
}
