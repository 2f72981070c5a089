package dev.takt.bench.cpu;

import dev.takt.bench.measure.ChildRun;
import dev.takt.cpu.CpuManager;
import dev.takt.cpu.ManagedTask;
import dev.takt.cpu.ManagerSettings;
import dev.takt.cpu.Profile;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * How much of a processor the CPU manager's own threads take, with 100 tasks of 1, 2, … 100 ms that
 * do nothing.
 *
 * @param warmupMs how long nothing counts, in milliseconds
 * @param measuredMs how long it counts then, in milliseconds
 */
public record ManagerLoadRun(int warmupMs, int measuredMs)
    implements ChildRun.Body<ManagerLoadRun.Load> {
  private static final int TASKS = 100;
  private static final long MS = 1_000_000;

  /** The part of a processor that each task is admitted with. */
  private static final double SHARE = 0.006;

  /** A task that is there, for {@code takt top} to see. */
  public static final String TASK = "task-100";

  /** How the names of all threads begin that work for the manager and are not tasks. */
  private static final List<String> THREADS = List.of("takt-cpu-", "takt-counters");

  /**
   * What was found.
   *
   * @param percents of a processor, by the names of threads
   * @param tasks how many tasks were admitted at the end
   * @param looksPerS how often the manager looked at them in a second
   */
  public record Load(Map<String, Double> percents, int tasks, double looksPerS) {
    /** Returns what all threads took together. */
    double percent() {
      return percents.values().stream().mapToDouble(Double::doubleValue).sum();
    }
  }

  @Override
  public Load run() throws InterruptedException, JMException {
    ManagementFactory.getPlatformMBeanServer(); // counters are shown once it is there
    try (CpuManager manager = CpuManager.start(ManagerSettings.defaults())) {
      for (int periodMs = 1; periodMs <= TASKS; periodMs++) {
        Profile profile =
            Profile.of("task-" + periodMs, periodMs * MS)
                .withBudgetNs((long) (SHARE * periodMs * MS));
        ManagedTask task = manager.register(profile, () -> {});
        if (!task.state().isAdmitted()) {
          throw new IllegalStateException(task.name() + ": " + task.decision().reason());
        }
      }
      pass(warmupMs);
      Map<String, Long> before = usedNs();
      long looksBefore = looks();
      long sinceNs = System.nanoTime();
      pass(measuredMs);
      long passedNs = System.nanoTime() - sinceNs;
      double looksPerS = 1e9 * (looks() - looksBefore) / passedNs;
      Map<String, Double> percents = new TreeMap<>();
      usedNs()
          .forEach(
              (name, ns) ->
                  percents.put(name, 100.0 * (ns - before.getOrDefault(name, 0L)) / passedNs));
      return new Load(percents, manager.tasks().size(), looksPerS);
    }
  }

  private static long looks() throws JMException {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    long looks = 0;
    for (ObjectName each : beans.queryNames(new ObjectName("dev.takt:type=CpuManager,*"), null)) {
      looks += (Long) beans.getAttribute(each, "Looks");
    }
    return looks;
  }

  private static void pass(int ms) throws InterruptedException {
    if (new CountDownLatch(1).await(ms, TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException("nobody counts down");
    }
  }

  /** Returns the processor time of each thread of the manager; equal names together. */
  private static Map<String, Long> usedNs() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Map<String, Long> usedNs = new TreeMap<>();
    for (Thread each : Thread.getAllStackTraces().keySet()) {
      if (THREADS.stream().anyMatch(each.getName()::startsWith)) {
        long ns = Math.max(0, threads.getThreadCpuTime(each.threadId()));
        usedNs.merge(each.getName(), ns, Long::sum);
      }
    }
    return usedNs;
  }
}
