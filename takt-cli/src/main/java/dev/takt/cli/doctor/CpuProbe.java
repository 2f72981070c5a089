package dev.takt.cli.doctor;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * What else runs on the processors: other programs, interrupts, the kernel, the other half of a
 * core.
 */
final class CpuProbe implements Probe {
  private static final String NONE_GIVEN = "none (of use with isolated processors only)";

  @Override
  public List<DoctorFinding> examine(FileSystemRoot root) {
    Optional<CpuLayout> layout = CpuLayout.of(root);
    KernelInfo kernel = KernelInfo.of(root);
    return List.of(
        cores(layout),
        isolated(layout),
        fullDynticks(root, kernel, layout),
        callbacks(kernel, layout),
        interrupts(root, layout),
        balancer(root),
        siblings(root),
        load(root, layout));
  }

  private static DoctorFinding cores(Optional<CpuLayout> layout) {
    return layout
        .map(
            cpus ->
                DoctorFinding.of(
                    cpus.online().cardinality() > 1,
                    "processors",
                    CpuList.format(cpus.online())
                        + (cpus.online().cardinality() > 1 ? "" : ": one alone")))
        .orElse(DoctorFinding.unknown("processors", "no /sys/devices/system/cpu/online"));
  }

  private static DoctorFinding isolated(Optional<CpuLayout> layout) {
    return layout
        .map(
            cpus ->
                DoctorFinding.of(
                    !cpus.isolated().isEmpty(),
                    cpus.proposed().isEmpty() ? "isolated cpus/one core" : "isolated cpus",
                    cpus.isolated().isEmpty() ? "none" : CpuList.format(cpus.isolated()),
                    CpuList.format(cpus.proposed())))
        .orElse(DoctorFinding.unknown("isolated cpus", "no /sys/devices/system/cpu"));
  }

  private static DoctorFinding fullDynticks(
      FileSystemRoot root, KernelInfo kernel, Optional<CpuLayout> layout) {
    Optional<BitSet> full = root.text("sys/devices/system/cpu/nohz_full").flatMap(CpuList::parse);
    return covering(
        "nohz_full", kernel.mayHave("CONFIG_NO_HZ_FULL"), layout, full.orElseGet(BitSet::new));
  }

  private static DoctorFinding callbacks(KernelInfo kernel, Optional<CpuLayout> layout) {
    BitSet moved = new BitSet();
    for (String value : kernel.parameters("rcu_nocbs")) {
      if (value.equals("all")) {
        layout.ifPresent(cpus -> moved.or(cpus.online()));
      } else {
        CpuList.parse(value).ifPresent(moved::or);
      }
    }
    return covering("rcu_nocbs", kernel.mayHave("CONFIG_RCU_NOCB_CPU"), layout, moved);
  }

  /** Whether a set covers the isolated processors. */
  private static DoctorFinding covering(
      String parameter, boolean possible, Optional<CpuLayout> layout, BitSet covered) {
    if (layout.isEmpty()) {
      return DoctorFinding.unknown(parameter, "no /sys/devices/system/cpu");
    }
    BitSet isolated = layout.get().isolated();
    if (isolated.isEmpty()) {
      return DoctorFinding.good(
          parameter, covered.isEmpty() ? NONE_GIVEN : CpuList.format(covered));
    }
    return DoctorFinding.of(
        CpuList.without(isolated, covered).isEmpty(),
        possible ? parameter : parameter + "/not built",
        covered.isEmpty() ? "none" : CpuList.format(covered),
        CpuList.format(isolated));
  }

  private static DoctorFinding interrupts(FileSystemRoot root, Optional<CpuLayout> layout) {
    int known = 0;
    int onTasks = 0;
    for (String irq : root.names("proc/irq")) {
      Optional<BitSet> cpus =
          root.text("proc/irq/" + irq + "/smp_affinity_list").flatMap(CpuList::parse);
      if (cpus.isPresent()) {
        known++;
        onTasks += layout.isPresent() && cpus.get().intersects(layout.get().proposed()) ? 1 : 0;
      }
    }
    if (known == 0 || layout.isEmpty()) {
      return DoctorFinding.unknown(
          "interrupts", "no /proc/irq/*/smp_affinity_list that can be read");
    }
    String tasks = CpuList.format(layout.get().proposed());
    String kind = layout.get().isolated().isEmpty() ? "" : " (isolated)";
    return DoctorFinding.of(
        onTasks == 0,
        "interrupts",
        tasks.isEmpty()
            ? known + ", all on the only core"
            : onTasks + " of " + known + " may come to processors " + tasks + kind,
        CpuList.format(layout.get().housekeeping()));
  }

  private static DoctorFinding balancer(FileSystemRoot root) {
    if (!root.exists("proc/self")) {
      return DoctorFinding.unknown("irqbalance", "no /proc");
    }
    boolean runs =
        root.names("proc").stream()
            .filter(name -> name.matches("\\d+"))
            .anyMatch(
                pid -> root.text("proc/" + pid + "/comm").filter("irqbalance"::equals).isPresent());
    return DoctorFinding.of(!runs, "irqbalance", runs ? "runs" : "does not run");
  }

  private static DoctorFinding siblings(FileSystemRoot root) {
    Optional<String> active = root.text("sys/devices/system/cpu/smt/active");
    if (active.isEmpty()) {
      return DoctorFinding.unknown("smt", "no /sys/devices/system/cpu/smt");
    }
    return DoctorFinding.of(
        !active.get().equals("1"),
        "smt",
        active.get().equals("1")
            ? "on: processors " + CpuList.format(CpuLayout.siblings(root, 0)) + " are one core"
            : "off");
  }

  private static DoctorFinding load(FileSystemRoot root, Optional<CpuLayout> layout) {
    Optional<String> lastMinute = root.text("proc/loadavg").map(text -> text.split("\\s+")[0]);
    if (lastMinute.isEmpty() || !lastMinute.get().matches("\\d{1,6}\\.\\d{1,6}")) {
      return DoctorFinding.unknown("load", "no /proc/loadavg");
    }
    int cpus = layout.map(each -> each.online().cardinality()).orElse(1);
    return DoctorFinding.of(
        Double.parseDouble(lastMinute.get()) <= cpus / 2.0,
        "load",
        lastMinute.get() + " on " + cpus + (cpus == 1 ? " processor" : " processors"));
  }
}
