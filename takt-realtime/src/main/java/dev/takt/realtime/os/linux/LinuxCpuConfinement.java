package dev.takt.realtime.os.linux;

import dev.takt.realtime.os.CpuConfinement;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.Shortfall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the threads of a process may run that have no real-time policy: on the processors that all
 * {@link CpuConfinement} in force allows.
 *
 * <p><b>Protocol.</b> Each change goes through all threads, and again as long as new ones come up:
 * a thread that is started meanwhile has the processors of the one that started it, which may have
 * been visited later. What a thread had before, and what it was given, is kept until nothing is
 * held any more. A thread that has other processors than it was given has been bound by other code
 * since; these then count as its original ones. The JVM's threads that work in its pauses are left
 * where they are: all Java threads wait for them then, the real-time ones, too.
 *
 * <p><b>Thread rule:</b> any thread; changes exclude each other.
 */
final class LinuxCpuConfinement {
  /** Threads that start threads without end are not waited for. */
  private static final int MAX_PASSES = 10;

  private final OperatingSystem system;
  private final StarvationMonitor monitor;
  private final Supplier<int[]> threads;
  private final IntPredicate worksInPauses;
  private final List<CpuConfinement> held = new ArrayList<>();

  /**
   * Where a thread may run.
   *
   * @param own by itself
   * @param given now
   */
  private record Affinity(CpuSet own, CpuSet given) {}

  /** The places of threads, by their number. */
  private final Map<Integer, Affinity> places = new HashMap<>();

  /** The processors of the process, while something is held. */
  private volatile @Nullable CpuSet original;

  /** Where threads are confined to; null: nowhere. */
  private @Nullable CpuSet inForce;

  /**
   * Makes one.
   *
   * @param system reads and sets the processors of threads
   * @param monitor runs while threads are confined
   * @param threads gives the numbers of the threads that the process has now
   * @param worksInPauses whether a thread does the work of the JVM's pauses
   */
  LinuxCpuConfinement(
      OperatingSystem system,
      StarvationMonitor monitor,
      Supplier<int[]> threads,
      IntPredicate worksInPauses) {
    this.system = system;
    this.monitor = monitor;
    this.threads = threads;
    this.worksInPauses = worksInPauses;
  }

  /** The processors of the process: those of its threads that share fairly; null: unknown. */
  @Nullable CpuSet processCpus() {
    CpuSet all = original;
    if (all != null) {
      return all;
    }
    for (int thread : threads.get()) {
      CpuSet cpus = system.policy(thread) == Policy.OTHER ? cpusOf(thread) : null;
      if (cpus != null) {
        all = all == null ? cpus : all.or(cpus);
      }
    }
    return all != null ? all : cpusOf(system.threadId());
  }

  synchronized CpuConfinement confine(CpuSet cpus) {
    CpuSet all = processCpus();
    if (all == null) {
      return refused(
          cpus,
          "the processors of this process are unknown",
          "let the sandbox permit sched_getaffinity");
    }
    CpuSet present = inForce;
    CpuSet before = present == null ? all : present;
    CpuSet next = before.and(cpus);
    if (next == null) {
      return refused(
          cpus,
          "threads may run on " + before + " only",
          "name some of these, or close the CpuConfinement that is in force");
    }
    int[] known = threads.get();
    if (known.length == 0) {
      return refused(
          cpus,
          "the threads of this process cannot be listed",
          "mount /proc, and leave a file descriptor free");
    }
    original = all;
    inForce = next;
    if (held.isEmpty()) {
      monitor.start(all);
    }
    CpuConfinement made =
        new CpuConfinement(
            cpus,
            moveAll((thread, now, isNew) -> confined(thread, now, isNew ? next : present, next)),
            this::release);
    held.add(made);
    return made;
  }

  private CpuConfinement refused(CpuSet cpus, String reason, String remedy) {
    Shortfall shortfall = new Shortfall(CpuConfinement.SERVICE, cpus.toString(), reason, remedy);
    return new CpuConfinement(cpus, List.of(shortfall), _ -> {});
  }

