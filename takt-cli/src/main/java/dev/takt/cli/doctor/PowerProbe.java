package dev.takt.cli.doctor;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** What saves power and costs time: frequency and idle states. */
final class PowerProbe implements Probe {
  /** A processor that needs longer to wake up is felt in a period of 50 us. */
  private static final long SLOW_WAKE_UP_US = 10;

  /** The idle driver of a KVM guest. It states 1 us for what takes the host about ten. */
  static final String HALTS_BY_HOST = "haltpoll";

  static final String DRIVER = "sys/devices/system/cpu/cpuidle/current_driver";

  private static final String CPUS = "sys/devices/system/cpu/";

  @Override
  public List<DoctorFinding> examine(FileSystemRoot root) {
    OptionalLong allowedUs = allowedLatencyUs(root);
    return List.of(governor(root), idleStates(root, allowedUs), latencyRequest(allowedUs));
  }

  private static DoctorFinding governor(FileSystemRoot root) {
    Set<String> governors = new TreeSet<>();
    for (String cpu : root.names("sys/devices/system/cpu")) {
      if (cpu.matches("cpu\\d+")) {
        root.text(CPUS + cpu + "/cpufreq/scaling_governor").ifPresent(governors::add);
      }
    }
    if (governors.isEmpty()) {
      return root.exists("sys/devices/system/cpu")
          ? DoctorFinding.good("cpu governor", "none: the frequency is not this kernel's to choose")
          : DoctorFinding.unknown("cpu governor", "no /sys/devices/system/cpu");
    }
    return DoctorFinding.of(
        governors.equals(Set.of("performance")), "cpu governor", String.join(", ", governors));
  }

  private static DoctorFinding idleStates(FileSystemRoot root, OptionalLong allowedUs) {
    String folder = CPUS + "cpu0/cpuidle";
    List<String> states = new ArrayList<>();
    long slowestUs = 0;
    boolean halts = false;
    for (String state : root.names(folder)) {
      OptionalLong latencyUs = root.number(folder + "/" + state + "/latency");
      boolean off = root.number(folder + "/" + state + "/disable").orElse(0) != 0;
      if (latencyUs.isEmpty()) {
        continue;
      }
      String name = root.text(folder + "/" + state + "/name").orElse(state);
      states.add(name + " " + latencyUs.getAsLong() + " us" + (off ? " (off)" : ""));
      boolean usable = !off && latencyUs.getAsLong() <= allowedUs.orElse(Long.MAX_VALUE);
      halts |= usable && latencyUs.getAsLong() > 0;
      slowestUs = usable ? Math.max(slowestUs, latencyUs.getAsLong()) : slowestUs;
    }
    if (states.isEmpty()) {
      return DoctorFinding.unknown(
          "idle states", "the kernel manages none (a guest, or idle=poll)");
    }
    String found = "wake-up from " + String.join(", ", states);
    if (halts && root.text(DRIVER).equals(Optional.of(HALTS_BY_HOST))) {
      return DoctorFinding.of(false, "idle states/halts", found + "; driver " + HALTS_BY_HOST);
    }
    return DoctorFinding.of(
        slowestUs <= SLOW_WAKE_UP_US, "idle states", found, slowestUs, SLOW_WAKE_UP_US);
  }

  private static DoctorFinding latencyRequest(OptionalLong allowedUs) {
    if (allowedUs.isEmpty()) {
      return DoctorFinding.unknown(
          "dma latency",
          "/dev/cpu_dma_latency cannot be read (needs root, or a udev rule: --tune)");
    }
    // The kernel's "whatever you like" is 2000 seconds.
    return DoctorFinding.good(
        "dma latency",
        allowedUs.getAsLong() >= 1_000_000_000
            ? "no program asks for quick wake-ups (--realtime does, while it runs)"
            : "a program asks for wake-ups within " + allowedUs.getAsLong() + " us");
  }

  private static OptionalLong allowedLatencyUs(FileSystemRoot root) {
    Optional<byte[]> bytes = root.device("dev/cpu_dma_latency", Integer.BYTES);
    if (bytes.isEmpty() || bytes.get().length < Integer.BYTES) {
      return OptionalLong.empty();
    }
    int us = ByteBuffer.wrap(bytes.get()).order(ByteOrder.nativeOrder()).getInt();
    return us < 0 ? OptionalLong.empty() : OptionalLong.of(us);
  }
}
