package dev.takt.cli.doctor;

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
    Optional<String> soft = softLimit(root, "Max realtime priority");
    if (mayAnyhow) {
      return DoctorFinding.good(
          "rtprio limit", soft.orElse("unknown") + " (CAP_SYS_NICE: any priority all the same)");
    }
    if (soft.isEmpty()) {
      return DoctorFinding.unknown("rtprio limit", "no /proc/self/limits");
    }
    OptionalLong limit = FileSystemRoot.parse(soft.get());
    return DoctorFinding.of(
        soft.get().equals("unlimited") || limit.isPresent() && limit.getAsLong() > 0,
        "rtprio limit",
        soft.get());
  }

  private static DoctorFinding lockedMemory(FileSystemRoot root, boolean mayAnyhow) {
    Optional<String> soft = softLimit(root, "Max locked memory");
    if (mayAnyhow) {
      return DoctorFinding.good(
          "memlock limit", soft.orElse("unknown") + " bytes (CAP_IPC_LOCK: any size all the same)");
    }
    if (soft.isEmpty()) {
      return DoctorFinding.unknown("memlock limit", "no /proc/self/limits");
    }
    return DoctorFinding.of(
        soft.get().equals("unlimited"),
        "memlock limit",
        soft.get() + (soft.get().equals("unlimited") ? "" : " bytes"));
  }

  private static Optional<String> softLimit(FileSystemRoot root, String name) {
    return root.lines("proc/self/limits").stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()).strip().split("\\s+")[0])
        .filter(limit -> !limit.isEmpty())
        .findFirst();
  }
}
