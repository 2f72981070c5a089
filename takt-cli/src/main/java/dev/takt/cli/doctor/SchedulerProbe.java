package dev.takt.cli.doctor;

import dev.takt.realtime.TimeText;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How the kernel schedules: throttling of real-time threads, preemption, timer slack. */
final class SchedulerProbe implements Probe {
  /** What a thread has by default. */
  private static final long USUAL_SLACK_NS = 50_000;

  private static final Pattern CHOSEN = Pattern.compile("\\(([a-z]+)\\)");

  @Override
  public List<DoctorFinding> examine(FileSystemRoot root) {
    KernelInfo kernel = KernelInfo.of(root);
    return List.of(
        throttling(root, kernel),
        fairServer(root, kernel),
        preemption(root, kernel),
        timerSlack(root),
        numaBalancing(root));
  }

  private static DoctorFinding throttling(FileSystemRoot root, KernelInfo kernel) {
    OptionalLong runtimeUs = root.number("proc/sys/kernel/sched_rt_runtime_us");
    OptionalLong periodUs = root.number("proc/sys/kernel/sched_rt_period_us");
    if (runtimeUs.isEmpty() || periodUs.isEmpty()) {
      return DoctorFinding.unknown("rt throttling", "no kernel.sched_rt_runtime_us");
    }
    boolean off = runtimeUs.getAsLong() < 0 || runtimeUs.getAsLong() >= periodUs.getAsLong();
    return DoctorFinding.of(
        off,
        kernel.isAtLeast(6, 12) ? "rt throttling/6.12" : "rt throttling",
        off
            ? "off"
            : "on: real-time threads get %d us of every %d us"
                .formatted(runtimeUs.getAsLong(), periodUs.getAsLong()));
  }

  /**
   * From 6.12 on, the kernel keeps a part of each core for ordinary threads in this way, whatever
   * {@code kernel.sched_rt_runtime_us} says.
   */
  private static DoctorFinding fairServer(FileSystemRoot root, KernelInfo kernel) {
    String folder = "sys/kernel/debug/sched/fair_server/cpu0/";
    OptionalLong runtimeNs = root.number(folder + "runtime");
    OptionalLong periodNs = root.number(folder + "period");
    if (runtimeNs.isEmpty() || periodNs.isEmpty()) {
      return kernel.isKnown() && !kernel.isAtLeast(6, 12)
          ? DoctorFinding.good("fair server", "none before Linux 6.12")
          : DoctorFinding.unknown(
              "fair server",
              "no /sys/kernel/debug/sched/fair_server (root, debugfs); usually 50 ms a second");
    }
    return DoctorFinding.of(
        runtimeNs.getAsLong() == 0,
        "fair server",
        runtimeNs.getAsLong() == 0
            ? "off"
            : "on: ordinary threads get %d us of every %d us"
                .formatted(runtimeNs.getAsLong() / 1_000, periodNs.getAsLong() / 1_000));
  }

  private static DoctorFinding preemption(FileSystemRoot root, KernelInfo kernel) {
    if (kernel.isRealTime()) {
      return DoctorFinding.good("preemption", "PREEMPT_RT");
    }
    Optional<String> model = preemptionModel(root, kernel);
    if (model.isEmpty()) {
      return DoctorFinding.unknown(
          "preemption", "neither /sys/kernel/debug/sched/preempt nor the kernel's configuration");
    }
    return DoctorFinding.of(
        model.get().startsWith("full"),
        kernel.mayHave("CONFIG_PREEMPT_DYNAMIC") ? "preemption/dynamic" : "preemption",
        model.get());
  }

  private static Optional<String> preemptionModel(FileSystemRoot root, KernelInfo kernel) {
    Matcher chosen = CHOSEN.matcher(root.text("sys/kernel/debug/sched/preempt").orElse(""));
    if (chosen.find()) {
      return Optional.of(chosen.group(1));
    }
    List<String> booted = kernel.parameters("preempt");
    if (!booted.isEmpty() && booted.getLast().matches("none|voluntary|full|lazy")) {
      return Optional.of(booted.getLast() + " (boot parameter)");
    }
    for (String each : List.of("NONE", "VOLUNTARY", "LAZY")) {
      if (kernel.has("CONFIG_PREEMPT_" + each)) {
        return Optional.of(each.toLowerCase(java.util.Locale.ROOT) + " (as the kernel was built)");
      }
    }
    return kernel.has("CONFIG_PREEMPT")
        ? Optional.of("full (as the kernel was built)")
        : Optional.empty();
  }

  private static DoctorFinding timerSlack(FileSystemRoot root) {
    OptionalLong slackNs = root.number("proc/self/timerslack_ns");
    if (slackNs.isEmpty()) {
      return DoctorFinding.unknown("timer slack", "no /proc/self/timerslack_ns");
    }
    return DoctorFinding.of(
        slackNs.getAsLong() <= USUAL_SLACK_NS,
        "timer slack",
        TimeText.of(slackNs.getAsLong()) + " (threads with a real-time policy have none)");
  }

  private static DoctorFinding numaBalancing(FileSystemRoot root) {
    OptionalLong balancing = root.number("proc/sys/kernel/numa_balancing");
    if (balancing.isEmpty()) {
      return root.exists("proc/sys/kernel")
          ? DoctorFinding.good("numa balancing", "none")
          : DoctorFinding.unknown("numa balancing", "no kernel.numa_balancing");
    }
    return DoctorFinding.of(
        balancing.getAsLong() == 0, "numa balancing", balancing.getAsLong() == 0 ? "off" : "on");
  }
}
