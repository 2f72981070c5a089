package dev.takt.bench.cpu;

import dev.takt.cpu.CpuManager;
import dev.takt.cpu.ManagedTask;
import dev.takt.cpu.ManagerEvent;
import dev.takt.cpu.ManagerSettings;
import dev.takt.cpu.Profile;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.RunningRelease;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.OperatingSystem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The CPU manager with one of its schedulers. Where its threads have fixed priorities they have a
 * processor that no other thread of this JVM uses: the manager sees to that.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class ManagedBench implements Workbench {
  /** The least that the manager takes, so that a cost is learned within the shorter experiments. */
  private static final int TRIAL_RELEASES = 100;

  private final List<ManagerEvent> events = Collections.synchronizedList(new ArrayList<>());
  private final List<ManagedTask> tasks = new ArrayList<>();
  private final CpuManager manager;

  ManagedBench(Contestant contestant) {
    OperatingSystem system = OperatingSystems.current();
    CpuSet cpus = contestant.isBound() ? Workbench.processor() : null;
    if (!contestant.isUnprivileged()) {
      system.lockMemory(true);
    }
    manager =
        CpuManager.start(
            ManagerSettings.defaults()
                .withScheduler(contestant.scheduler())
                .withCpus(cpus)
                .withTrialReleases(TRIAL_RELEASES)
                .withEvents(events::add));
  }

  @Override
  public void start(Profile profile, Work work) {
    AtomicReference<ManagedTask> self = new AtomicReference<>();
    ManagedTask task = manager.register(profile, () -> release(self.get(), work));
    if (!task.state().isAdmitted()) {
      throw new IllegalStateException(
          profile.name() + " was not admitted: " + task.decision().reason());
    }
    tasks.add(task);
    self.set(task);
  }

  /** A release does not know when it was due, but others do. */
  private static void release(ManagedTask self, Work work) {
    RunningRelease running = self == null ? null : self.running();
    if (running != null) {
      work.release(running.dueNs());
    }
  }

  @Override
  public Optional<ManagedTask> task(String name) {
    return tasks.stream().filter(each -> each.name().equals(name)).findFirst();
  }

  @Override
  public List<ManagerEvent> events() {
    synchronized (events) {
      return List.copyOf(events);
    }
  }

  @Override
  public void close() {
    manager.close();
  }
}
