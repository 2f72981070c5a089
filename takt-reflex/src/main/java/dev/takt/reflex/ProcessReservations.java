package dev.takt.reflex;

import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.Collector;
import dev.takt.realtime.os.CpuConfinement;
import dev.takt.realtime.os.CpuPartition;
import dev.takt.realtime.os.MemoryLock;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.PausePriority;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.realtime.os.WakeLatencyLimit;
import dev.takt.reflex.RuntimeScheduling.Service;
import org.jspecify.annotations.Nullable;

/**
 * What a runtime asks of the machine for all of its threads together, before the first of them
 * starts; given back when the runtime has stopped.
 *
 * <p><b>Thread rule:</b> any thread.
 */
final class ProcessReservations {
  private final RuntimeScheduling asked;
  private @Nullable MemoryLock memory;
  private @Nullable CpuConfinement housekeeping;
  private @Nullable WakeLatencyLimit wakeLatency;
  private @Nullable PausePriority pauses;
  private Collector.@Nullable Hold heap;
  private boolean claimed;

  ProcessReservations(RuntimeScheduling asked) {
    this.asked = asked;
  }

  /** Asks; a second time does nothing. */
  synchronized void claim() {
    if (claimed) {
      return;
    }
    claimed = true;
    // The first look at the operating system takes long.
    OperatingSystem system = OperatingSystems.current();
    system.granted(system.threadId());
    if (asked.asks(Service.MEMORY_LOCKED)) {
      // For the whole process, and so for good: others may rely on it.
      memory = system.lockMemory(true);
    }
    if (asked.asks(Service.STAYS_AWAKE)) {
      wakeLatency = system.limitWakeLatency(0);
    }
    CpuPartition partition = asked.partition();
    if (partition != null) {
      housekeeping = system.confine(partition.housekeeping());
    }
    if (asked.policy().isRealtime()) {
      pauses = system.raisePauses(Math.min(ThreadScheduling.MAX_PRIORITY, asked.maxPriority() + 1));
    }
    if (asked.asks(Service.HEAP_COLLECTED)) {
      heap = Collector.collectAndHold();
    }
  }

  /** Releases all reservations except the memory lock. */
  synchronized void release() {
    if (housekeeping != null) {
      housekeeping.close();
    }
    if (pauses != null) {
      pauses.close();
    }
    if (wakeLatency != null) {
      wakeLatency.close();
    }
    if (heap != null) {
      heap.close();
    }
  }

  /** Whether memory is locked; null if it was not asked for, or not yet. */
  synchronized @Nullable MemoryLock memory() {
    return memory;
  }

  /** How quickly idle processors wake up; null if it was not asked for, or not yet. */
  synchronized @Nullable WakeLatencyLimit wakeLatency() {
    return wakeLatency;
  }

  /** Where the other threads are; null if they were not to be kept apart, or cannot, or not yet. */
  synchronized @Nullable CpuConfinement housekeeping() {
    return housekeeping;
  }
}
