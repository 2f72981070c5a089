package dev.takt.bench.rtj.inversion;

import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.ThreadScheduling;

/**
 * The three threads and their work.
 *
 * @param cpu the processor that they share
 * @param lowPriority of policy FIFO; the highest is below 60, so that the system's own threads come
 *     first
 * @param mediumPriority above it
 * @param highPriority above that
 * @param sectionNs how long the low one works inside after the others were woken, in nanoseconds of
 *     processor time
 * @param burnNs how long the medium one works, in nanoseconds of processor time; at most {@value
 *     #MAX_BURN_NS}, so that the kernel does not throttle real-time threads
 */
public record InversionSetup(
    int cpu, int lowPriority, int mediumPriority, int highPriority, long sectionNs, long burnNs) {
  /** The longest section and the longest burn. */
  public static final long MAX_BURN_NS = 20_000_000;

  /** Checks each value. */
  public InversionSetup {
    if (lowPriority < 1
        || mediumPriority <= lowPriority
        || highPriority <= mediumPriority
        || highPriority >= 60) {
      throw new IllegalArgumentException(
          "priorities=%d, %d, %d (expected: 1 to 59, rising)"
              .formatted(lowPriority, mediumPriority, highPriority));
    }
    if (sectionNs < 0 || sectionNs > MAX_BURN_NS || burnNs < 0 || burnNs > MAX_BURN_NS) {
      throw new IllegalArgumentException(
          "sectionNs=%d, burnNs=%d (expected: 0 to %d)".formatted(sectionNs, burnNs, MAX_BURN_NS));
    }
  }

  /**
   * Returns what measures the latency of inheritance: no thread works longer than a timestamp
   * takes.
   */
  public static InversionSetup latency(int cpu) {
    return new InversionSetup(cpu, 10, 20, 30, 0, 0);
  }

  /** Returns what shows the inversion: a section of 1 ms, and 10 ms of the medium one's work. */
  public static InversionSetup forced(int cpu) {
    return new InversionSetup(cpu, 10, 20, 30, 1_000_000, 10_000_000);
  }

  /** Returns this with other work, the same inside and outside. */
  InversionSetup withWorkNs(long workNs) {
    return new InversionSetup(cpu, lowPriority, mediumPriority, highPriority, workNs, workNs);
  }

  ThreadScheduling scheduling(int priority) {
    return ThreadScheduling.fifo(priority).withCpus(CpuSet.of(cpu));
  }
}
