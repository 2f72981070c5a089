package dev.takt.cli.doctor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The texts of files that mend what was found, for somebody to read and install. Of what the
 * machine says, only numbers of processors go into files that a program reads.
 */
final class Tuning {
  static final String NOTE = "README.txt";
  static final String DROP_IN = "50-takt.conf";
  static final String MACHINE_UNIT = "takt-machine.service";
  static final String SYSCTL = "90-takt-sysctl.conf";
  static final String LIMITS = "90-takt-limits.conf";
  static final String UDEV = "90-takt.rules";

  private final FileSystemRoot root;
  private final Optional<CpuLayout> layout;
  private final List<DoctorFinding> bad;
  private final Set<String> badProbes;

  private Tuning(FileSystemRoot root, List<DoctorFinding> findings) {
    this.root = root;
    this.layout = CpuLayout.of(root).filter(cpus -> !cpus.proposed().isEmpty());
    this.bad = findings.stream().filter(DoctorFinding::isBad).toList();
    this.badProbes = bad.stream().map(DoctorFinding::probe).collect(Collectors.toSet());
  }

  /** The names of all files and their texts, the note first. */
  static Map<String, String> of(FileSystemRoot root, List<DoctorFinding> findings) {
    Tuning tuning = new Tuning(root, findings);
    Map<String, String> files = new LinkedHashMap<>();
    files.put(NOTE, tuning.note());
    files.put(DROP_IN, tuning.dropIn());
    files.put(MACHINE_UNIT, tuning.machineUnit());
    files.put(SYSCTL, tuning.sysctl());
    files.put(LIMITS, limits());
    files.put(UDEV, udev());
    return files;
  }

  static List<String> names() {
    return List.of(NOTE, DROP_IN, MACHINE_UNIT, SYSCTL, LIMITS, UDEV);
  }

  private String tasks() {
    return layout.map(cpus -> CpuList.format(cpus.proposed())).orElse("");
  }

  private String others() {
    return layout.map(cpus -> CpuList.format(cpus.housekeeping())).orElse("");
  }

  private String dropIn() {
    String processors =
        layout.isEmpty()
            ? "# One processor, or none that is known: nothing to divide.\n"
            : """
            # The JVM's own threads (compiler, collector) stay on the processors for everything else; tasks go
            # to theirs with Scheduling.withCpus. AllowedCPUs (cgroup v2) must hold both.
            CPUAffinity=%s
            AllowedCPUs=%s
            """
                .formatted(others(), CpuList.format(layout.get().online()));
    return """
    # For the service that runs Takt: what its tasks may ask of the kernel.
    # Install: mkdir -p /etc/systemd/system/NAME.service.d
    #          install -m 644 %s /etc/systemd/system/NAME.service.d/
    #          systemctl daemon-reload && systemctl restart NAME
    # Undo:    remove the file, then the same again.
    [Service]
    %s
    # Real-time priorities up to 80 and locked memory, for a service that does not run as root.
    LimitRTPRIO=80
    LimitMEMLOCK=infinity
    # And keeping idle processors awake, once %s is installed, which makes the group:
    # SupplementaryGroups=takt
    # Ordinary threads wake up when they asked to, not up to 50 us later.
    TimerSlackNSec=1us
    # No quota: when one is used up, all threads of the service stop.
    CPUQuota=
    MemorySwapMax=0
    """
        .formatted(DROP_IN, processors.stripTrailing(), UDEV);
  }

  private String machineUnit() {
    StringBuilder commands = new StringBuilder();
    if (badProbes.contains("huge pages") || badProbes.contains("khugepaged")) {
      append(commands, "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled");
    }
    if (badProbes.contains("huge page defrag")) {
      append(commands, "echo madvise > /sys/kernel/mm/transparent_hugepage/defrag");
    }
    if (badProbes.contains("cpu governor")) {
      append(
          commands,
          "for f in /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor;"
              + " do echo performance > $$f; done");
    }
    // In a guest that halts, no state is slow by its own account, and never to halt costs too much.
    boolean halts = root.text(PowerProbe.DRIVER).equals(Optional.of(PowerProbe.HALTS_BY_HOST));
    if (badProbes.contains("idle states") && !halts) {
      append(
          commands,
          "for s in /sys/devices/system/cpu/cpu*/cpuidle/state*;"
              + " do [ $$(cat $$s/latency) -le 10 ] || echo 1 > $$s/disable; done");
    }
    if (badProbes.contains("interrupts") && layout.isPresent()) {
      // Some interrupts cannot be moved; the kernel says so, and that is no failure.
      append(
          commands,
          "for f in /proc/irq/*/smp_affinity_list; do echo "
              + others()
              + " > $$f; done 2>/dev/null; true");
    }
    if (commands.isEmpty()) {
      append(commands, "true # nothing of this kind was found");
    }
    return """
    # Sets what no sysctl can set, at each start of the machine.
    # Install: install -m 644 %s /etc/systemd/system/
    #          systemctl daemon-reload && systemctl enable --now %s
    # Undo:    systemctl disable %s, remove the file, start the machine anew.
    [Unit]
    Description=Settings of the machine for real-time tasks

    [Service]
    Type=oneshot
    RemainAfterExit=yes
    %s
    [Install]
    WantedBy=multi-user.target
    """
        .formatted(MACHINE_UNIT, MACHINE_UNIT, MACHINE_UNIT, commands);
  }

