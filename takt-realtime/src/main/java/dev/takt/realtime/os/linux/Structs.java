package dev.takt.realtime.os.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.takt.realtime.os.CpuSet;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/** The structures that the kernel reads and writes, as on every 64-bit Linux. */
final class Structs {
  /** {@code struct timespec}. */
  static final StructLayout TIMESPEC =
      MemoryLayout.structLayout(JAVA_LONG.withName("tv_sec"), JAVA_LONG.withName("tv_nsec"));

  /** {@code struct sched_attr} in its first version, which every kernel takes. */
  static final StructLayout SCHED_ATTR =
      MemoryLayout.structLayout(
          JAVA_INT.withName("size"),
          JAVA_INT.withName("sched_policy"),
          JAVA_LONG.withName("sched_flags"),
          JAVA_INT.withName("sched_nice"),
          JAVA_INT.withName("sched_priority"),
          JAVA_LONG.withName("sched_runtime"),
          JAVA_LONG.withName("sched_deadline"),
          JAVA_LONG.withName("sched_period"));

  /** {@code struct rlimit64}. */
  static final StructLayout RLIMIT =
      MemoryLayout.structLayout(JAVA_LONG.withName("rlim_cur"), JAVA_LONG.withName("rlim_max"));

  /** {@code struct pollfd}. */
  static final StructLayout POLLFD =
      MemoryLayout.structLayout(
          JAVA_INT.withName("fd"), JAVA_SHORT.withName("events"), JAVA_SHORT.withName("revents"));

  /** One bit for each processor. */
  static final long CPU_SET_BYTES = CpuSet.LIMIT / Byte.SIZE;

  static final long NANOS_PER_SECOND = 1_000_000_000;

  private static final long TV_NSEC = offset(TIMESPEC, "tv_nsec");

  private Structs() {}

  static long offset(StructLayout layout, String field) {
    return layout.byteOffset(PathElement.groupElement(field));
  }

  /** Writes a {@code timespec}. */
  static void setTime(MemorySegment memory, long offset, long timeNs) {
    memory.set(JAVA_LONG, offset, timeNs / NANOS_PER_SECOND);
    memory.set(JAVA_LONG, offset + TV_NSEC, timeNs % NANOS_PER_SECOND);
  }

  /** Reads a {@code timespec}. */
  static long getTime(MemorySegment memory, long offset) {
    return memory.get(JAVA_LONG, offset) * NANOS_PER_SECOND
        + memory.get(JAVA_LONG, offset + TV_NSEC);
  }
}
