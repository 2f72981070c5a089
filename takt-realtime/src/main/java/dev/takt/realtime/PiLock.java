package dev.takt.realtime;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.PiFutex;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Guards a few instructions that neither wait nor fail.
 *
 * <p><b>Purpose.</b> Threads of any priority bring arrivals, also ordinary and virtual ones, and a
 * real-time thread takes them. A thread that is preempted inside must not keep one of higher
 * priority waiting while those of priorities between them run: so where the operating system offers
 * it, the owner inherits the priority of the waiting threads.
 *
 * <p><b>Why not a monitor of takt-rtsj.</b> That is for sections that may do anything, so it must
 * know its owner by name, and refuses virtual threads. In here nothing can park, so a virtual
 * thread keeps its carrier, which can inherit.
 *
 * <p><b>Assumptions.</b> Inside, no thread parks, waits, enters a {@code synchronized} block or
 * this lock again. <b>Guarantees.</b> Mutual exclusion; what is done before an unlock is seen after
 * the next lock.
 *
 * <p><b>Thread rule.</b> Any thread. <b>Memory.</b> 128 bytes of native memory. With the system's
 * futex nothing allocates but a thread's first call; without it, waiting does.
 */
final class PiLock {
  private static final VarHandle WORD = JAVA_INT.varHandle();

  private final OperatingSystem system;
  private final @Nullable PiFutex futex;
  private final MemorySegment word;

  /** Takes the futex's place where there is none: there a waiting thread passes on no priority. */
  private final ReentrantLock plain = new ReentrantLock();

  /** The number of the thread inside; read by that thread only. */
  private int holder;

  PiLock(OperatingSystem system) {
    this.system = system;
    futex = system.newPiFutex().orElse(null);
    word = futex == null ? MemorySegment.NULL : futex.word();
  }

  void lock() {
    if (futex == null) {
      plain.lock();
      return;
    }
    int self = system.threadId();
    if (!WORD.compareAndSet(word, 0L, 0, self)) {
      await(futex);
    }
    holder = self;
  }

  private static void await(PiFutex futex) {
    Errno outcome = futex.lock();
    while (outcome == Errno.EAGAIN || outcome == Errno.EINTR) {
      outcome = futex.lock();
    }
    if (outcome != Errno.NONE) {
      throw new IllegalStateException("cannot wait for the lock of an arrival queue: " + outcome);
    }
    // The JVM does not see the kernel's writes: order them before all that follows.
    VarHandle.fullFence();
  }

  void unlock() {
    if (futex == null) {
      plain.unlock();
    } else if (!WORD.compareAndSet(word, 0L, holder, 0)) {
      VarHandle.fullFence();
      futex.unlock();
    }
  }
}