  private synchronized void release(CpuConfinement each) {
    CpuSet all = original;
    CpuSet present = inForce;
    if (!held.remove(each) || all == null || present == null) {
      return;
    }
    if (held.isEmpty()) {
      monitor.stop(); // threads that it has moved are moved back before their processors are read
    }
    CpuSet next = all;
    for (CpuConfinement other : held) {
      CpuSet both = next.and(other.cpus());
      next = both == null ? next : both; // each was added to the others because it has some left
    }
    CpuSet wider = next;
    inForce = held.isEmpty() ? null : wider;
    moveAll((thread, cpus, isNew) -> released(thread, cpus, present, wider));
    if (held.isEmpty()) {
      original = null;
      places.clear();
    }
  }

  /** Where a thread is to run; where it does: leave it there. */
  private interface Placement {
    /**
     * @param isNew whether it was started since the change began
     */
    CpuSet next(int thread, CpuSet cpus, boolean isNew);
  }

  /**
   * @param inherited what a thread has that was started by a confined one; null: there is none
   */
  private CpuSet confined(int thread, CpuSet cpus, @Nullable CpuSet inherited, CpuSet allowed) {
    if (worksInPauses.test(thread)) {
      return cpus.equals(inherited) ? Objects.requireNonNull(original) : cpus;
    }
    Affinity place = places.get(thread);
    boolean fair = system.policy(thread) == Policy.OTHER;
    CpuSet own = cpus;
    if (place != null && cpus.equals(place.given())) {
      own = place.own();
    } else if (place == null && cpus.equals(inherited)) {
      if (!fair) {
        return cpus; // it may also have bound itself to them
      }
      own = Objects.requireNonNull(original);
    }
    CpuSet both = own.and(allowed);
    CpuSet next = fair && both != null ? both : cpus;
    places.put(thread, new Affinity(own, next));
    return next;
  }

  private CpuSet released(int thread, CpuSet cpus, CpuSet present, CpuSet wider) {
    Affinity place = places.get(thread);
    boolean fair = system.policy(thread) == Policy.OTHER;
    if (place == null) {
      return fair && cpus.equals(present) ? wider : cpus;
    }
    if (!cpus.equals(place.given())) {
      return cpus; // bound by other code since
    }
    CpuSet both = place.own().and(wider);
    CpuSet next = fair && both != null ? both : place.own();
    places.put(thread, new Affinity(place.own(), next));
    return next;
  }

  /**
   * Moves threads by a rule: those that there are, and those that are known, should the system not
   * list them now.
   *
   * @return what is refused, once
   */
  private List<Shortfall> moveAll(Placement rule) {
    Set<Integer> seen = new HashSet<>();
    List<Shortfall> shortfalls = new ArrayList<>();
    boolean more = true;
    for (int pass = 0; more && pass < MAX_PASSES; pass++) {
      more = false;
      for (int thread : threads.get()) {
        if (seen.add(thread)) {
          more = true;
          move(thread, rule, pass > 0, shortfalls);
        }
      }
    }
    for (int thread : List.copyOf(places.keySet())) {
      if (seen.add(thread)) {
        move(thread, rule, false, shortfalls);
      }
    }
    return shortfalls;
  }

  private void move(int thread, Placement rule, boolean isNew, List<Shortfall> shortfalls) {
    CpuSet cpus = cpusOf(thread);
    if (cpus == null) {
      places.remove(thread); // it has ended
      return;
    }
    CpuSet next = rule.next(thread, cpus, isNew);
    if (next.equals(cpus)) {
      return;
    }
    Errno outcome = system.bind(thread, next);
    if (outcome != Errno.NONE && outcome != Errno.ESRCH && shortfalls.isEmpty()) {
      shortfalls.add(
          new Shortfall(
              CpuConfinement.SERVICE,
              next.toString(),
              "thread " + thread + " stays on " + cpus + ": " + outcome.explain(),
              "let the sandbox permit sched_setaffinity"));
    }
  }

  private @Nullable CpuSet cpusOf(int thread) {
    return system.granted(thread).scheduling().cpus();
  }
}
