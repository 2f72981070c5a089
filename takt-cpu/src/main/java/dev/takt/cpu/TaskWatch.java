package dev.takt.cpu;

import dev.takt.realtime.EndedRelease;
import dev.takt.realtime.ReleaseListener;
import dev.takt.realtime.Schedulable;
import dev.takt.realtime.os.OperatingSystem;

/**
 * Measures the releases of one task.
 *
 * <p><b>Thread rule:</b> the threads that run them, one at a time.
 */
final class TaskWatch implements ReleaseListener {
  private final ManagedTask task;
  private final OperatingSystem system;
  private final ManagedTask.ThreadNumbers numbers;

  TaskWatch(ManagedTask task, OperatingSystem system, ManagedTask.ThreadNumbers numbers) {
    this.task = task;
    this.system = system;
    this.numbers = numbers;
  }

  @Override
  public void onBegin(Schedulable subject, long dueNs, long beginNs) {
    task.takePriorityBack(system);
    task.onBegin(Thread.currentThread(), numbers, beginNs - dueNs);
  }

  @Override
  public void onEnd(EndedRelease release) {
    task.onEnd(release);
    task.takePriorityBack(system);
  }
}
