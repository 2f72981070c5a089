package dev.takt.realtime.os.linux;

import dev.takt.realtime.internal.Ranges;
import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.KernelClock;
import dev.takt.realtime.os.TimerFd;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** By Linux's {@code timerfd}. */
final class LinuxTimerFd extends LinuxDescriptor implements TimerFd {
  private static final int TFD_TIMER_ABSTIME = 1;
  private static final long INTERVAL = Structs.offset(Structs.ITIMERSPEC, "it_interval");
  private static final long VALUE = Structs.offset(Structs.ITIMERSPEC, "it_value");

  LinuxTimerFd(KernelClock clock) throws IOException {
    super(
        "a timerfd",
        Kernel.call(Syscall.TIMERFD_CREATE, checked(clock).number(), LinuxDescriptor.FLAGS));
  }

  private static KernelClock checked(KernelClock clock) {
    if (clock == KernelClock.TAI) {
      throw new IllegalArgumentException(
          "clock=TAI (expected: MONOTONIC, REALTIME or BOOTTIME; REALTIME plus the difference of"
              + " the two clocks' times serves for TAI)");
    }
    return clock;
  }

  @Override
  public Errno arm(long firstNs, long intervalNs) {
    Ranges.checkAtLeast("intervalNs", intervalNs, 0);
    return set(Math.max(1, firstNs), intervalNs); // 0 would stop the timer
  }

  @Override
  public Errno disarm() {
    return set(0, 0);
  }

  private Errno set(long firstNs, long intervalNs) {
    if (!enter()) {
      return Errno.EBADF;
    }
    MemorySegment memory = CallBuffer.current().memory();
    Structs.setTime(memory, INTERVAL, intervalNs);
    Structs.setTime(memory, VALUE, firstNs);
    long result =
        Kernel.call(Syscall.TIMERFD_SETTIME, fd(), TFD_TIMER_ABSTIME, memory.address(), 0);
    leave();
    return Errno.ofResult(result);
  }

  @Override
  public long drain() {
    return readCounter();
  }
}
