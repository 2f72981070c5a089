package dev.takt.realtime.os;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the threads of a process may run that have no real-time policy: on the processors that all
 * {@link Housekeeping} in force allows.
 *
 * <p><b>Protocol.</b> Each change goes through all threads, and again as long as new ones come up:
 * a thread that is started meanwhile has the processors of the one that started it, which may have
 * been looked at later.
 *
 * <p><b>Thread rule:</b> any thread; changes exclude each other.
 */
final class Confinement {
  static final Path TASKS = Path.of("/proc/self/task");

  /** Threads that start threads without end are not waited for. */
  private static final int MAX_PASSES = 10;

  private final OperatingSystem system;
  private final Supplier<int[]> threads;
  private final List<Housekeeping> held = new ArrayList<>();

  /** What confined threads had before, by their number. */
  private final Map<Integer, CpuSet> before = new HashMap<>();

  /** The processors of the process, while something is held. */
  private volatile @Nullable CpuSet original;

  /** Where threads are confined to; null: nowhere. */
  private @Nullable CpuSet inForce;

  /**
   * Makes one.
   *
   * @param system whom to ask
   * @param threads gives the numbers of the threads that the process has now
   */
  Confinement(OperatingSystem system, Supplier<int[]> threads) {
    this.system = system;
    this.threads = threads;
  }

  private static final class OfProcess {
    static final Confinement INSTANCE =
        new Confinement(OperatingSystem.current(), Confinement::threadsOfProcess);
  }

  static Confinement ofProcess() {
    return OfProcess.INSTANCE;
  }

  static int[] threadsOfProcess() {
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
      List<Integer> ids = new ArrayList<>();
      for (Path task : tasks) {
        ids.add(Integer.parseInt(String.valueOf(task.getFileName())));
      }
      return ids.stream().mapToInt(Integer::intValue).toArray();
    } catch (IOException | NumberFormatException _) {
      return new int[0]; // no such system
    }
  }

  /** The processors of the process; null: unknown. */
  @Nullable CpuSet all() {
    CpuSet all = original;
    return all != null ? all : cpusOf(system.threadId());
  }

  synchronized Housekeeping confine(CpuSet cpus) {
    CpuSet all = all();
    if (all == null) {
      return refused(cpus, system.whyNotNative(), "run on Linux, with " + NativeAccess.option());
    }
    CpuSet before = inForce == null ? all : inForce;
    CpuSet next = before.and(cpus);
    if (next == null) {
      return refused(
          cpus,
          "threads may run on " + before + " only",
          "name some of these, or close the Housekeeping that is in force");
    }
    original = all;
    inForce = next;
    if (held.isEmpty()) {
      StallGuard.start();
    }
    Housekeeping made = new Housekeeping(this, cpus, moveAll(this::confined));
    held.add(made);
    return made;
  }

  private Housekeeping refused(CpuSet cpus, String reason, String remedy) {
    Shortfall shortfall = new Shortfall("processors apart", cpus.toString(), reason, remedy);
    return new Housekeeping(this, cpus, List.of(shortfall));
  }

  synchronized void release(Housekeeping each) {
    CpuSet all = original;
    CpuSet present = inForce;
    if (!held.remove(each) || all == null || present == null) {
      return;
    }
    CpuSet next = all;
    for (Housekeeping other : held) {
      CpuSet both = next.and(other.cpus());
      next = both == null ? next : both; // each was added to the others because it has some left
    }
    CpuSet wider = next;
    inForce = held.isEmpty() ? null : wider;
    moveAll((thread, cpus) -> cpus.equals(present) ? released(thread, wider, all) : cpus);
    if (held.isEmpty()) {
      StallGuard.stop();
      original = null;
      before.clear();
    }
  }

  /** Where a thread is to run; where it does: leave it there. */
  private interface Rule {
    CpuSet next(int thread, CpuSet cpus);
  }

  private CpuSet confined(int thread, CpuSet cpus) {
    CpuSet allowed = inForce;
    CpuSet next = allowed == null ? null : cpus.and(allowed);
    if (next == null || next.equals(cpus)) {
      return cpus;
    }
    before.putIfAbsent(thread, cpus);
    return next;
  }

  private CpuSet released(int thread, CpuSet wider, CpuSet all) {
    CpuSet next = before.getOrDefault(thread, all).and(wider);
    return next == null ? wider : next;
  }

  /** Moves threads that have no real-time policy by a rule; returns what is refused, once. */
  private List<Shortfall> moveAll(Rule rule) {
    Set<Integer> seen = new HashSet<>();
    List<Shortfall> shortfalls = new ArrayList<>();
    boolean more = true;
    for (int pass = 0; more && pass < MAX_PASSES; pass++) {
      more = false;
      for (int thread : threads.get()) {
        if (seen.add(thread)) {
          more = true;
          move(thread, rule, shortfalls);
        }
      }
    }
    return shortfalls;
  }

  private void move(int thread, Rule rule, List<Shortfall> shortfalls) {
    CpuSet cpus = cpusOf(thread);
    if (cpus == null || system.policy(thread) != Policy.OTHER) {
      return; // it has ended, or it is a real-time thread
    }
    CpuSet next = rule.next(thread, cpus);
    if (next.equals(cpus)) {
      return;
    }
    Errno outcome = system.bind(thread, next);
    if (outcome != Errno.NONE && outcome != Errno.ESRCH && shortfalls.isEmpty()) {
      shortfalls.add(
          new Shortfall(
              "processors apart",
              next.toString(),
              "thread " + thread + " stays on " + cpus + ": " + outcome.explain(),
              "let the sandbox permit sched_setaffinity"));
    }
  }

  private @Nullable CpuSet cpusOf(int thread) {
    return system.granted(thread).scheduling().cpus();
  }
}
