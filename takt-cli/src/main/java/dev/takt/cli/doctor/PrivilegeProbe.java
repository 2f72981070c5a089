package dev.takt.cli.doctor;

import dev.takt.cpu.CpuScheduler;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What this user may ask of the kernel: capabilities and limits. */
final class PrivilegeProbe implements Probe {
  private static final int CAP_IPC_LOCK = 14;
  private static final int CAP_SYS_NICE = 23;

  @Override
  public List<DoctorFinding> examine(FileSystemRoot root) {
    OptionalLong capabilities = capabilities(root);
    return List.of(
        user(root),
        capabilities(capabilities),
        realTimePriority(root, has(capabilities, CAP_SYS_NICE)),
        lockedMemory(root, has(capabilities, CAP_IPC_LOCK)));
  }

  private static DoctorFinding user(FileSystemRoot root) {
    return root.field("proc/self/status", "Uid")
        .map(ids -> ids.split("\\s+"))
        .filter(ids -> ids.length >= 2)
        .map(
            ids ->
                DoctorFinding.good("user", "uid " + ids[1] + (ids[1].equals("0") ? " (root)" : "")))
        .orElse(DoctorFinding.unknown("user", "no /proc/self/status"));
  }

  private static OptionalLong capabilities(FileSystemRoot root) {
    Optional<String> mask = root.field("proc/self/status", "CapEff");
    try {
      return mask.isEmpty()
          ? OptionalLong.empty()
          : OptionalLong.of(Long.parseUnsignedLong(mask.get(), 16));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  private static boolean has(OptionalLong capabilities, int number) {
    return capabilities.isPresent() && (capabilities.getAsLong() >> number & 1) == 1;
  }

  private static DoctorFinding capabilities(OptionalLong capabilities) {
    if (capabilities.isEmpty()) {
      return DoctorFinding.unknown("capabilities", "no CapEff in /proc/self/status");
    }
    return DoctorFinding.good(
        "capabilities",
        (has(capabilities, CAP_SYS_NICE) ? "CAP_SYS_NICE" : "no CAP_SYS_NICE")
            + (has(capabilities, CAP_IPC_LOCK) ? ", CAP_IPC_LOCK" : ", no CAP_IPC_LOCK"));
  }

  private static DoctorFinding realTimePriority(FileSystemRoot root, boolean mayAnyhow) {
    String anyhow = mayAnyhow ? " (CAP_SYS_NICE: any priority all the same)" : "";
    return limit(
        root, "rtprio limit", "Max realtime priority", anyhow, "", CpuScheduler.NEEDED_PRIORITY);
  }

  private static DoctorFinding lockedMemory(FileSystemRoot root, boolean mayAnyhow) {
    String anyhow = mayAnyhow ? " bytes (CAP_IPC_LOCK: any size all the same)" : "";
    return limit(root, "memlock limit", "Max locked memory", anyhow, " bytes", Long.MAX_VALUE);
  }

  /** Whether a limit is at least so high, or may be exceeded anyhow. */
  private static DoctorFinding limit(
      FileSystemRoot root, String name, String key, String anyhow, String unit, long least) {
    Optional<String> soft = softLimit(root, key);
    if (!anyhow.isEmpty()) {
      return DoctorFinding.good(name, soft.orElse("unknown") + anyhow);
    }
    if (soft.isEmpty()) {
      return DoctorFinding.unknown(name, "no /proc/self/limits");
    }
    OptionalLong limit = FileSystemRoot.parse(soft.get());
    return limit.isEmpty()
        ? DoctorFinding.of(soft.get().equals("unlimited"), name, soft.get())
        : DoctorFinding.of(limit.getAsLong() >= least, name, soft.get() + unit);
  }

  private static Optional<String> softLimit(FileSystemRoot root, String name) {
    return root.lines("proc/self/limits").stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()).strip().split("\\s+")[0])
        .filter(limit -> !limit.isEmpty())
        .findFirst();
  }
}
