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
import java.util.Objects;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the threads of a process may run that have no real-time policy: on the processors that all
 * {@link Housekeeping} in force allows.
 *
 * <p><b>Protocol.</b> Each change goes through all threads, and again as long as new ones come up:
 * a thread that is started meanwhile has the processors of the one that started it, which may have
 * been looked at later. What a thread had before, and what it was given, is kept until nothing is
 * held any more. A thread that has other processors than it was given has been bound by somebody
 * else since: that counts then, as if it had had them from the beginning. The JVM's threads that
 * work in its pauses are left where they are: all Java threads wait for them then, the real-time
 * ones, too.
 *
 * <p><b>Thread rule:</b> any thread; changes exclude each other.
 */
final class Confinement {
  static final Path TASKS = Path.of("/proc/self/task");

  /** Threads that start threads without end are not waited for. */
  private static final int MAX_PASSES = 10;

  private final OperatingSystem system;
  private final Supplier<int[]> threads;
  private final IntPredicate worksInPauses;
  private final List<Housekeeping> held = new ArrayList<>();

  /**
   * Where a thread may run.
   *
   * @param own by itself
   * @param given now
   */
  private record Place(CpuSet own, CpuSet given) {}

  /** The places of threads, by their number. */
  private final Map<Integer, Place> places = new HashMap<>();

  /** The processors of the process, while something is held. */
  private volatile @Nullable CpuSet original;

  /** Where threads are confined to; null: nowhere. */
  private @Nullable CpuSet inForce;

  /**
   * Makes one.
   *
   * @param system whom to ask
   * @param threads gives the numbers of the threads that the process has now
   * @param worksInPauses whether a thread does the work of the JVM's pauses
   */
  Confinement(OperatingSystem system, Supplier<int[]> threads, IntPredicate worksInPauses) {
    this.system = system;
    this.threads = threads;
    this.worksInPauses = worksInPauses;
  }

  private static final class OfProcess {
    static final Confinement INSTANCE =
        new Confinement(
            OperatingSystem.current(), Confinement::threadsOfProcess, Confinement::worksInPauses);
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

  /**
   * HotSpot's own names: the thread that runs its operations while all others stand still, which
   * collects by itself under Serial; and the workers of Parallel's and G1's pauses. Workers that
   * collect while the program runs, ZGC's and G1's concurrent ones, have other names.
   */
  private static boolean worksInPauses(int thread) {
    try {
      String name = Files.readString(TASKS.resolve(thread + "/comm")).strip();
      return name.equals("VM Thread") || name.startsWith("GC Thread#");
    } catch (IOException _) {
      return false; // it has ended
    }
  }

  /** The processors of the process: those of its threads that share fairly; null: unknown. */
  @Nullable CpuSet all() {
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

  synchronized Housekeeping confine(CpuSet cpus) {
    CpuSet all = all();
    if (all == null) {
      return refused(cpus, system.whyNotNative(), "run on Linux, with " + NativeAccess.option());
    }
    CpuSet present = inForce;
    CpuSet before = present == null ? all : present;
    CpuSet next = before.and(cpus);
    if (next == null) {
      return refused(
          cpus,
          "threads may run on " + before + " only",
          "name some of these, or close the Housekeeping that is in force");
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
      StallGuard.start();
    }
    Housekeeping made =
        new Housekeeping(
            this,
            cpus,
            moveAll((thread, now, isNew) -> confined(thread, now, isNew ? next : present, next)));
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
    if (held.isEmpty()) {
      StallGuard.stop(); // which gives threads back what they had, before it is looked at
    }
    CpuSet next = all;
    for (Housekeeping other : held) {
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
  private interface Rule {
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
    Place place = places.get(thread);
    boolean fair = system.policy(thread) == Policy.OTHER;
    CpuSet own = cpus;
    if (place != null && cpus.equals(place.given())) {
      own = place.own();
    } else if (place == null && cpus.equals(inherited)) {
      if (!fair) {
        return cpus; // or it was bound so by itself: who knows
      }
      own = Objects.requireNonNull(original);
    }
    CpuSet both = own.and(allowed);
    CpuSet next = fair && both != null ? both : cpus;
    places.put(thread, new Place(own, next));
    return next;
  }

  private CpuSet released(int thread, CpuSet cpus, CpuSet present, CpuSet wider) {
    Place place = places.get(thread);
    boolean fair = system.policy(thread) == Policy.OTHER;
    if (place == null) {
      return fair && cpus.equals(present) ? wider : cpus;
    }
    if (!cpus.equals(place.given())) {
      return cpus; // somebody else has bound it
    }
    CpuSet both = place.own().and(wider);
    CpuSet next = fair && both != null ? both : place.own();
    places.put(thread, new Place(place.own(), next));
    return next;
  }

  /**
   * Moves threads by a rule: those that there are, and those that are known, should the system not
   * list them now.
   *
   * @return what is refused, once
   */
  private List<Shortfall> moveAll(Rule rule) {
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

  private void move(int thread, Rule rule, boolean isNew, List<Shortfall> shortfalls) {
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
