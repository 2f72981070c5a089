package dev.takt.realtime.os.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.EventFd;
import dev.takt.realtime.os.Resource;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Linux's {@code eventfd}: a descriptor that any thread may use and any thread may close.
 *
 * <p>The kernel gives a closed descriptor's number to the next file that is opened, so a call by
 * the old number would use another file. {@link #enter} and {@link #leave} enclose each call; the
 * last to leave a closed descriptor closes it.
 */
final class LinuxEventFd implements EventFd {
  /** Not inherited by other programs, and never blocking. */
  private static final int FLAGS = 0x8_0000 | 0x800; // O_CLOEXEC | O_NONBLOCK

  private static final int CLOSED = 0x8000_0000;

  /** How many threads are in a call, and the bit {@link #CLOSED}. */
  private final AtomicInteger users = new AtomicInteger();

  private final int fd;

  /**
   * Makes one.
   *
   * @throws IOException if there is none left
   */
  LinuxEventFd() throws IOException {
    long result = Kernel.call(Syscall.EVENTFD2, 0, FLAGS);
    if (result < 0) {
      throw new IOException(refusal(Errno.ofResult(result)));
    }
    fd = (int) result;
  }

  private static String refusal(Errno errno) {
    String remedy =
        errno == Errno.EMFILE
            ? "; the limit is "
                + LinuxProcess.limit(Resource.NOFILE).soft()
                + ": close some, or raise it (ulimit -n, LimitNOFILE= in the systemd unit)"
            : "";
    return "cannot make an eventfd: " + errno.explain() + remedy;
  }

  /**
   * Loads what it takes to make descriptors, and to say why one cannot be made: when there are none
   * left, the JVM cannot open the files of classes either, and never tries again.
   */
  static void load() {
    refusal(Errno.EMFILE);
    try {
      new LinuxEventFd().close();
      new LinuxPoller(1).close();
    } catch (IOException _) {
      // none is left now: a caller that makes one gets this exception
    }
  }

  @Override
  public int fd() {
    return users.get() == CLOSED ? -1 : fd;
  }

  /** Begins a call; false when the descriptor is closed. */
  private boolean enter() {
    return users.getAndUpdate(now -> now < 0 ? now : now + 1) >= 0;
  }

  /** Ends a call. */
  private void leave() {
    if (users.decrementAndGet() == CLOSED) {
      release();
    }
  }

  @Override
  public void signal() {
    if (enter()) {
      MemorySegment one = CallBuffer.current().memory();
      one.set(JAVA_LONG, 0, 1);
      // Refused only when the counter is full, and then it is readable all the same.
      Kernel.callQuietly(Syscall.WRITE, fd, one.address(), Long.BYTES, 0, 0, 0);
      leave();
    }
  }

  @Override
  public long drain() {
    if (!enter()) {
      return 0;
    }
    MemorySegment memory = CallBuffer.current().memory();
    long read = Kernel.callQuietly(Syscall.READ, fd, memory.address(), Long.BYTES, 0, 0, 0);
    leave();
    return read == Long.BYTES ? memory.get(JAVA_LONG, 0) : 0;
  }

  /** Closes the descriptor when the last call has ended; more than once does nothing. */
  @Override
  public void close() {
    int before = users.getAndUpdate(now -> now | CLOSED);
    if (before == 0) {
      release();
    }
  }

  private void release() {
    Kernel.callQuietly(Syscall.CLOSE, fd, 0, 0, 0, 0, 0); // frees the number whatever it says
  }
}
