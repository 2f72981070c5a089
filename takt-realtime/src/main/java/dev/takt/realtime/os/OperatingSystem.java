package dev.takt.realtime.os;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The real-time services of the operating system, or what takes their place where they are not to
 * be had.
 *
 * <p>Nothing here throws because something is not permitted or not there: it is in the result.
 *
 * <p><b>Thread rule:</b> any thread. A virtual thread has the thread number and the scheduling of
 * the carrier that it is on at the moment.
 */
public interface OperatingSystem {
  /** Returns whether the services are the operating system's own. */
  boolean isNative();

  /** Returns why the services are not the operating system's own; empty if they are. */
  String whyNotNative();

  /** Returns the number of the calling thread; 0 if unknown. Allocates nothing. */
  int threadId();

  /**
   * Asks for a scheduling of the calling thread; what is refused is a shortfall of the result, and
   * the next best takes its place.
   *
   * <p>Threads that it starts do not inherit policy, priority and slice. They do inherit processors
   * and timer slack. A virtual thread gets a shortfall: the scheduling is its carrier's.
   */
  default Grant schedule(ThreadScheduling asked) {
    if (Thread.currentThread().isVirtual()) {
      Grant present = granted(threadId());
      return new Grant(
          present.threadId(),
          present.scheduling(),
          List.of(
              new Shortfall(
                  "scheduling",
                  asked.toString(),
                  "a virtual thread has none of its own",
                  "ask in a platform thread (Thread.ofPlatform())")));
    }
    return schedule(threadId(), asked);
  }

  /**
   * Asks for a scheduling of a thread of this process. {@link ThreadScheduling#OTHER} leaves a
   * thread as it is, unless it has a real-time policy: then it shares fairly from now on, with nice
   * value 0.
   *
   * @param threadId a value of {@link #threadId}; one of a thread that has ended, or of another
   *     process, gives a shortfall. The timer slack can be had by the calling thread only
   */
  Grant schedule(int threadId, ThreadScheduling asked);

  /**
   * Binds a thread of this process to processors, and leaves its policy as it is.
   *
   * @param threadId a value of {@link #threadId}
   * @return {@link Errno#NONE}; {@link Errno#EPERM}; {@link Errno#ESRCH}; {@link Errno#EINVAL}:
   *     none of the processors may be used; {@link Errno#ENOSYS} without native access
   */
  Errno bind(int threadId, CpuSet cpus);

  /**
   * Confines the threads of this process that have no real-time policy to some processors.
   *
   * @param cpus the processors for them
   * @return the confinement, in force until it is closed; what is refused is a shortfall of it
   */
  CpuConfinement confine(CpuSet cpus);

  /**
   * Gives the threads that work in the JVM's pauses a real-time priority (FIFO).
   *
   * @param priority 1 to 99; above those of all threads that may keep the JVM's from running
   * @return what is in force until it is closed; what is refused is a shortfall of it
   * @throws IllegalArgumentException if the priority is out of its range
   */
  PausePriority raisePauses(int priority);

  /**
   * Returns the processors that the threads of this process may use when none is confined; null if
   * unknown.
   */
  @Nullable CpuSet processCpus();

  /**
   * Returns how much processor time a thread of this process has used, in nanoseconds; -1 if there
   * is no such thread or it is not known. Allocates nothing.
   *
   * @param threadId a value of {@link #threadId}; 0 is no thread
   */
  long threadTimeNs(int threadId);

  /** Returns how a thread of this process is scheduled; its timer slack if it is the caller. */
  Grant granted(int threadId);

  /**
   * Sets policy and priority of a thread of this process at once: about two microseconds, nothing
   * allocated, no second-best. Slice and processors stay. Linux sets the timer slack of a thread
   * that becomes real-time to 0, and to the default when it ceases to be; the calling thread's own
   * is put back when this makes it {@link Policy#OTHER} again after having raised it.
   *
   * @param threadId a value of {@link #threadId}
   * @param policy any but {@link Policy#DEADLINE}
   * @param priority 1 to 99; 0 for {@link Policy#OTHER}
   * @return {@link Errno#NONE}; {@link Errno#EPERM}; {@link Errno#ESRCH}; {@link Errno#EINVAL};
   *     {@link Errno#ENOSYS} without native access
   */
  Errno setPolicy(int threadId, Policy policy, int priority);

