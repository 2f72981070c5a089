package dev.takt.reflex;

import dev.takt.realtime.os.Collector;
import dev.takt.realtime.os.CpuConfinement;
import dev.takt.realtime.os.MemoryLock;
import dev.takt.realtime.os.Shortfall;
import dev.takt.realtime.os.WakeLatencyLimit;
import dev.takt.reflex.RuntimeScheduling.Service;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the threads of a runtime were granted by the operating system: a value to read, and in one
 * line for people to see.
 *
 * @param asked what the runtime asks for
 * @param threads each thread that has started: those of the active tasks, then the workers
 * @param memory whether the memory of the process is locked; null if it was not asked for, or not
 *     yet
 * @param housekeeping where the threads are that have no real-time policy; null if they were not to
 *     be kept apart, or there are too few processors, or not yet
 * @param wakeLatency whether idle processors stay awake; null if it was not asked for, or not yet
 * @param budget why overruns of budgets are not counted; null: they are, or no task has a budget
 */
public record RuntimeGrants(
    RuntimeScheduling asked,
    List<ThreadGrant> threads,
    @Nullable MemoryLock memory,
    @Nullable CpuConfinement housekeeping,
    @Nullable WakeLatencyLimit wakeLatency,
    @Nullable Shortfall budget) {
  private static final Shortfall NOT_APART =
      new Shortfall(
          "processors apart",
          "housekeeping",
          "there is no processor left for the other threads of this process, or none is known",
          "use Linux with two processors or more, with native access, or ask for fewer (activeCpus,"
              + " workerCpus)");

  /** Copies the list. */
  public RuntimeGrants {
    threads = List.copyOf(threads);
  }

  /** Returns whether the memory of the process is kept from being paged out. */
  public boolean memoryLocked() {
    return memory != null && memory.locked();
  }

  /** Returns whether everything was granted that was asked for. */
  public boolean isComplete() {
    return shortfalls().isEmpty();
  }

  /** Returns what was not granted, once for each service. */
  public List<Shortfall> shortfalls() {
    List<Shortfall> all = new ArrayList<>();
    threads.forEach(thread -> all.addAll(thread.grant().shortfalls()));
    if (memory != null) {
      all.addAll(memory.shortfalls());
    }
    if (wakeLatency != null) {
      all.addAll(wakeLatency.shortfalls());
    }
    if (housekeeping != null) {
      all.addAll(housekeeping.shortfalls());
    } else if (asked.asks(Service.OTHERS_APART) && !threads.isEmpty()) {
      all.add(NOT_APART);
    }
    if (budget != null) {
      all.add(budget);
    }
    Set<String> services = new HashSet<>();
    all.removeIf(shortfall -> !services.add(shortfall.service()));
    return all;
  }

  /**
   * Returns all of it in one line, such as {@code FIFO 10 to 80 granted on 3 of 3 threads; memory
   * locked}, with the reasons and remedies of what was not granted, and what the collector means
   * for real-time threads.
   */
  @Override
  public String toString() {
    if (asked.equals(RuntimeScheduling.NONE)
        && threads.stream().noneMatch(each -> each.asked().policy().isRealtime())) {
      return "as for any thread; nothing was asked of the operating system"
          + (budget == null ? "" : "; " + budget);
    }
    List<String> parts = new ArrayList<>();
    parts.add(policies());
    if (asked.asks(Service.MEMORY_LOCKED)) {
      parts.add(memoryLocked() ? "memory locked" : "memory not locked");
    }
    if (housekeeping != null && housekeeping.isGranted()) {
      parts.add(housekeeping.toString());
    }
    if (wakeLatency != null && wakeLatency.shortfalls().isEmpty()) {
      parts.add("idle processors stay awake");
    }
    shortfalls().forEach(shortfall -> parts.add(shortfall.toString()));
    if (asked.policy().isRealtime()) {
      Collector.stoppingTheWorld()
          .ifPresent(
              name ->
                  parts.add(
                      name
                          + " stops all threads while it collects, real-time ones, too; ZGC hardly"
                          + " does: -XX:+UseZGC"));
    }
    return String.join("; ", parts);
  }

  private String policies() {
    List<ThreadGrant> ranked =
        threads.stream().filter(thread -> thread.asked().policy().isRealtime()).toList();
    if (ranked.isEmpty()) {
      return "no thread asked for a real-time policy";
    }
    IntSummaryStatistics priorities =
        ranked.stream().mapToInt(thread -> thread.asked().priority()).summaryStatistics();
    int low = priorities.getMin();
    int high = priorities.getMax();
    return "%s %s granted on %s of %s %s"
        .formatted(
            ranked.getFirst().asked().policy(),
            low == high ? low : low + " to " + high,
            ranked.stream().filter(ThreadGrant::hasPolicy).count(),
            ranked.size(),
            ranked.size() == 1 ? "thread" : "threads");
  }
}