  private static void append(StringBuilder commands, String shell) {
    commands.append("ExecStart=/bin/sh -c '").append(shell).append("'\n");
  }

  private String sysctl() {
    StringBuilder text =
        new StringBuilder(
            """
            # Install: install -m 644 %s /etc/sysctl.d/90-takt.conf && sysctl --system
            # Undo:    remove the file and start the machine anew.

            # Swap out pages of programs only when there is no other memory left.
            vm.swappiness = 1
            """
                .formatted(SYSCTL));
    if (root.exists("proc/sys/kernel/numa_balancing")) {
      text.append(
          """

          # Do not unmap pages to see which processor uses them.
          kernel.numa_balancing = 0
          """);
    }
    return text.append(
            """

            # Throttling of real-time threads: left as it is, on purpose. By default they get 950000 us of every
            # second, so that a runaway thread cannot take the machine away from everybody, you included.
            # Takt's threads sleep, and are not concerned. Switch it off only if a thread of yours must not be
            # stopped for 50 ms although it never sleeps, and there are processors that it does not use. From
            # Linux 6.12 on, /sys/kernel/debug/sched/fair_server/cpu*/runtime must be 0 as well.
            # kernel.sched_rt_runtime_us = -1
            """)
        .toString();
  }

  private static String limits() {
    return """
    # For users of the group takt who log in (services get theirs from %s).
    # Install: install -m 644 %s /etc/security/limits.d/90-takt.conf
    #          groupadd -rf takt && usermod -aG takt USER, then log in anew; ulimit -r -l shows the limits.
    # Undo:    remove the file.
    @takt - rtprio  80
    @takt - memlock unlimited
    """
        .formatted(DROP_IN, LIMITS);
  }

  private static String udev() {
    return """
    # Lets programs of the group takt ask for quick wake-ups of idle processors, which --realtime does. Idle processors
    # that do not sleep burn power, as long as such a program runs.
    # Install: groupadd -rf takt && usermod -aG takt USER
    #          install -m 644 %s /etc/udev/rules.d/
    #          udevadm control --reload && udevadm trigger --name-match=cpu_dma_latency
    # Undo:    remove the file and start the machine anew.
    KERNEL=="cpu_dma_latency", SUBSYSTEM=="misc", GROUP="takt", MODE="0660"
    """
        .formatted(UDEV);
  }

  private List<String> bootParameters() {
    List<String> parameters = new ArrayList<>();
    KernelInfo kernel = KernelInfo.of(root);
    if (layout.isPresent()) {
      if (kernel.mayHave("CONFIG_CPU_ISOLATION")) {
        parameters.add("isolcpus=managed_irq,domain," + tasks());
      }
      if (kernel.mayHave("CONFIG_NO_HZ_FULL")) {
        parameters.add("nohz_full=" + tasks());
      }
      if (kernel.mayHave("CONFIG_RCU_NOCB_CPU")) {
        parameters.add("rcu_nocbs=" + tasks());
      }
      parameters.add("irqaffinity=" + others());
    }
    if (badProbes.contains("huge pages")) {
      parameters.add("transparent_hugepage=madvise");
    }
    if (badProbes.contains("preemption") && kernel.mayHave("CONFIG_PREEMPT_DYNAMIC")) {
      parameters.add("preempt=full");
    }
    return parameters;
  }

  private String note() {
    StringBuilder text =
        new StringBuilder(
            """
            Files that ./takt doctor --tune has written. Nothing has been changed: read them, then install what you
            want, as root. Each says in its first lines how, and how to undo it.

              %-22s a drop-in for the systemd unit of your service: processors, limits, timer slack
              %-22s a systemd unit that sets the rest when the machine starts
              %-22s for /etc/sysctl.d
              %-22s for /etc/security/limits.d: users who log in
              %-22s for /etc/udev/rules.d: who may keep idle processors awake

            """
                .formatted(DROP_IN, MACHINE_UNIT, SYSCTL, LIMITS, UDEV));
    List<String> parameters = bootParameters();
    text.append(
        "Boot parameters of the kernel (GRUB: GRUB_CMDLINE_LINUX in /etc/default/grub, then");
    text.append(" update-grub or\ngrub2-mkconfig, and start the machine anew):\n\n  ");
    text.append(parameters.isEmpty() ? "none" : String.join(" ", parameters)).append("\n\n");
    if (layout.isPresent()) {
      text.append("Processors for tasks: ").append(tasks());
      text.append("; for everything else: ").append(others());
      text.append(". Change both in all files if you want another division.\n\n");
    }
    text.append("What was found, and mends it:\n\n");
    for (DoctorFinding each : bad) {
      text.append("  ").append(each.probe()).append(": ").append(each.found()).append('\n');
      text.append("    ").append(each.meaning()).append('\n');
      text.append("    -> ").append(each.mend()).append('\n');
    }
    return text.append(bad.isEmpty() ? "  nothing\n" : "").toString();
  }
}
