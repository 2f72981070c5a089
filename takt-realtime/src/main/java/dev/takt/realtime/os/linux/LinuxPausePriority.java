package dev.takt.realtime.os.linux;

import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.PausePriority;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.Shortfall;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/**
 * The priority of the threads that work in the JVM's pauses: the highest of all {@link
 * PausePriority} in force.
 *
 * <p>The JVM's thread starts workers when it needs more of them. They inherit its policy, which is
 * therefore set without the flag that keeps them from it; so the threads are listed anew when the
 * policy is taken back.
 *
 * <p><b>Thread rule:</b> any thread; changes exclude each other.
 */
final class LinuxPausePriority {
  /** Sets the policy of a thread, and of those that it starts. */
  @FunctionalInterface
  interface Setter {
    Errno set(int threadId, Policy policy, int priority);
  }

  private final Supplier<int[]> threads;
  private final IntPredicate worksInPauses;
  private final Setter setter;
  private final List<PausePriority> held = new ArrayList<>();

  /**
   * Makes one.
   *
   * @param threads gives the numbers of the threads that the process has now
   * @param worksInPauses whether a thread does the work of the JVM's pauses
   * @param setter of the kernel
   */
  LinuxPausePriority(Supplier<int[]> threads, IntPredicate worksInPauses, Setter setter) {
    this.threads = threads;
    this.worksInPauses = worksInPauses;
    this.setter = setter;
  }

  synchronized PausePriority raise(int priority) {
    List<Shortfall> shortfalls = new ArrayList<>();
    Errno outcome = setAll(Policy.FIFO, Math.max(priority, highest()));
    if (outcome != Errno.NONE) {
      setAll(highest() == 0 ? Policy.OTHER : Policy.FIFO, highest());
      shortfalls.add(
          new Shortfall(
              PausePriority.SERVICE,
              String.valueOf(priority),
              "the JVM's threads keep their policy: " + outcome.explain(),
              "grant CAP_SYS_NICE, or an RLIMIT_RTPRIO of that much"));
      return new PausePriority(priority, shortfalls, _ -> {});
    }
    PausePriority made = new PausePriority(priority, shortfalls, this::release);
    held.add(made);
    return made;
  }

  private synchronized void release(PausePriority each) {
    if (held.remove(each)) {
      setAll(held.isEmpty() ? Policy.OTHER : Policy.FIFO, highest());
    }
  }

  private int highest() {
    return held.stream().mapToInt(PausePriority::priority).max().orElse(0);
  }

  /** Returns what is refused; {@link Errno#ESRCH}: there is no such thread. */
  private Errno setAll(Policy policy, int priority) {
    boolean any = false;
    for (int thread : threads.get()) {
      if (worksInPauses.test(thread)) {
        Errno outcome = setter.set(thread, policy, priority);
        if (outcome != Errno.NONE && outcome != Errno.ESRCH) { // the latter: it has ended
          return outcome;
        }
        any |= outcome == Errno.NONE;
      }
    }
    return any ? Errno.NONE : Errno.ESRCH;
  }
}
