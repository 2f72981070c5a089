package dev.takt.cpu;

import dev.takt.realtime.Supervised;
import java.time.Duration;

/**
 * What is done about a task that exceeds its cost, by its class: its priority goes at once; what
 * needs a lock or has to wait is done on a thread of its own.
 *
 * <p><b>Thread rule:</b> the supervisor's thread.
 */
final class Containment implements Supervisor.Findings {
  /** How long the release of a task that is dropped may take to end. */
  private static final Duration ABORT = Duration.ofSeconds(1);

  private final CpuManager manager;

  Containment(CpuManager manager) {
    this.manager = manager;
  }

  @Override
  public void overrun(ManagedTask task, long usedNs) {
    manager.report(
        task, ManagerEvent.Kind.OVERRUN, "%s ns used (limit: %s)".formatted(usedNs, task.costNs()));
  }

  @Override
  public void exceeded(ManagedTask task, Supervised subject, String reason) {
    OverrunPolicy policy = policy(task);
    if (policy == OverrunPolicy.COUNT) {
      return;
    }
    // Without any lock, and before anything else: who holds one may need that processor.
    subject.demote();
    if (!task.contained) {
      task.contained = true;
      manager.begin(new ContainingThread(task, subject, policy, reason));
    }
  }

  /**
   * Returns what is done with a task. A passive one has no thread of its own that could go on as
   * best effort: it would keep the worker of all others, so it is dropped instead.
   */
  private static OverrunPolicy policy(ManagedTask task) {
    OverrunPolicy policy = task.profile().authentication().onOverrun();
    return policy == OverrunPolicy.DEMOTE && task.state() == ManagedTask.State.SERVED
        ? OverrunPolicy.DROP
        : policy;
  }

  /** Contains one task: waits for locks and for the end of its release, as no look may. */
  private final class ContainingThread extends Thread {
    private final ManagedTask task;
    private final Supervised subject;
    private final OverrunPolicy policy;
    private final String reason;

    ContainingThread(ManagedTask task, Supervised subject, OverrunPolicy policy, String reason) {
      super("takt-contain-" + task.name());
      setDaemon(true);
      this.task = task;
      this.subject = subject;
      this.policy = policy;
      this.reason = reason;
    }

    @Override
    public void run() {
      if (manager.leave(
          task,
          policy == OverrunPolicy.DEMOTE ? ManagedTask.State.DEMOTED : ManagedTask.State.DROPPED)) {
        manager.report(task, ManagerEvent.Kind.DEMOTED, reason);
        if (policy == OverrunPolicy.DROP) {
          drop();
        }
      }
    }

    private void drop() {
      subject.quarantine(true);
      boolean ended = subject.running() == null || subject.abortRelease(ABORT);
      subject.stop(reason);
      if (ended || subject.running() == null) {
        manager.report(task, ManagerEvent.Kind.DROPPED, reason);
      } else {
        task.become(ManagedTask.State.UNSTOPPABLE);
        manager.report(task, ManagerEvent.Kind.UNSTOPPABLE, reason + "; it keeps a thread busy");
      }
    }
  }
}