  /**
   * Returns the policy of a thread of this process; {@link Policy#OTHER} if there is none.
   * Allocates nothing.
   */
  Policy policy(int threadId);

  /**
   * Returns the real-time priority of a thread of this process, without what it has inherited; 0 if
   * it has none. Allocates nothing.
   */
  int priority(int threadId);

  /**
   * Returns a number that changes each time after {@link #schedule(ThreadScheduling)} or {@link
   * #setPolicy} has changed the policy or the priority of any thread: for callers that cache what
   * they have read. What changes them by other means than this layer is not seen.
   */
  long policyChanges();

  /**
   * Keeps all memory of this process from being paged out, also what is mapped later.
   *
   * <p>An ordinary user may lock a limited amount. Under a limit nothing is locked: what goes
   * beyond it later would fail, for instance the start of a thread.
   *
   * @param onFault lock each page when it is first touched, which is cheap and leaves the first
   *     touch to cost a page fault; false: bring in all pages at once, also of all thread stacks
   */
  MemoryLock lockMemory(boolean onFault);

  /** Lets memory be paged out again. */
  MemoryLock unlockMemory();

  /** Returns whether memory is locked. */
  MemoryLock memoryLock();

  /**
   * Asks the machine that its idle processors wake up within so many microseconds. It needs no
   * native access; what is refused is a shortfall of the result.
   *
   * @param maxUs how long a wake-up may take, 0 to 2 000 000 000 microseconds; 0: they do not sleep
   *     but poll
   * @return the request, held until it is closed or the process ends
   * @throws IllegalArgumentException if {@code maxUs} is out of its range
   */
  default WakeLatencyLimit limitWakeLatency(int maxUs) {
    return WakeLatencyLimit.ask(WakeLatencyLimit.DEVICE, WakeLatencyLimit.CPUIDLE_FOLDER, maxUs);
  }

  /**
   * Tells a service manager how this process is, as systemd's {@code sd_notify(3)} does. Waits for
   * nothing.
   *
   * @param socket where it listens: what the variable {@code NOTIFY_SOCKET} says, a path or a name
   *     behind {@code @}, of at most 107 bytes
   * @param state lines such as {@code READY=1}, {@code STOPPING=1}, {@code WATCHDOG=1} and {@code
   *     STATUS=…}
   * @return {@link Errno#NONE}; {@link Errno#EINVAL}: the socket has no such name; {@link
   *     Errno#EAGAIN}: the manager does not read; {@link Errno#ENOSYS} without native access; what
   *     else the system says
   */
  default Errno notifyService(String socket, String state) {
    Objects.requireNonNull(socket, "socket");
    Objects.requireNonNull(state, "state");
    return Errno.ENOSYS;
  }

  /** Returns a limit of this process. */
  ResourceLimit limit(Resource resource);

  /** Returns which of the superuser's rights this process has now. */
  Set<Capability> capabilities();

  /** Returns whether a clock is there. */
  boolean hasClock(KernelClock clock);

  /**
   * Returns a clock's time, in nanoseconds. Where the clock is not there: {@link
   * KernelClock#MONOTONIC} takes the place of {@link KernelClock#BOOTTIME}, and {@link
   * KernelClock#REALTIME} of {@link KernelClock#TAI}. With native access it allocates nothing.
   */
  long clockNs(KernelClock clock);

  /** Returns the step of a clock as the system states it, in nanoseconds; 0 if unknown. */
  long clockResolutionNs(KernelClock clock);

  /** Makes what a thread sleeps with until a time of {@link System#nanoTime}. */
  Sleeper newSleeper();

  /** Makes a word for priority inheritance; empty without native access, or if refused. */
  Optional<PiFutex> newPiFutex();

  /** Returns what makes file descriptors; empty without native access. */
  Optional<Descriptors> descriptors();
}
