package dev.takt.cli.doctor;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the machine is: its kernel, its clock, and whether it is only a part of another machine. */
final class HostProbe implements Probe {
  private static final List<String> FAST_CLOCKS =
      List.of("tsc", "arch_sys_counter", "kvm-clock", "hyperv_clocksource_tsc_page");

  @Override
  public List<DoctorFinding> examine(FileSystemRoot root) {
    return List.of(
        kernel(root), clockSource(root), container(root), virtualMachine(root), steal(root));
  }

  private static DoctorFinding kernel(FileSystemRoot root) {
    KernelInfo kernel = KernelInfo.of(root);
    if (!kernel.isKnown()) {
      return DoctorFinding.unknown(
          "kernel",
          "%s %s; most of this examination, and all published figures, are for Linux"
              .formatted(System.getProperty("os.name"), System.getProperty("os.version")));
    }
    return DoctorFinding.good(
        "kernel",
        "Linux " + (kernel.release().isEmpty() ? "of unknown release" : kernel.release()));
  }

  private static DoctorFinding clockSource(FileSystemRoot root) {
    String folder = "sys/devices/system/clocksource/clocksource0/";
    Optional<String> source = root.text(folder + "current_clocksource");
    if (source.isEmpty()) {
      return DoctorFinding.unknown("clock source", "no /" + folder + "current_clocksource");
    }
    boolean tsc =
        List.of(root.text(folder + "available_clocksource").orElse("").split("\\s+"))
            .contains("tsc");
    return DoctorFinding.of(
        FAST_CLOCKS.contains(source.get()),
        tsc ? "clock source/tsc" : "clock source",
        source.get());
  }

  private static DoctorFinding container(FileSystemRoot root) {
    if (!root.exists("proc/self")) {
      return DoctorFinding.unknown("container", "no /proc");
    }
    for (String mark : List.of(".dockerenv", "run/.containerenv")) {
      if (root.exists(mark)) {
        return DoctorFinding.good("container", "yes, by /" + mark);
      }
    }
    boolean grouped =
        root.lines("proc/self/cgroup").stream()
            .anyMatch(line -> line.matches(".*(docker|kubepods|libpod|lxc|containerd).*"));
    return DoctorFinding.good(
        "container", grouped ? "yes, by /proc/self/cgroup" : "none that shows");
  }

  private static DoctorFinding virtualMachine(FileSystemRoot root) {
    List<String> lines = root.lines("proc/cpuinfo");
    if (lines.isEmpty()) {
      return DoctorFinding.unknown("virtual machine", "no /proc/cpuinfo");
    }
    boolean virtual =
        lines.stream().anyMatch(line -> line.startsWith("flags") && line.contains(" hypervisor"));
    Optional<String> product = root.text("sys/class/dmi/id/product_name");
    return DoctorFinding.good(
        "virtual machine",
        virtual
            ? "yes"
                + product.map(each -> ", " + each).orElse("")
                + ": its host can stop it at any time; see steal time"
            : "no");
  }

  private static DoctorFinding steal(FileSystemRoot root) {
    Optional<CpuTimes> times = CpuTimes.of(root);
    if (times.isEmpty()) {
      return DoctorFinding.unknown("steal time", "no steal column in /proc/stat");
    }
    long ticks = times.get().stolen();
    return DoctorFinding.of(
        ticks == 0,
        "steal time",
        ticks == 0
            ? "none since boot"
            : String.format(
                Locale.ROOT,
                "%d ticks since boot (%.3g %%)",
                ticks,
                100.0 * ticks / times.get().total()));
  }
}
