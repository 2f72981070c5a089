package dev.takt.realtime.os.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Native memory of one thread for the arguments of one call to the kernel, so that calls allocate
 * nothing. Made in a thread's first call; freed some time after the thread has ended.
 *
 * <p><b>Thread rule:</b> for the calling thread; it holds nothing from one call to the next.
 */
final class CallBuffer {
  /** As much as the largest structure needs: the bits of a set of processors. */
  static final long SIZE_BYTES = Structs.CPU_SET_BYTES;

  private static final ThreadLocal<CallBuffer> CURRENT = ThreadLocal.withInitial(CallBuffer::new);

  private final MemorySegment callState;
  private final MemorySegment memory;

  /** The thread's number; 0: not asked for yet. Virtual threads change theirs with the carrier. */
  private int threadId;

  /** The value last passed to {@link #keepTimerSlack}; 0: none. */
  private long timerSlackNs;

  private CallBuffer() {
    Arena arena = Arena.ofAuto();
    callState = Kernel.newCallState(arena);
    memory = arena.allocate(SIZE_BYTES, Long.BYTES);
  }

  static CallBuffer current() {
    return CURRENT.get();
  }

  MemorySegment callState() {
    return callState;
  }

  /** Memory for a call's arguments; its content is arbitrary. */
  MemorySegment memory() {
    return memory;
  }

  /** Keeps the timer slack that the thread had before it became real-time: then it reads as 0. */
  void keepTimerSlack(long slackNs) {
    if (slackNs > 0) {
      timerSlackNs = slackNs;
    }
  }

  /** Returns what was kept, in nanoseconds, and forgets it; 0 if there is nothing. */
  long takeTimerSlack() {
    long slackNs = timerSlackNs;
    timerSlackNs = 0;
    return slackNs;
  }

  /** The number of the calling thread. */
  int threadId() {
    if (threadId != 0) {
      return threadId;
    }
    int id = (int) Kernel.call(Syscall.GETTID);
    if (!Thread.currentThread().isVirtual()) {
      threadId = id;
    }
    return id;
  }
}
