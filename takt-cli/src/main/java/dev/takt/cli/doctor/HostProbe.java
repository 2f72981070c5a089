package dev.takt.cli.doctor;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the machine is: its kernel, its clock, and whether it is only a part of another machine. */
final class HostProbe implements Probe {
  private static final List<String> FAST_CLOCKS =
      List.of("tsc", "arch_sys_counter", "kvm-clock", "hyperv_clocksource_tsc_page");

  @Override
  public List<Finding> examine(Root root) {
    return List.of(
        kernel(root), clockSource(root), container(root), virtualMachine(root), steal(root));
  }

  private static Finding kernel(Root root) {
    Kernel kernel = Kernel.of(root);
    if (!kernel.isKnown()) {
      return Finding.unknown(
          "kernel",
          System.getProperty("os.name")
              + " "
              + System.getProperty("os.version")
              + "; most of this examination, and all published figures, are for Linux");
    }
    return Finding.good("kernel", "Linux " + kernel.release());
  }

  private static Finding clockSource(Root root) {
    String folder = "sys/devices/system/clocksource/clocksource0/";
    Optional<String> source = root.text(folder + "current_clocksource");
    if (source.isEmpty()) {
      return Finding.unknown("clock source", "no /" + folder + "current_clocksource");
    }
    boolean tsc =
        List.of(root.text(folder + "available_clocksource").orElse("").split("\\s+"))
            .contains("tsc");
    return Finding.of(
        FAST_CLOCKS.contains(source.get()),
        "clock source",
        source.get(),
        "reading the time is a system call, or slower",
        tsc
            ? "echo tsc > /sys/devices/system/clocksource/clocksource0/current_clocksource"
            : "the kernel distrusts the processor's own clock (dmesg | grep -i tsc says why);"
                + " boot with tsc=reliable only if that is a mistake");
  }

  private static Finding container(Root root) {
    if (!root.exists("proc/self")) {
      return Finding.unknown("container", "no /proc");
    }
    for (String mark : List.of(".dockerenv", "run/.containerenv")) {
      if (root.exists(mark)) {
        return Finding.good("container", "yes, by /" + mark);
      }
    }
    boolean grouped =
        root.lines("proc/self/cgroup").stream()
            .anyMatch(line -> line.matches(".*(docker|kubepods|libpod|lxc|containerd).*"));
    return Finding.good("container", grouped ? "yes, by /proc/self/cgroup" : "none that shows");
  }

  private static Finding virtualMachine(Root root) {
    List<String> lines = root.lines("proc/cpuinfo");
    if (lines.isEmpty()) {
      return Finding.unknown("virtual machine", "no /proc/cpuinfo");
    }
    boolean virtual =
        lines.stream().anyMatch(line -> line.startsWith("flags") && line.contains(" hypervisor"));
    Optional<String> product = root.text("sys/class/dmi/id/product_name");
    return Finding.good(
        "virtual machine",
        virtual
            ? "yes"
                + product.map(each -> ", " + each).orElse("")
                + ": its host can stop it at any time; see steal time"
            : "no");
  }

  private static Finding steal(Root root) {
    Optional<CpuTimes> times = CpuTimes.of(root);
    if (times.isEmpty()) {
      return Finding.unknown("steal time", "no steal column in /proc/stat");
    }
    long ticks = times.get().stolen();
    return Finding.of(
        ticks == 0,
        "steal time",
        ticks == 0
            ? "none since boot"
            : String.format(
                Locale.ROOT,
                "%d ticks since boot (%.3g %%)",
                ticks,
                100.0 * ticks / times.get().total()),
        "the host gave this machine's processors to others while threads here were ready to run",
        "ask for dedicated processors (on the host: virsh vcpupin, or no overcommitment), or take"
            + " a machine of your own");
  }
}
