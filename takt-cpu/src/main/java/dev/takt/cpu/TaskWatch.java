package dev.takt.cpu;

import dev.takt.realtime.EndedRelease;
import dev.takt.realtime.ReleaseListener;
import dev.takt.realtime.Schedulable;

/**
 * Measures the releases of one task.
 *
 * <p><b>Thread rule:</b> the threads that run them, one at a time.
 */
final class TaskWatch implements ReleaseListener {
  private final ManagedTask task;
  private final ManagedTask.ThreadNumbers numbers;

  TaskWatch(ManagedTask task, ManagedTask.ThreadNumbers numbers) {
    this.task = task;
    this.numbers = numbers;
  }

  @Override
  public void onBegin(Schedulable subject, long dueNs, long beginNs) {
    task.onBegin(Thread.currentThread(), numbers, beginNs - dueNs);
  }

  @Override
  public void onEnd(EndedRelease release) {
    task.onEnd(release);
  }
}
