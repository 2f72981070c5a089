package dev.takt.realtime.os.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.KernelClock;
import dev.takt.realtime.os.Resource;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A descriptor that any thread may use and any thread may close.
 *
 * <p>The kernel gives a closed descriptor's number to the next file that is opened, so a call by
 * the old number would use another file. {@link #enter} and {@link #leave} enclose each call; the
 * last to leave a closed descriptor closes it.
 */
class LinuxDescriptor {
  /** Not inherited by other programs, and never blocking. */
  static final int FLAGS = 0x8_0000 | 0x800; // O_CLOEXEC | O_NONBLOCK

  private static final int CLOSED = 0x8000_0000;

  /** How many threads are in a call, and the bit {@link #CLOSED}. */
  private final AtomicInteger users = new AtomicInteger();

  private final int fd;

  /**
   * Takes what a call gave.
   *
   * @throws IOException if that is an error
   */
  LinuxDescriptor(String what, long result) throws IOException {
    if (result < 0) {
      throw new IOException(refusal(what, Errno.ofResult(result)));
    }
    fd = (int) result;
  }

  private static String refusal(String what, Errno errno) {
    String remedy =
        errno == Errno.EMFILE
            ? "; the limit is "
                + LinuxProcess.limit(Resource.NOFILE).soft()
                + ": close some, or raise it (ulimit -n, LimitNOFILE= in the systemd unit)"
            : "";
    return "cannot make " + what + ": " + errno.explain() + remedy;
  }

  /**
   * Loads what it takes to make descriptors, and to say why one cannot be made: when there are none
   * left, the JVM cannot open the files of classes either, and never tries again.
   */
  static void load() {
    refusal("a descriptor", Errno.EMFILE);
    try {
      new LinuxEventFd().close();
      new LinuxTimerFd(KernelClock.MONOTONIC).close();
      new LinuxPoller(1).close();
    } catch (IOException _) {
      // none is left now: a caller that makes one gets this exception
    }
  }

  /** The number of the descriptor; -1 when it is closed, but for a call that is in progress. */
  public final int fd() {
    return users.get() == CLOSED ? -1 : fd;
  }

  /** Begins a call; false when the descriptor is closed. */
  final boolean enter() {
    int now;
    do {
      now = users.get();
      if (now < 0) {
        return false;
      }
    } while (!users.compareAndSet(now, now + 1));
    return true;
  }

  /** Ends a call. */
  final void leave() {
    if (users.decrementAndGet() == CLOSED) {
      release();
    }
  }

  /** Reads the eight bytes of a counter, which sets it to 0; 0 if it is 0 or closed. */
  final long readCounter() {
    if (!enter()) {
      return 0;
    }
    MemorySegment memory = CallBuffer.current().memory();
    long read = Kernel.callQuietly(Syscall.READ, fd, memory.address(), Long.BYTES, 0, 0, 0);
    leave();
    return read == Long.BYTES ? memory.get(JAVA_LONG, 0) : 0;
  }

  /** Closes the descriptor when the last call has ended; more than once does nothing. */
  public final void close() {
    int before = users.getAndUpdate(now -> now | CLOSED);
    if (before == 0) {
      release();
    }
  }

  private void release() {
    Kernel.callQuietly(Syscall.CLOSE, fd, 0, 0, 0, 0, 0); // frees the number whatever it says
  }
}
