package dev.takt.cli.doctor;

import dev.takt.cli.report.TextResource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The texts of files that mend what was found, to be read and installed: templates with
 * {@code @values@}, and lines that stand only where the fact in braces at their beginning holds. Of
 * what the machine says, only numbers of processors go into files that a program reads.
 */
final class Tuning {
  static final String NOTE = "README.txt";
  static final String DROP_IN = "50-takt.conf";
  static final String MACHINE_UNIT = "takt-machine.service";
  static final String HOST_UNIT = "takt-host@.service";
  static final String SYSCTL = "90-takt-sysctl.conf";
  static final String LIMITS = "90-takt-limits.conf";
  static final String UDEV = "90-takt.rules";

  private static final Set<String> COMMANDS =
      Set.of(
          "huge page mode",
          "huge page defrag",
          "cpu governor",
          "slow idle states",
          "movable interrupts");

  private final Map<String, String> values = new HashMap<>();

  /** The bad probes, and what else lines depend on. */
  private final Set<String> facts;

  private Tuning(FileSystemRoot root, List<DoctorFinding> findings) {
    List<DoctorFinding> bad = findings.stream().filter(DoctorFinding::isBad).toList();
    facts = bad.stream().map(DoctorFinding::probe).collect(Collectors.toCollection(HashSet::new));
    Optional<CpuLayout> layout = CpuLayout.of(root).filter(cpus -> !cpus.proposed().isEmpty());
    layout.ifPresent(
        cpus -> {
          values.put("tasks", CpuList.format(cpus.proposed()));
          values.put("others", CpuList.format(cpus.housekeeping()));
          values.put("online", CpuList.format(cpus.online()));
        });
    fact(layout.isPresent() ? "processors" : "one processor", true);
    fact("huge page mode", facts.contains("huge pages") || facts.contains("khugepaged"));
    // In a guest that halts, no state is slow by its own account, and never to halt costs too much.
    boolean halts = root.text(PowerProbe.DRIVER).equals(Optional.of(PowerProbe.HALTS_BY_HOST));
    fact("slow idle states", facts.contains("idle states") && !halts);
    // Some interrupts cannot be moved; the kernel refuses it, and that is no failure.
    fact("movable interrupts", facts.contains("interrupts") && layout.isPresent());
    fact("no command", facts.stream().noneMatch(COMMANDS::contains));
    fact("numa", root.exists("proc/sys/kernel/numa_balancing"));
    List<String> parameters = bootParameters(KernelInfo.of(root));
    values.put("boot", parameters.isEmpty() ? "none" : String.join(" ", parameters));
    String texts =
        bad.stream()
            .map(
                each ->
                    "  %s: %s\n    %s\n    -> %s"
                        .formatted(each.probe(), each.found(), each.meaning(), each.mend()))
            .collect(Collectors.joining("\n"));
    values.put("findings", texts.isEmpty() ? "  nothing" : texts);
  }

  /** The names of all files and their texts, the note first. */
  static Map<String, String> of(FileSystemRoot root, List<DoctorFinding> findings) {
    Tuning tuning = new Tuning(root, findings);
    Map<String, String> files = new LinkedHashMap<>();
    names().forEach(name -> files.put(name, tuning.filled(name)));
    return files;
  }

  static List<String> names() {
    return List.of(NOTE, DROP_IN, MACHINE_UNIT, HOST_UNIT, SYSCTL, LIMITS, UDEV);
  }

  private void fact(String name, boolean holds) {
    if (holds) {
      facts.add(name);
    }
  }

  private String filled(String name) {
    StringBuilder text = new StringBuilder();
    for (String line : TextResource.of(Tuning.class, "tune/" + name).lines().toList()) {
      int end = line.startsWith("{") ? line.indexOf('}') : 0;
      if (end == 0) {
        text.append(line).append('\n');
      } else if (facts.contains(line.substring(1, end))) {
        text.append(line.substring(end + 1)).append('\n');
      }
    }
    String filled = text.toString();
    for (Map.Entry<String, String> each : values.entrySet()) {
      filled = filled.replace("@" + each.getKey() + "@", each.getValue());
    }
    return filled;
  }

  private List<String> bootParameters(KernelInfo kernel) {
    List<String> parameters = new ArrayList<>();
    if (facts.contains("processors")) {
      String tasks = values.get("tasks");
      if (kernel.mayHave("CONFIG_CPU_ISOLATION")) {
        parameters.add("isolcpus=managed_irq,domain," + tasks);
      }
      if (kernel.mayHave("CONFIG_NO_HZ_FULL")) {
        parameters.add("nohz_full=" + tasks);
      }
      if (kernel.mayHave("CONFIG_RCU_NOCB_CPU")) {
        parameters.add("rcu_nocbs=" + tasks);
      }
      parameters.add("irqaffinity=" + values.get("others"));
    }
    if (facts.contains("huge pages")) {
      parameters.add("transparent_hugepage=madvise");
    }
    if (facts.contains("preemption") && kernel.mayHave("CONFIG_PREEMPT_DYNAMIC")) {
      parameters.add("preempt=full");
    }
    return parameters;
  }
}
