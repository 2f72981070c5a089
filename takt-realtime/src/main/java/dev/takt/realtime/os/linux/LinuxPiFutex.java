package dev.takt.realtime.os.linux;

import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.KernelClock;
import dev.takt.realtime.os.PiFutex;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** By Linux's {@code FUTEX_LOCK_PI}. */
final class LinuxPiFutex implements PiFutex {
  private static final long SIZE_BYTES = 128;

  /**
   * Whether this kernel can wait by the monotonic clock; found out by the first call that waits.
   */
  private static volatile boolean hasMonotonic = true;

  private final MemorySegment memory = Arena.ofAuto().allocate(SIZE_BYTES, SIZE_BYTES);
  private final MemorySegment word = memory.asSlice(0, Integer.BYTES);
  private final long address = memory.address();

  /** Whether the kernel has such words and lets this process use them. */
  static boolean isPermitted() {
    LinuxPiFutex probe = new LinuxPiFutex();
    return probe.tryLock() == Errno.NONE && probe.unlock() == Errno.NONE;
  }

  @Override
  public MemorySegment word() {
    return word;
  }

  @Override
  public Errno lock() {
    return call(Futex.LOCK_PI, 0);
  }

  @Override
  public Errno lockUntil(long deadlineNs) {
    if (!hasMonotonic) {
      return lockUntilByTimeOfDay(deadlineNs);
    }
    Errno outcome = lockUntil(deadlineNs, Futex.LOCK_PI2, deadlineNs);
    if (outcome == Errno.ENOSYS) {
      hasMonotonic = false;
      outcome = lockUntilByTimeOfDay(deadlineNs);
    }
    return outcome;
  }

  /** As kernels before 5.14 can: setting the clock meanwhile shifts the deadline. */
  Errno lockUntilByTimeOfDay(long deadlineNs) {
    long remainingNs = deadlineNs - System.nanoTime();
    long nowNs = Kernel.clockNs(KernelClock.REALTIME.number());
    return lockUntil(
        deadlineNs, Futex.LOCK_PI, nowNs + Math.min(remainingNs, Long.MAX_VALUE - nowNs));
  }

  /** A deadline that has passed is reason enough, so that a time-out allocates nothing. */
  private Errno lockUntil(long deadlineNs, int operation, long timeNs) {
    MemorySegment time = CallBuffer.current().memory();
    Structs.setTime(time, 0, Math.max(0, timeNs));
    long result = Kernel.callQuietly(Syscall.FUTEX, address, operation, 0, time.address(), 0, 0);
    if (result == 0) {
      Reference.reachabilityFence(memory);
      return Errno.NONE;
    }
    return System.nanoTime() - deadlineNs >= 0 ? Errno.ETIMEDOUT : call(operation, time.address());
  }

  @Override
  public Errno tryLock() {
    return call(Futex.TRYLOCK_PI, 0);
  }

  @Override
  public Errno unlock() {
    return call(Futex.UNLOCK_PI, 0);
  }

  private Errno call(int operation, long timeAddress) {
    long result = Kernel.call(Syscall.FUTEX, address, operation, 0, timeAddress);
    Reference.reachabilityFence(memory);
    return Errno.ofResult(result);
  }
}
