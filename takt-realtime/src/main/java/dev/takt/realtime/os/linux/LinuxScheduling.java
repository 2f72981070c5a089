package dev.takt.realtime.os.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.Resource;
import dev.takt.realtime.os.Shortfall;
import dev.takt.realtime.os.ThreadScheduling;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Scheduling of threads by Linux.
 *
 * <p>Each thing asked for is tried by itself; what is refused becomes a {@link Shortfall} and the
 * next best takes its place:
 *
 * <pre>
 *   FIFO, RR at priority p --EPERM--> the same at RLIMIT_RTPRIO, if that is 1 to p-1 --EPERM--+
 *   DEADLINE ------------------------------------------------EPERM, EBUSY, EINVAL-------------+
 *                                                                                             v
 *                     a real-time policy that the thread has already, or OTHER with the shortest
 *                     slice and a timer slack of 1 ns, which any user may have
 * </pre>
 *
 * <p>Processors come first, because a thread with {@link Policy#DEADLINE} cannot be bound; timer
 * slack comes last, because the kernel sets it to 0 for real-time threads and to its default when
 * they cease to be.
 */
final class LinuxScheduling {
  private static final int RESET_ON_FORK = 0x01; // in sched_attr.sched_flags
  private static final int RESET_ON_FORK_BIT = 0x4000_0000; // in the policy of the older calls
  private static final int PR_SET_TIMERSLACK = 29;
  private static final int PR_GET_TIMERSLACK = 30;

  private static final AtomicLong POLICY_CHANGES = new AtomicLong();

  private static final long PROCESS_ID = ProcessHandle.current().pid();

  private static final long SIZE = Structs.offset(Structs.SCHED_ATTR, "size");
  private static final long POLICY = Structs.offset(Structs.SCHED_ATTR, "sched_policy");
  private static final long FLAGS = Structs.offset(Structs.SCHED_ATTR, "sched_flags");
  private static final long NICE = Structs.offset(Structs.SCHED_ATTR, "sched_nice");
  private static final long PRIORITY = Structs.offset(Structs.SCHED_ATTR, "sched_priority");
  private static final long RUNTIME = Structs.offset(Structs.SCHED_ATTR, "sched_runtime");
  private static final long DEADLINE = Structs.offset(Structs.SCHED_ATTR, "sched_deadline");
  private static final long PERIOD = Structs.offset(Structs.SCHED_ATTR, "sched_period");

  private LinuxScheduling() {}

  static Grant schedule(int threadId, ThreadScheduling asked) {
    List<Shortfall> shortfalls = new ArrayList<>();
    if (!isOurs(threadId)) {
      shortfalls.add(ShortfallMessages.noThread(threadId));
      return new Grant(threadId, ThreadScheduling.OTHER, shortfalls);
    }
    applyCpus(threadId, asked, shortfalls);
    applyPolicy(threadId, asked, shortfalls);
    applySlack(threadId, asked, shortfalls);
    return read(threadId, shortfalls);
  }

  static Grant granted(int threadId) {
    return read(threadId, new ArrayList<>());
  }

  /**
   * Whether a thread is of this process. The superuser could change any, and the kernel gives the
   * number of a thread that has ended to another one, perhaps of another process.
   */
  private static boolean isOurs(int threadId) {
    return threadId == CallBuffer.current().threadId()
        || Kernel.callQuietly(Syscall.TGKILL, PROCESS_ID, threadId, 0, 0, 0, 0) == 0;
  }

  /**
   * Changes policy and priority alone; allocates nothing, also when it is refused: each reason but
   * one is found out beforehand. The kernel forgets the timer slack of a thread that becomes
   * real-time, and only the thread itself can read and set it.
   */
  static Errno setPolicy(int threadId, Policy policy, int priority) {
    if (!isOurs(threadId)) {
      return Errno.ESRCH;
    }
    if (policy == Policy.DEADLINE || !ThreadScheduling.isPriorityOf(policy, priority)) {
      return Errno.EINVAL;
    }
    CallBuffer scratch = CallBuffer.current();
    boolean isOwn = threadId == scratch.threadId();
    if (isOwn && policy != Policy.OTHER) {
      scratch.keepTimerSlack(Kernel.callQuietly(Syscall.PRCTL, PR_GET_TIMERSLACK, 0, 0, 0, 0, 0));
    }
    MemorySegment memory = scratch.memory();
    memory.set(JAVA_INT, 0, priority);
    long result =
        Kernel.callQuietly(
            Syscall.SCHED_SETSCHEDULER,
            threadId,
            policy.number() | RESET_ON_FORK_BIT,
            memory.address(),
            0,
            0,
            0);
    if (result != 0) {
      return Errno.EPERM;
    }
    POLICY_CHANGES.getAndIncrement();
    if (isOwn && policy == Policy.OTHER) {
      long slackNs = scratch.takeTimerSlack();
      if (slackNs > 0) {
        Kernel.callQuietly(Syscall.PRCTL, PR_SET_TIMERSLACK, slackNs, 0, 0, 0, 0);
      }
    }
    return Errno.NONE;
  }

  /**
   * Changes policy and priority of a thread of the JVM, and of those that it starts from now on.
   * What {@link #policyChanges} is for are Java threads: they are not concerned.
   */
  static Errno setInherited(int threadId, Policy policy, int priority) {
    MemorySegment memory = CallBuffer.current().memory();
    memory.set(JAVA_INT, 0, priority);
    return Errno.ofResult(
        Kernel.call(Syscall.SCHED_SETSCHEDULER, threadId, policy.number(), memory.address(), 0));
  }

  static long policyChanges() {
    return POLICY_CHANGES.get();
  }

  /** The real-time priority; 0 if it has none or there is no such thread. Allocates nothing. */
  static int priority(int threadId) {
    MemorySegment memory = CallBuffer.current().memory();
    long result = Kernel.call(Syscall.SCHED_GETPARAM, threadId, memory.address());
    return result == 0 ? memory.get(JAVA_INT, 0) : 0;
  }

  /** The policy; {@link Policy#OTHER} also if there is no such thread. Allocates nothing. */
  static Policy policy(int threadId) {
    long number = Kernel.call(Syscall.SCHED_GETSCHEDULER, threadId, 0);
    return number < 0 ? Policy.OTHER : policyOf((int) number & ~RESET_ON_FORK_BIT);
  }

  private static Policy policyOf(int number) {
    return switch (number) {
      case 1 -> Policy.FIFO;
      case 2 -> Policy.RR;
      case 6 -> Policy.DEADLINE;
      default -> Policy.OTHER; // batch and idle are ways of sharing, too
    };
  }

  // ---- Processors

  private static void applyCpus(int threadId, ThreadScheduling asked, List<Shortfall> shortfalls) {
    CpuSet cpus = asked.cpus();
    if (cpus == null) {
      return;
    }
    CpuSet present = readCpus(threadId);
    if (cpus.equals(present)) {
      return;
    }
    if (asked.policy() == Policy.DEADLINE) {
      shortfalls.add(
          new Shortfall(
              "processors",
              cpus.toString(),
              "Linux binds no DEADLINE thread to a part of the processors",
              "ask for FIFO, or leave the processors out"));
      return;
    }
    Errno outcome = writeCpus(threadId, cpus);
    if (outcome != Errno.NONE) {
      shortfalls.add(ShortfallMessages.cpus(cpus, outcome, present));
      return;
    }
    CpuSet granted = readCpus(threadId);
    if (granted != null && !granted.equals(cpus)) {
      shortfalls.add(ShortfallMessages.cpus(cpus, Errno.NONE, granted));
    }
  }

  static Errno bind(int threadId, CpuSet cpus) {
    return isOurs(threadId) ? writeCpus(threadId, cpus) : Errno.ESRCH;
  }

  private static Errno writeCpus(int threadId, CpuSet cpus) {
    MemorySegment memory = CallBuffer.current().memory();
    for (int at = 0; at < Structs.CPU_SET_BYTES; at++) {
      int bits = 0;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        bits |= cpus.contains(at * Byte.SIZE + bit) ? 1 << bit : 0;
      }
      memory.set(JAVA_BYTE, at, (byte) bits);
    }
    return Errno.ofResult(
        Kernel.call(
            Syscall.SCHED_SETAFFINITY, threadId, Structs.CPU_SET_BYTES, memory.address(), 0));
  }

  private static @Nullable CpuSet readCpus(int threadId) {
    MemorySegment memory = CallBuffer.current().memory();
    long bytes =
        Kernel.call(
            Syscall.SCHED_GETAFFINITY, threadId, Structs.CPU_SET_BYTES, memory.address(), 0);
    if (bytes <= 0) {
      return null;
    }
    int[] cpus = new int[CpuSet.LIMIT];
    int count = 0;
    for (int cpu = 0; cpu < bytes * Byte.SIZE; cpu++) {
      if ((memory.get(JAVA_BYTE, cpu / Byte.SIZE) & (1 << (cpu % Byte.SIZE))) != 0) {
        cpus[count++] = cpu;
      }
    }
    // None: all that it may use are offline now.
    return count == 0 ? null : CpuSet.of(Arrays.copyOf(cpus, count));
  }

  // ---- Policy

  private static void applyPolicy(
      int threadId, ThreadScheduling asked, List<Shortfall> shortfalls) {
    Attributes present = Attributes.read(threadId);
    if (present == null) {
      return; // no such thread: the grant that is read afterwards has that shortfall
    }
    if (asked.policy() == Policy.OTHER) {
      applyFair(threadId, asked, present, shortfalls);
      return;
    }
    Errno outcome = set(threadId, asked, 0);
    if (outcome == Errno.NONE) {
      return;
    }
    if (outcome == Errno.EPERM && applyHighestPermitted(threadId, asked, shortfalls)) {
      return;
    }
    shortfalls.add(ShortfallMessages.policy(asked, outcome));
    if (present.policy() == Policy.OTHER) {
      set(
          threadId,
          ThreadScheduling.OTHER.withSliceNs(ThreadScheduling.MIN_SLICE_NS),
          present.nice());
    }
  }

  private static void applyFair(
      int threadId, ThreadScheduling asked, Attributes present, List<Shortfall> shortfalls) {
    if (present.policy() == Policy.OTHER && asked.sliceNs() == 0 && asked.nice() == 0) {
      return; // as it is, with its nice value
    }
    Errno outcome = set(threadId, asked, asked.nice() == 0 ? present.nice() : asked.nice());
    if (outcome != Errno.NONE) {
      shortfalls.add(ShortfallMessages.fair(asked, outcome));
      return;
    }
    Attributes granted = Attributes.read(threadId);
    if (asked.sliceNs() != 0 && granted != null && granted.runtimeNs() != asked.sliceNs()) {
      shortfalls.add(ShortfallMessages.slice(asked));
    }
  }

  /** Tries the highest priority that the user may have; false if that is no help. */
  private static boolean applyHighestPermitted(
      int threadId, ThreadScheduling asked, List<Shortfall> shortfalls) {
    long limit = LinuxProcess.limit(Resource.RTPRIO).soft();
    ThreadScheduling lower = highestPermitted(asked, limit);
    if (lower == null || set(threadId, lower, 0) != Errno.NONE) {
      return false;
    }
    shortfalls.add(ShortfallMessages.priority(asked, limit));
    return true;
  }

  /** The next best under a limit on priorities; null: there is none. */
  static @Nullable ThreadScheduling highestPermitted(ThreadScheduling asked, long limit) {
    if (limit < ThreadScheduling.MIN_PRIORITY || limit >= asked.priority()) {
      return null;
    }
    return asked.policy() == Policy.FIFO
        ? ThreadScheduling.fifo((int) limit)
        : ThreadScheduling.rr((int) limit);
  }

  private static Errno set(int threadId, ThreadScheduling asked, int nice) {
    MemorySegment memory = CallBuffer.current().memory();
    memory.set(JAVA_INT, SIZE, (int) Structs.SCHED_ATTR.byteSize());
    memory.set(JAVA_INT, POLICY, asked.policy().number());
    memory.set(JAVA_LONG, FLAGS, RESET_ON_FORK);
    memory.set(JAVA_INT, NICE, nice);
    memory.set(JAVA_INT, PRIORITY, asked.priority());
    boolean fair = asked.policy() == Policy.OTHER;
    memory.set(JAVA_LONG, RUNTIME, fair ? asked.sliceNs() : asked.runtimeNs());
    memory.set(JAVA_LONG, DEADLINE, asked.deadlineNs());
    memory.set(JAVA_LONG, PERIOD, asked.periodNs());
    Errno outcome = Errno.ofResult(Kernel.call(Syscall.SCHED_SETATTR, threadId, memory.address()));
    POLICY_CHANGES.getAndIncrement();
    return outcome;
  }

  // ---- Timer slack

  private static void applySlack(int threadId, ThreadScheduling asked, List<Shortfall> shortfalls) {
    boolean fair = policy(threadId) == Policy.OTHER;
    boolean degraded = fair && asked.policy() != Policy.OTHER;
    long slackNs = asked.timerSlackNs() == 0 && degraded ? 1 : asked.timerSlackNs();
    if (slackNs == 0 || !fair) {
      return; // a real-time thread has none
    }
    if (threadId == CallBuffer.current().threadId()) {
      Kernel.call(Syscall.PRCTL, PR_SET_TIMERSLACK, slackNs);
      long grantedNs = Kernel.call(Syscall.PRCTL, PR_GET_TIMERSLACK, 0);
      if (asked.timerSlackNs() != 0 && grantedNs != slackNs) {
        shortfalls.add(ShortfallMessages.slack(asked, grantedNs));
      }
    } else if (asked.timerSlackNs() != 0) {
      shortfalls.add(ShortfallMessages.slackOfAnother(asked, threadId));
    }
  }

  // ---- Reading back

  private static Grant read(int threadId, List<Shortfall> shortfalls) {
    Attributes attributes = Attributes.read(threadId);
    if (attributes == null) {
      shortfalls.add(ShortfallMessages.noThread(threadId));
      return new Grant(threadId, ThreadScheduling.OTHER, shortfalls);
    }
    boolean own = threadId == CallBuffer.current().threadId();
    long slackNs = own ? Kernel.call(Syscall.PRCTL, PR_GET_TIMERSLACK, 0) : 0;
    ThreadScheduling scheduling =
        attributes
            .toScheduling()
            .withCpus(readCpus(threadId))
            .withTimerSlackNs(Math.max(0, slackNs));
    return new Grant(threadId, scheduling, shortfalls);
  }

  /** A thread's scheduling, as read from the kernel. */
  private record Attributes(
      Policy policy, int nice, int priority, long runtimeNs, long deadlineNs, long periodNs) {

    /** Null if there is no such thread. */
    static @Nullable Attributes read(int threadId) {
      MemorySegment memory = CallBuffer.current().memory();
      long result =
          Kernel.call(
              Syscall.SCHED_GETATTR, threadId, memory.address(), Structs.SCHED_ATTR.byteSize(), 0);
      if (result != 0) {
        return null;
      }
      return new Attributes(
          policyOf(memory.get(JAVA_INT, POLICY)),
          memory.get(JAVA_INT, NICE),
          memory.get(JAVA_INT, PRIORITY),
          memory.get(JAVA_LONG, RUNTIME),
          memory.get(JAVA_LONG, DEADLINE),
          memory.get(JAVA_LONG, PERIOD));
    }

    ThreadScheduling toScheduling() {
      return switch (policy) {
        case FIFO -> ThreadScheduling.fifo(priority);
        case RR -> ThreadScheduling.rr(priority);
        case DEADLINE -> ThreadScheduling.deadline(runtimeNs, deadlineNs, periodNs);
        // kernels before 6.12 do not report the slice
        case OTHER ->
            (runtimeNs < ThreadScheduling.MIN_SLICE_NS || runtimeNs > ThreadScheduling.MAX_SLICE_NS
                    ? ThreadScheduling.OTHER
                    : ThreadScheduling.OTHER.withSliceNs(runtimeNs))
                .withNice(nice);
      };
    }
  }
}
