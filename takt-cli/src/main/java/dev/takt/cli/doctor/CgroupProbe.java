package dev.takt.cli.doctor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The limits of the control groups that this process is in, of version 1 and of version 2.
 *
 * @param maxHeapBytes how much this JVM's heap may take
 */
record CgroupProbe(long maxHeapBytes) implements Probe {
  private static final String MOUNT = "sys/fs/cgroup";

  /** What version 1 writes instead of "no limit" is near 2^63; no machine has a pebibyte. */
  private static final long NO_LIMIT = 1L << 50;

  /** The kernel's own limit of a path. */
  private static final int MAX_PATH = 4_096;

  /** Far more groups than a process is in, and groups above them. */
  private static final int MAX_FOLDERS = 512;

  @Override
  public List<DoctorFinding> examine(FileSystemRoot root) {
    if (root.lines("proc/self/cgroup").isEmpty()) {
      String why = "no /proc/self/cgroup";
      return List.of(
          DoctorFinding.unknown("cpu quota", why),
          DoctorFinding.unknown("cpuset", why),
          DoctorFinding.unknown("rt group", why),
          DoctorFinding.unknown("memory limit", why));
    }
    return List.of(quota(root), cpuset(root), realTimeGroup(root), memory(root));
  }

  /**
   * The folders of this process' groups with a controller, the innermost first, those of version 2
   * before those of version 1. In a container its own group is the mount itself, whatever its name.
   */
  private static List<String> folders(FileSystemRoot root, String controller) {
    List<String> folders = new ArrayList<>();
    for (String line : root.lines("proc/self/cgroup")) {
      String[] parts = line.split(":", 3);
      if (parts.length < 3 || parts[2].length() > MAX_PATH) {
        continue;
      }
      if (parts[1].isEmpty()) {
        addWithParents(folders, MOUNT, parts[2]);
        addWithParents(folders, MOUNT + "/unified", parts[2]);
      } else if (Arrays.asList(parts[1].split(",")).contains(controller)) {
        addWithParents(folders, MOUNT + "/" + parts[1], parts[2]);
        addWithParents(folders, MOUNT + "/" + controller, parts[2]);
      }
    }
    return folders;
  }

  private static void addWithParents(List<String> folders, String mount, String group) {
    for (String each = group;
        each.startsWith("/") && each.length() > 1 && folders.size() < MAX_FOLDERS; ) {
      folders.add(mount + each);
      each = each.substring(0, each.lastIndexOf('/'));
    }
    if (folders.size() < MAX_FOLDERS) {
      folders.add(mount);
    }
  }

  private static DoctorFinding quota(FileSystemRoot root) {
    String tightest = "";
    double least = Double.MAX_VALUE;
    long throttled = 0;
    for (String folder : folders(root, "cpu")) {
      String[] limit = cpuLimit(root, folder);
      OptionalLong quotaUs = FileSystemRoot.parse(limit[0]);
      OptionalLong periodUs = FileSystemRoot.parse(limit[1]);
      if (quotaUs.isEmpty() || periodUs.isEmpty() || quotaUs.getAsLong() <= 0) {
        continue;
      }
      double share = (double) quotaUs.getAsLong() / Math.max(1, periodUs.getAsLong());
      if (share < least) {
        least = share;
        tightest = quotaUs.getAsLong() + " us of every " + periodUs.getAsLong() + " us";
        throttled = throttled(root, folder);
      }
    }
    return DoctorFinding.of(
        tightest.isEmpty(),
        "cpu quota",
        tightest.isEmpty()
            ? "none"
            : tightest + (throttled == 0 ? "" : ", stopped " + throttled + " times so far"));
  }

  /** Quota and period of one group; something else than two numbers if there is no limit. */
  private static String[] cpuLimit(FileSystemRoot root, String folder) {
    Optional<String> max = root.text(folder + "/cpu.max");
    if (max.isPresent()) {
      String[] words = max.get().split("\\s+");
      return new String[] {words[0], words.length > 1 ? words[1] : ""};
    }
    return new String[] {
      root.text(folder + "/cpu.cfs_quota_us").orElse(""),
      root.text(folder + "/cpu.cfs_period_us").orElse("")
    };
  }

  private static long throttled(FileSystemRoot root, String folder) {
    return root.lines(folder + "/cpu.stat").stream()
        .filter(line -> line.startsWith("nr_throttled "))
        .mapToLong(line -> FileSystemRoot.parse(line.substring("nr_throttled ".length())).orElse(0))
        .findFirst()
        .orElse(0);
  }

  private static DoctorFinding cpuset(FileSystemRoot root) {
    for (String folder : folders(root, "cpuset")) {
      for (String file : List.of("cpuset.cpus.effective", "cpuset.effective_cpus", "cpuset.cpus")) {
        Optional<String> cpus =
            root.text(folder + "/" + file).flatMap(CpuList::parse).map(CpuList::format);
        if (cpus.isPresent() && !cpus.get().isEmpty()) {
          return DoctorFinding.good("cpuset", "processors " + cpus.get());
        }
      }
    }
    return DoctorFinding.good("cpuset", "none");
  }

  private static DoctorFinding realTimeGroup(FileSystemRoot root) {
    for (String folder : folders(root, "cpu")) {
      OptionalLong runtimeUs = root.number(folder + "/cpu.rt_runtime_us");
      if (runtimeUs.isPresent()) {
        return DoctorFinding.of(
            runtimeUs.getAsLong() != 0,
            "rt group/version 1",
            runtimeUs.getAsLong() + " us of every period for real-time threads of this group",
            folder);
      }
    }
    // Version 2 has no such file: in a group with the controller the runtime is 0 for good.
    boolean inGroup =
        root.lines("proc/self/cgroup").stream()
            .filter(line -> line.startsWith("0::/") && line.length() > "0::/".length())
            .map(line -> line.substring("0::".length()))
            .anyMatch(group -> root.exists(MOUNT + group + "/cpu.max"));
    KernelInfo kernel = KernelInfo.of(root);
    boolean scheduled =
        kernel.has("CONFIG_RT_GROUP_SCHED")
            && !kernel.has("CONFIG_RT_GROUP_SCHED_DEFAULT_DISABLED")
            && !kernel.parameters("rt_group_sched").contains("0");
    return DoctorFinding.of(
        !inGroup || !scheduled,
        "rt group",
        inGroup && scheduled
            ? "a group of version 2, by a kernel with RT_GROUP_SCHED"
            : "no limit by group");
  }

  private DoctorFinding memory(FileSystemRoot root) {
    long least = NO_LIMIT;
    for (String folder : folders(root, "memory")) {
      for (String file : List.of("memory.max", "memory.high", "memory.limit_in_bytes")) {
        OptionalLong bytes = root.number(folder + "/" + file);
        least = bytes.isPresent() ? Math.min(least, bytes.getAsLong()) : least;
      }
    }
    if (least >= NO_LIMIT) {
      return DoctorFinding.good("memory limit", "none");
    }
    // A JVM needs about a quarter beside its heap: code, metadata, stacks, buffers.
    return DoctorFinding.of(
        least / 5 * 4 >= maxHeapBytes,
        "memory limit",
        (least >> 20) + " MiB for the group; this JVM's heap may take " + (maxHeapBytes >> 20));
  }
}
