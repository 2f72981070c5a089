package dev.takt.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Looks for what makes tasks late on a machine, and says what to do about it. Reads files and
 * measures for half a second; changes nothing, needs no privilege, and never fails: what cannot be
 * found out is reported as unknown.
 */
final class Doctor {
  /** Above this, sleeping alone cannot keep a period of a millisecond. */
  private static final long LATE_P99_NS = 1_000_000;

  private final Path root;

  /**
   * The doctor reads {@code proc} and {@code sys} below the given folder, {@code /} but for tests.
   */
  Doctor(Path root) {
    this.root = root;
  }

  List<Finding> examine() {
    List<Finding> findings = new ArrayList<>();
    findings.add(jdk());
    findings.add(cores(Runtime.getRuntime().availableProcessors()));
    findings.add(kernel());
    findings.add(clockSource());
    findings.add(clock());
    findings.add(lateness(Lateness.measureNs()));
    findings.add(timerSlack());
    findings.add(cpuQuota());
    findings.add(container());
    findings.add(load(Runtime.getRuntime().availableProcessors()));
    findings.add(swap());
    findings.add(hugePages());
    findings.add(lockedMemory());
    findings.add(realTimePriority());
    findings.add(governor());
    return findings;
  }

  /** One line for each finding, and one more with what to do where there is something to do. */
  static void print(List<Finding> findings, PrintWriter out) {
    for (Finding each : findings) {
      out.printf("%-5s %-18s %s%n", each.isGood() ? "OK" : "WARN", each.probe(), each.found());
      if (!each.isGood()) {
        out.printf("%-24s -> %s%n", "", each.remedy());
      }
    }
    long warnings = findings.stream().filter(each -> !each.isGood()).count();
    out.printf(
        "%d of %d probes want attention. Takt runs all the same; what is marked makes tasks later, or late more often.%n",
        warnings, findings.size());
  }

  private static Finding jdk() {
    String collectors =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .map(GarbageCollectorMXBean::getName)
            .collect(Collectors.joining(", "));
    return Finding.ok(
        "jdk", System.getProperty("java.runtime.version") + ", collector: " + collectors);
  }

  static Finding cores(int cores) {
    return Finding.of(
        cores > 1,
        "cores",
        Integer.toString(cores),
        "tasks, compiler and collector share one core; give the machine or container at least two");
  }

  Finding kernel() {
    String version = read("proc/version").orElse("");
    if (version.isEmpty()) {
      return Finding.warn(
          "kernel",
          System.getProperty("os.name") + " " + System.getProperty("os.version"),
          "Takt runs here, but the rest of this examination, and all published figures, are for Linux");
    }
    boolean realTime =
        version.contains("PREEMPT_RT") || read("sys/kernel/realtime").orElse("0").equals("1");
    return Finding.ok(
        "kernel",
        System.getProperty("os.version") + (realTime ? ", PREEMPT_RT" : ", not PREEMPT_RT"));
  }

  Finding clockSource() {
    Optional<String> source =
        read("sys/devices/system/clocksource/clocksource0/current_clocksource");
    if (source.isEmpty()) {
      return Finding.ok("clock source", "unknown");
    }
    boolean fast =
        List.of("tsc", "arch_sys_counter", "kvm-clock", "hyperv_clocksource_tsc_page")
            .contains(source.get());
    return Finding.of(
        fast,
        "clock source",
        source.get(),
        "reading the time is a system call; if the processor's tsc is stable, boot with clocksource=tsc");
  }

  private static Finding clock() {
    long[] clock = Lateness.clockNs();
    return Finding.of(
        clock[0] <= 1_000,
        "nanoTime",
        "smallest step " + clock[0] + " ns, one call " + clock[1] + " ns",
        "nothing can be timed more finely than this step; see clock source");
  }

  static Finding lateness(long[] sortedNs) {
    long p99Ns = Lateness.percentile(sortedNs, 0.99);
    return Finding.of(
        p99Ns <= LATE_P99_NS,
        "parkNanos lateness",
        String.format(
            Locale.ROOT,
            "p50 %.0f us, p99 %.0f us, max %.0f us (sleeps of 1 ms)",
            Lateness.percentile(sortedNs, 0.5) / 1e3,
            p99Ns / 1e3,
            sortedNs[sortedNs.length - 1] / 1e3),
        "something else has the cores: see load and cpu quota; stop other work, or isolate cores (isolcpus, cpusets)");
  }

  Finding timerSlack() {
    return read("proc/self/timerslack_ns")
        .map(
            slack ->
                Finding.of(
                    parse(slack) <= 50_000,
                    "timer slack",
                    slack + " ns",
                    "the kernel may wake threads that much later; the default is 50000 ns: see prctl PR_SET_TIMERSLACK"))
        .orElse(Finding.ok("timer slack", "unknown"));
  }

