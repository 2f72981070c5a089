package dev.takt.cpu;

import dev.takt.cpu.analysis.TaskModel;
import dev.takt.cpu.monitor.CpuMonitor;
import dev.takt.realtime.os.Grant;
import java.util.List;

/**
 * Takes E from the CPU monitor to the admission, and to the slots of the tasks.
 *
 * <p>When E grows, the tasks of a processor may not pass any more with the time that each is given
 * then. They stay: each keeps to its cost as before, and dropping one because the machine is busy
 * would be worse than what might happen. Nothing more is admitted there until E falls or a task
 * leaves; an event says so.
 *
 * <p><b>Thread rule:</b> the upkeep's thread.
 */
final class MeasuredExtensum {
  private final ManagedTasks tasks;
  private final ManagerSettings settings;
  private final LookThread looks;
  private final CpuMonitor monitor;
  private double present;

  MeasuredExtensum(ManagedTasks tasks, ManagerSettings settings, LookThread looks) {
    this.tasks = tasks;
    this.settings = settings;
    this.looks = looks;
    present = settings.extensum();
    monitor =
        new CpuMonitor(
            settings.systemFiles(),
            Runtime.getRuntime().availableProcessors(),
            settings.extensum(),
            settings.mostExtensum());
  }

  void sample() {
    double late = looks.lateness().shareSinceLast(settings.lookPeriodNs());
    for (ManagedTask each : tasks.all()) {
      double share = each.lateness.shareSinceLast(each.profile().periodNs());
      late = each.first && each.state().isAdmitted() ? Math.max(late, share) : late;
    }
    double extensum = monitor.sample(settings.clock().nanoTime(), late, areQueued());
    if (extensum != present) {
      present = extensum;
      List<Integer> full = tasks.locked(() -> change(extensum));
      tasks.report(
          "",
          ManagerEvent.Kind.EXTENSUM,
          "extensum=%.2f: %s%s"
              .formatted(
                  extensum,
                  monitor.workload(),
                  full.isEmpty()
                      ? ""
                      : "; the tasks of the processors %s would not pass with that, they stay, and"
                              .formatted(full)
                          + " no other is admitted there"));
    }
  }

  private List<Integer> change(double extensum) {
    List<Integer> full = tasks.control().changeExtensum(extensum);
    tasks.schedule();
    tasks.readmit();
    return full;
  }

  /**
   * Whether tasks have to queue with other threads: no real-time policy is asked for, or granted.
   */
  private boolean areQueued() {
    Grant grant = looks.grant();
    return grant == null
        || !grant.scheduling().policy().isRealtime()
        || !settings
            .scheduler()
            .scheduling(TaskModel.of("any", 1_000_000, 100_000_000), 0)
            .policy()
            .isRealtime();
  }
}
