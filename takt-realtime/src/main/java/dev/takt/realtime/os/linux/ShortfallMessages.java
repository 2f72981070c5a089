package dev.takt.realtime.os.linux;

import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.Shortfall;
import dev.takt.realtime.os.ThreadScheduling;
import org.jspecify.annotations.Nullable;

/** The shortfalls of what Linux refuses: the reason and the remedy. */
final class ShortfallMessages {
  private static final String SCHEDULING =
      "raise the limit: \"ulimit -r 99\", \"@takt - rtprio 99\" in /etc/security/limits.conf,"
          + " or LimitRTPRIO=99 in the systemd unit; or give CAP_SYS_NICE"
          + " (AmbientCapabilities=CAP_SYS_NICE)";

  private ShortfallMessages() {}

  static Shortfall policy(ThreadScheduling asked, Errno outcome) {
    String remedy =
        switch (outcome) {
          case EPERM ->
              asked.policy() == Policy.DEADLINE
                  ? "give CAP_SYS_NICE (AmbientCapabilities=CAP_SYS_NICE in the systemd unit) and"
                      + " let the thread run on all processors"
                  : SCHEDULING;
          case EBUSY ->
              "ask for a smaller part runtimeNs/periodNs: all threads together get"
                  + " kernel.sched_rt_runtime_us of each kernel.sched_rt_period_us";
          case EINVAL ->
              asked.policy() == Policy.DEADLINE
                  ? "ask for a period within kernel.sched_deadline_period_min_us and _max_us"
                  : "ask for a priority of 1 to 99";
          default -> "see man 2 sched_setattr";
        };
    return new Shortfall("policy", asked.toString(), outcome.explain(), remedy);
  }

  static Shortfall priority(ThreadScheduling asked, long limit) {
    return new Shortfall(
        "priority",
        asked.toString(),
        Errno.EPERM.explain() + ": RLIMIT_RTPRIO is " + limit,
        SCHEDULING);
  }

  static Shortfall fair(ThreadScheduling asked, Errno outcome) {
    return new Shortfall(
        asked.nice() != 0 ? "nice" : asked.sliceNs() == 0 ? "policy" : "slice",
        asked.toString(),
        outcome.explain(),
        "raise the limit on the nice value: \"ulimit -e 20\", or give CAP_SYS_NICE");
  }

  static Shortfall slice(ThreadScheduling asked) {
    return new Shortfall(
        "slice", asked.toString(), "this kernel has no slice for each thread", "use Linux 6.12");
  }

  static Shortfall cpus(CpuSet asked, Errno outcome, @Nullable CpuSet present) {
    return new Shortfall(
        "processors",
        asked.toString(),
        (outcome == Errno.NONE ? "only a part is allowed" : outcome.explain())
            + (present == null ? "" : "; the thread has " + present),
        "name processors that are online and in the cgroup's cpuset (AllowedCPUs= in the systemd"
            + " unit)");
  }

  static Shortfall slack(ThreadScheduling asked, long grantedNs) {
    return new Shortfall(
        "timer slack",
        asked.timerSlackNs() + " ns",
        grantedNs < 0 ? Errno.ofResult(grantedNs).explain() : "the thread has " + grantedNs + " ns",
        "let the sandbox permit prctl(PR_SET_TIMERSLACK) and prctl(PR_GET_TIMERSLACK)");
  }

  static Shortfall slackOfAnother(ThreadScheduling asked, int threadId) {
    return new Shortfall(
        "timer slack",
        asked.timerSlackNs() + " ns",
        "only a thread itself sets its own",
        "ask for it in thread " + threadId);
  }

  static Shortfall noThread(int threadId) {
    return new Shortfall(
        "thread",
        Integer.toString(threadId),
        Errno.ESRCH.explain(),
        "ask while it runs, with what threadId() gave in it");
  }

  static Shortfall memoryLimit(long limitBytes) {
    return new Shortfall(
        "memory lock",
        "all memory",
        "RLIMIT_MEMLOCK is "
            + limitBytes
            + " bytes; under a limit, mapping memory or starting a thread could fail later",
        "lift the limit: \"ulimit -l unlimited\", \"@takt - memlock unlimited\" in"
            + " /etc/security/limits.conf, or LimitMEMLOCK=infinity in the systemd unit; or give"
            + " CAP_IPC_LOCK");
  }

  static Shortfall memory(Errno outcome) {
    return new Shortfall(
        "memory lock",
        "all memory",
        outcome.explain(),
        "lock on fault, give the JVM less (-Xmx), or the machine more memory");
  }
}
