package dev.takt.realtime.os.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.takt.realtime.os.Capability;
import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.KernelClock;
import dev.takt.realtime.os.MemoryLock;
import dev.takt.realtime.os.Resource;
import dev.takt.realtime.os.ResourceLimit;
import dev.takt.realtime.os.Shortfall;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Memory, limits and counters of this process, by Linux. */
final class LinuxProcess {
  private static final int MCL_CURRENT = 1;
  private static final int MCL_FUTURE = 2;
  private static final int MCL_ONFAULT = 4;

  private static final long HARD = Structs.offset(Structs.RLIMIT, "rlim_max");

  private static final Object LOCK = new Object();

  /** Whether the lock that is in force takes pages when touched; null: there is none. */
  private static @Nullable Boolean lockedOnFault;

  private LinuxProcess() {}

  static MemoryLock lockMemory(boolean onFault) {
    List<Shortfall> shortfalls = new ArrayList<>();
    synchronized (LOCK) {
      long limitBytes = limit(Resource.MEMLOCK).soft();
      boolean limited = limitBytes != ResourceLimit.UNLIMITED;
      if (limited && !ProcessStatus.own().capabilities().contains(Capability.IPC_LOCK)) {
        shortfalls.add(ShortfallMessages.memoryLimit(limitBytes));
      } else {
        int flags = MCL_CURRENT | MCL_FUTURE | (onFault ? MCL_ONFAULT : 0);
        Errno outcome = Errno.ofResult(Kernel.call(Syscall.MLOCKALL, flags, 0));
        if (outcome == Errno.NONE) {
          lockedOnFault = onFault;
        } else {
          shortfalls.add(ShortfallMessages.memory(outcome));
        }
      }
      return memoryLock(shortfalls);
    }
  }

  static MemoryLock unlockMemory() {
    synchronized (LOCK) {
      Kernel.call(Syscall.MUNLOCKALL);
      lockedOnFault = null;
      return memoryLock(List.of());
    }
  }

  static MemoryLock memoryLock() {
    synchronized (LOCK) {
      return memoryLock(List.of());
    }
  }

  private static MemoryLock memoryLock(List<Shortfall> shortfalls) {
    return new MemoryLock(
        lockedOnFault != null,
        Boolean.TRUE.equals(lockedOnFault),
        ProcessStatus.own().lockedBytes(),
        limit(Resource.MEMLOCK).soft(),
        shortfalls);
  }

  static ResourceLimit limit(Resource resource) {
    MemorySegment memory = CallBuffer.current().memory();
    long result = Kernel.call(Syscall.PRLIMIT64, 0, resource.number(), 0, memory.address());
    return result == 0
        ? new ResourceLimit(memory.get(JAVA_LONG, 0), memory.get(JAVA_LONG, HARD))
        : new ResourceLimit(ResourceLimit.UNKNOWN, ResourceLimit.UNKNOWN);
  }

  static long clockResolutionNs(KernelClock clock) {
    MemorySegment memory = CallBuffer.current().memory();
    long result = Kernel.call(Syscall.CLOCK_GETRES, clock.number(), memory.address());
    return result == 0 ? Structs.getTime(memory, 0) : 0;
  }
}
