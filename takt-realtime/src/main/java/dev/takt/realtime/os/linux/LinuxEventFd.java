package dev.takt.realtime.os.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.takt.realtime.os.EventFd;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** By Linux's {@code eventfd}. */
final class LinuxEventFd extends LinuxDescriptor implements EventFd {
  LinuxEventFd() throws IOException {
    super("an eventfd", Kernel.call(Syscall.EVENTFD2, 0, LinuxDescriptor.FLAGS));
  }

  @Override
  public void signal() {
    if (enter()) {
      MemorySegment one = CallBuffer.current().memory();
      one.set(JAVA_LONG, 0, 1);
      // Refused only when the counter is full, and then it is readable all the same.
      Kernel.callQuietly(Syscall.WRITE, fd(), one.address(), Long.BYTES, 0, 0, 0);
      leave();
    }
  }

  @Override
  public long drain() {
    return readCounter();
  }
}
