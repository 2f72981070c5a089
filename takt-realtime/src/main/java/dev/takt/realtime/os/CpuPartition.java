package dev.takt.realtime.os;

import dev.takt.realtime.internal.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Which processors are for real-time threads, and which for all others: the JVM's own, and those of
 * the program that may wait. Why they must not share one: see {@link CpuConfinement}.
 *
 * @param realtime the processors of the real-time threads
 * @param housekeeping all other ones
 */
public record CpuPartition(CpuSet realtime, CpuSet housekeeping) {
  private static final Path ISOLATED = Path.of("/sys/devices/system/cpu/isolated");

  /** Checks that they have none in common. */
  public CpuPartition {
    if (realtime.and(housekeeping) != null) {
      throw new IllegalArgumentException(
          "realtime=%s, housekeeping=%s (expected: no processor in both)"
              .formatted(realtime, housekeeping));
    }
  }

  /**
   * Returns the usual partition of the processors of this process: those that the machine keeps
   * {@linkplain #isolated free of other work}, if it has such; otherwise the upper half for
   * real-time threads, the larger one if they are odd, because interrupts and the system's own work
   * are mostly on the first processor. Empty if there is only one, or nothing is known about them.
   */
  public static Optional<CpuPartition> usual(OperatingSystem system) {
    CpuSet all = system.processCpus();
    CpuSet isolated = isolated(ISOLATED);
    return all == null
        ? Optional.empty()
        : of(all, isolated == null ? null : usable(system, isolated));
  }

  /**
   * Returns those of some processors that threads of this process may be bound to, which a thread
   * tries: in a container they are often others than the machine's. Null: none.
   */
  public static @Nullable CpuSet usable(OperatingSystem system, CpuSet cpus) {
    AtomicReference<@Nullable CpuSet> usable = new AtomicReference<>();
    Thread trial =
        Thread.ofPlatform()
            .name("takt-processors")
            .daemon()
            .start(
                () -> {
                  int self = system.threadId();
                  if (system.bind(self, cpus) == Errno.NONE) {
                    CpuSet bound = system.granted(self).scheduling().cpus();
                    usable.set(bound == null ? null : bound.and(cpus));
                  }
                });
    Await.orInterrupt(trial::join);
    return usable.get();
  }

  /** The same, for any processors. */
  static Optional<CpuPartition> of(CpuSet all, @Nullable CpuSet isolated) {
    CpuSet others = isolated == null ? null : all.without(isolated);
    if (isolated != null && others != null) {
      return Optional.of(new CpuPartition(isolated, others));
    }
    if (all.size() < 2) {
      return Optional.empty();
    }
    int[] cpus = all.toArray();
    int lower = cpus.length / 2;
    return Optional.of(
        new CpuPartition(
            CpuSet.of(Arrays.copyOfRange(cpus, lower, cpus.length)),
            CpuSet.of(Arrays.copyOf(cpus, lower))));
  }

  /**
   * Returns the partition that gives real-time threads these processors and the others the rest;
   * empty if there is no rest, or nothing is known about the processors.
   */
  public static Optional<CpuPartition> ofRealtime(OperatingSystem system, CpuSet realtime) {
    Objects.requireNonNull(realtime, "realtime");
    CpuSet all = system.processCpus();
    CpuSet rest = all == null ? null : all.without(realtime);
    return rest == null ? Optional.empty() : Optional.of(new CpuPartition(realtime, rest));
  }

  /**
   * The processors that the kernel gives no thread that does not ask for them (isolcpus); null: it
   * has none. The file is a list such as {@code 2-5,8}.
   */
  static @Nullable CpuSet isolated(Path file) {
    try {
      CpuSet all = null;
      for (String range : Files.readString(file).strip().split(",")) {
        String[] ends = range.strip().split("-");
        int first = Integer.parseInt(ends[0]);
        int last = Integer.parseInt(ends[ends.length - 1]);
        for (int cpu = first; cpu <= Math.min(last, CpuSet.LIMIT - 1); cpu++) {
          CpuSet each = CpuSet.of(cpu);
          all = all == null ? each : all.or(each);
        }
      }
      return all;
    } catch (IOException | IllegalArgumentException _) {
      return null; // another system, or nothing in it
    }
  }
}