  Finding cpuQuota() {
    String group =
        lines("proc/self/cgroup").stream()
            .filter(line -> line.startsWith("0::"))
            .findFirst()
            .orElse("0::/")
            .substring(3);
    Optional<String> max =
        read("sys/fs/cgroup" + group + "/cpu.max").or(() -> read("sys/fs/cgroup/cpu.max"));
    if (max.isPresent()) {
      String[] quotaAndPeriod = max.get().split("\\s+");
      return quota(
          quotaAndPeriod[0].equals("max") ? -1 : parse(quotaAndPeriod[0]),
          parse(quotaAndPeriod[1 % quotaAndPeriod.length]));
    }
    return read("sys/fs/cgroup/cpu/cpu.cfs_quota_us")
        .map(
            quota ->
                quota(
                    parse(quota), parse(read("sys/fs/cgroup/cpu/cpu.cfs_period_us").orElse("-1"))))
        .orElse(Finding.ok("cpu quota", "none"));
  }

  private static Finding quota(long quotaUs, long periodUs) {
    if (quotaUs <= 0) {
      return Finding.ok("cpu quota", "none");
    }
    return Finding.warn(
        "cpu quota",
        quotaUs + " us every " + periodUs + " us",
        "when it is used up, every thread stops until the next period; give whole cores (cpuset) instead of a quota");
  }

  Finding container() {
    boolean marked =
        Files.exists(root.resolve(".dockerenv")) || Files.exists(root.resolve("run/.containerenv"));
    boolean grouped =
        lines("proc/self/cgroup").stream()
            .anyMatch(line -> line.matches(".*(docker|kubepods|libpod|lxc|containerd).*"));
    boolean virtual =
        lines("proc/cpuinfo").stream()
            .anyMatch(line -> line.startsWith("flags") && line.contains(" hypervisor"));
    String where = marked || grouped ? "in a container" : "no container";
    return Finding.ok(
        "container",
        where + (virtual ? ", in a virtual machine (its host can stop it at any time)" : ""));
  }

  Finding load(int cores) {
    Optional<String> loads = read("proc/loadavg");
    if (loads.isEmpty()) {
      return Finding.ok("load", "unknown");
    }
    String lastMinute = loads.get().split("\\s+")[0];
    return Finding.of(
        decimal(lastMinute) <= cores / 2.0,
        "load",
        lastMinute + " on " + cores + " cores",
        "other programs keep the cores busy; stop them before you measure or rely on deadlines");
  }

  Finding swap() {
    long areas = lines("proc/swaps").stream().skip(1).count();
    return Finding.of(
        areas == 0,
        "swap",
        areas == 0 ? "none" : areas + " in use or ready for use",
        "touching a page that was swapped out costs milliseconds; swapoff -a, or vm.swappiness=0");
  }

  Finding hugePages() {
    String enabled = read("sys/kernel/mm/transparent_hugepage/enabled").orElse("unknown");
    return Finding.of(
        !enabled.contains("[always]"),
        "huge pages",
        enabled,
        "the kernel may stop a thread to make a huge page; echo madvise > /sys/kernel/mm/transparent_hugepage/enabled");
  }

  Finding lockedMemory() {
    String soft = limit("Max locked memory");
    return Finding.of(
        soft.equals("unlimited") || soft.equals("unknown"),
        "memlock limit",
        soft,
        "memory cannot be locked, so it can be swapped out; ulimit -l unlimited, or a line in /etc/security/limits.conf");
  }

  Finding realTimePriority() {
    String soft = limit("Max realtime priority");
    boolean root =
        lines("proc/self/status").stream().anyMatch(line -> line.matches("Uid:\\s+\\d+\\s+0\\s.*"));
    return Finding.of(
        root || soft.equals("unknown") || parse(soft) > 0,
        "rtprio limit",
        root ? soft + " (root needs none)" : soft,
        "no real-time scheduling for this user; add \"@group - rtprio 80\" to /etc/security/limits.conf, or use CAP_SYS_NICE");
  }

  Finding governor() {
    Optional<String> governor = read("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    return Finding.of(
        governor.isEmpty() || governor.get().equals("performance"),
        "cpu governor",
        governor.orElse("none (the frequency is not the kernel's to choose)"),
        "the processor slows down when idle and wakes slowly; cpupower frequency-set -g performance");
  }

  /** The soft limit of that name, or {@code unknown}. */
  private String limit(String name) {
    return lines("proc/self/limits").stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()).strip().split("\\s+")[0])
        .findFirst()
        .orElse("unknown");
  }

  private Optional<String> read(String file) {
    List<String> lines = lines(file);
    return lines.isEmpty() ? Optional.empty() : Optional.of(String.join("\n", lines).strip());
  }

  /** The lines of a file, none if it is absent or this user may not read it. */
  private List<String> lines(String file) {
    try {
      return Files.readAllLines(root.resolve(file));
    } catch (IOException e) {
      return List.of();
    }
  }

  /** A number with decimals; 0 for anything else. */
  private static double decimal(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** A number; -1 for anything else, {@code unlimited} included. */
  private static long parse(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
