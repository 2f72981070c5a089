package dev.takt.realtime.os.linux;

import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.OperatingSystem;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lets threads that a real-time thread keeps from running use other processors until the next tick
 * of the {@link StarvationMonitor}.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class TemporaryMigration {
  private final OperatingSystem system;
  private final CpuSet processCpus;

  /**
   * Where a thread was bound.
   *
   * @param before before the migration
   * @param given during it
   */
  private record Move(CpuSet before, CpuSet given) {}

  /** The threads that are migrated now, by their number. */
  private final Map<Integer, Move> moved = new HashMap<>();

  TemporaryMigration(OperatingSystem system, CpuSet processCpus) {
    this.system = system;
    this.processCpus = processCpus;
  }

  /** Migrates the threads that are ready to run on the processor that a thread keeps busy. */
  void begin(int suspect) {
    int cpu = ProcessThreads.readyOn(suspect);
    CpuSet others = cpu < 0 ? null : processCpus.without(CpuSet.of(cpu));
    if (others == null || !system.policy(suspect).isRealtime()) {
      return;
    }
    for (int thread : ProcessThreads.all()) {
      if (thread != suspect && ProcessThreads.readyOn(thread) == cpu) {
        move(thread, others);
      }
    }
  }

  /** Restores the processors of the threads, unless other code has bound them since. */
  void end() {
    if (!moved.isEmpty()) {
      moved.forEach(this::end);
      moved.clear();
    }
  }

  private void end(int thread, Move move) {
    if (move.given().equals(cpusOf(thread))) {
      system.bind(thread, move.before());
    }
  }

  private void move(int thread, CpuSet cpus) {
    CpuSet before = cpusOf(thread);
    if (before != null && system.bind(thread, cpus) == Errno.NONE) {
      CpuSet given = cpusOf(thread); // the part of them that is online
      if (given != null) {
        moved.putIfAbsent(thread, new Move(before, given));
      }
    }
  }

  private @Nullable CpuSet cpusOf(int thread) {
    return system.granted(thread).scheduling().cpus();
  }
}
