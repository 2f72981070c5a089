package dev.takt.cli.doctor;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/** A machine made of files: trees like {@code /proc} and {@code /sys} in a folder. */
final class FakeMachine {
  static final String CPU = "sys/devices/system/cpu/";
  static final String HUGE = "sys/kernel/mm/transparent_hugepage/";
  private static final String ALL_CAPABILITIES = "000001ffffffffff";

  private final Path folder;

  FakeMachine(Path folder) {
    this.folder = folder;
  }

  FileSystemRoot root() {
    return new FileSystemRoot(folder);
  }

  FakeMachine with(String file, String content) throws IOException {
    return with(file, content.getBytes(StandardCharsets.UTF_8));
  }

  FakeMachine with(String file, byte[] content) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.write(path, content);
    return this;
  }

  FakeMachine withZipped(String file, String content) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(path))) {
      out.write(content.getBytes(StandardCharsets.UTF_8));
    }
    return this;
  }

  FakeMachine withLatencyRequest(int us) throws IOException {
    return with(
        "dev/cpu_dma_latency",
        ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt(us).array());
  }

  FakeMachine withUser(int uid, String capabilities, String rtprio, String memlock)
      throws IOException {
    return with(
            "proc/self/status",
            "Name:\tjava\nUid:\t%d\t%d\t%d\t%d\nCapEff:\t%s\n"
                .formatted(uid, uid, uid, uid, capabilities))
        .with(
            "proc/self/limits",
            """
            Limit                     Soft Limit           Hard Limit           Units
            Max locked memory         %s              unlimited              bytes
            Max realtime priority     %s                    99
            """
                .formatted(memlock, rtprio));
  }

  /** A machine of its own with four cores, two of them isolated: nothing to mend. */
  static FakeMachine tuned(Path folder) throws IOException {
    FakeMachine machine =
        new FakeMachine(folder)
            .with("proc/version", "Linux version 6.12.5-rt7 (gcc) #1 SMP PREEMPT_RT\n")
            .with("proc/sys/kernel/osrelease", "6.12.5-rt7\n")
            .with("sys/kernel/realtime", "1\n")
            .with("proc/cmdline", "quiet isolcpus=managed_irq,domain,2-3 rcu_nocbs=2-3\n")
            .with("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu tsc constant_tsc\n")
            .with("proc/stat", "cpu  100 0 100 1000 0 0 0 0 0 0\ncpu0 1 2 3\n")
            .with("proc/loadavg", "0.10 0.20 0.30 1/200 77\n")
            .with("proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n")
            .with("proc/meminfo", "MemTotal: 16000000 kB\nMemAvailable:   12000000 kB\n")
            .with("proc/mounts", "tmpfs /tmp tmpfs rw,nosuid 0 0\n")
            .with("proc/self/cgroup", "0::/system.slice/takt.service\n")
            .with("proc/self/timerslack_ns", "50000\n")
            .with("proc/sys/kernel/sched_rt_runtime_us", "-1\n")
            .with("proc/sys/kernel/sched_rt_period_us", "1000000\n")
            .with("proc/sys/kernel/numa_balancing", "0\n")
            .with("proc/sys/vm/swappiness", "60\n")
            .with("proc/irq/1/smp_affinity_list", "0-1\n")
            .with("proc/irq/24/smp_affinity_list", "0\n")
            .with("proc/1/comm", "systemd\n")
            .with("sys/fs/cgroup/cpuset.cpus.effective", "0-3\n")
            .with("sys/fs/cgroup/system.slice/takt.service/cpu.max", "max 100000\n")
            .with("sys/kernel/debug/sched/fair_server/cpu0/runtime", "0\n")
            .with("sys/kernel/debug/sched/fair_server/cpu0/period", "1000000000\n")
            .with(HUGE + "enabled", "always madvise [never]\n")
            .with(HUGE + "defrag", "always defer defer+madvise [madvise] never\n")
            .with(HUGE + "khugepaged/defrag", "1\n")
            .with(CPU + "online", "0-3\n")
            .with(CPU + "isolated", "2-3\n")
            .with(CPU + "nohz_full", "2-3\n")
            .with(CPU + "smt/active", "0\n")
            .with("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n")
            .with("sys/devices/system/clocksource/clocksource0/available_clocksource", "tsc hpet\n")
            .withLatencyRequest(0)
            .withUser(1000, "0000000000000000", "90", "unlimited");
    for (int cpu = 0; cpu < 4; cpu++) {
      String idle = CPU + "cpu" + cpu + "/cpuidle/";
      machine
          .with(CPU + "cpu" + cpu + "/cpufreq/scaling_governor", "performance\n")
          .with(CPU + "cpu" + cpu + "/topology/thread_siblings_list", cpu + "\n")
          .with(idle + "state0/name", "POLL\n")
          .with(idle + "state0/latency", "0\n")
          .with(idle + "state1/name", "C6\n")
          .with(idle + "state1/latency", "133\n");
    }
    return machine;
  }

  /** A guest of a cloud as it comes: two cores of two processors each, root. */
  static FakeMachine guest(Path folder) throws IOException {
    return new FakeMachine(folder)
        .with("proc/version", "Linux version 6.18.1 (gcc) #1 SMP PREEMPT_DYNAMIC\n")
        .with("proc/sys/kernel/osrelease", "6.18.1\n")
        .with("proc/cmdline", "console=ttyS0 quiet\n")
        .withZipped(
            "proc/config.gz",
            """
            CONFIG_PREEMPT_NONE=y
            # CONFIG_PREEMPT is not set
            CONFIG_PREEMPT_DYNAMIC=y
            CONFIG_CPU_ISOLATION=y
            CONFIG_NO_HZ_FULL=y
            CONFIG_RCU_NOCB_CPU=y
            """)
        .with("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu tsc hypervisor\n")
        .with("sys/class/dmi/id/product_name", "Virtual Machine\n")
        .with("proc/stat", "cpu  1592416 114755 171564 2580494 2563 0 872 2376 0 0\n")
        .with("proc/loadavg", "2.90 0.20 0.30 1/200 77\n")
        .with("proc/swaps", "Filename Type Size Used Priority\n/swapfile file 1 0 -2\n")
        .with("proc/meminfo", "MemTotal: 16000000 kB\nMemAvailable:   1000000 kB\n")
        .with("proc/mounts", "/dev/vda / ext4 rw 0 0\n")
        .with("proc/self/cgroup", "0::/\n")
        .with("proc/self/timerslack_ns", "50000\n")
        .with("proc/sys/kernel/sched_rt_runtime_us", "950000\n")
        .with("proc/sys/kernel/sched_rt_period_us", "1000000\n")
        .with("proc/sys/kernel/numa_balancing", "1\n")
        .with("proc/sys/vm/swappiness", "60\n")
        .with("proc/irq/1/smp_affinity_list", "0-3\n")
        .with("proc/irq/24/smp_affinity_list", "0\n")
        .with("proc/813/comm", "irqbalance\n")
        .with("sys/kernel/debug/sched/fair_server/cpu0/runtime", "50000000\n")
        .with("sys/kernel/debug/sched/fair_server/cpu0/period", "1000000000\n")
        .with(HUGE + "enabled", "[always] madvise never\n")
        .with(HUGE + "defrag", "[always] defer madvise never\n")
        .with(HUGE + "khugepaged/defrag", "1\n")
        .with(CPU + "online", "0-3\n")
        .with(CPU + "isolated", "\n")
        .with(CPU + "smt/active", "1\n")
        .with(CPU + "cpu0/topology/thread_siblings_list", "0-1\n")
        .with(CPU + "cpu1/topology/thread_siblings_list", "0-1\n")
        .with(CPU + "cpu2/topology/thread_siblings_list", "2-3\n")
        .with(CPU + "cpu3/topology/thread_siblings_list", "2-3\n")
        .with(CPU + "cpu0/cpufreq/scaling_governor", "performance\n")
        .with(CPU + "cpu1/cpufreq/scaling_governor", "powersave\n")
        .with(CPU + "cpu0/cpuidle/state1/name", "C6\n")
        .with(CPU + "cpu0/cpuidle/state1/latency", "133\n")
        .with("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n")
        .with("sys/devices/system/clocksource/clocksource0/available_clocksource", "hpet tsc\n")
        .withLatencyRequest(2_000_000_000)
        .withUser(0, ALL_CAPABILITIES, "0", "8388608");
  }

  /** A guest of KVM whose processors halt when they are idle. */
  static FakeMachine halting(Path folder) throws IOException {
    return guest(folder)
        .with(PowerProbe.DRIVER, "haltpoll\n")
        .with(CPU + "cpu0/cpuidle/state0/name", "POLL\n")
        .with(CPU + "cpu0/cpuidle/state0/latency", "0\n")
        .with(CPU + "cpu0/cpuidle/state1/name", "haltpoll idle\n")
        .with(CPU + "cpu0/cpuidle/state1/latency", "1\n");
  }

  /** A container with a quota, cgroups of version 2, no privileges. */
  static FakeMachine container(Path folder) throws IOException {
    return guest(folder)
        .with(".dockerenv", "")
        .with("sys/fs/cgroup/cpu.max", "50000 100000\n")
        .with("sys/fs/cgroup/cpu.stat", "usage_usec 5\nnr_periods 9\nnr_throttled 4\n")
        .with("sys/fs/cgroup/cpuset.cpus.effective", "0\n")
        .with("sys/fs/cgroup/memory.max", "268435456\n")
        .withUser(65534, "0000000000000000", "0", "65536");
  }

  /** Version 1 of cgroups, with a group that may not have real-time threads. */
  static FakeMachine oldCgroups(Path folder) throws IOException {
    String group = "/batch/job";
    return guest(folder)
        .with(
            "proc/self/cgroup",
            "4:memory:/batch/job\n3:cpuset:/batch\n2:cpu,cpuacct:/batch/job\n1:name=systemd:/\n")
        .with("sys/fs/cgroup/cpu,cpuacct" + group + "/cpu.cfs_quota_us", "-1\n")
        .with("sys/fs/cgroup/cpu,cpuacct" + group + "/cpu.cfs_period_us", "100000\n")
        .with("sys/fs/cgroup/cpu,cpuacct/batch/cpu.cfs_quota_us", "150000\n")
        .with("sys/fs/cgroup/cpu,cpuacct/batch/cpu.cfs_period_us", "100000\n")
        .with("sys/fs/cgroup/cpu,cpuacct" + group + "/cpu.rt_runtime_us", "0\n")
        .with("sys/fs/cgroup/cpuset/batch/cpuset.effective_cpus", "1\n")
        .with("sys/fs/cgroup/memory" + group + "/memory.limit_in_bytes", "9223372036854771712\n");
  }
}
