package dev.takt.rtsj.monitor;

import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.PiFutex;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * A PI futex of the kernel: the word holds the number of the thread that holds it, by which the
 * kernel knows whom to give the priority of those that wait.
 */
final class FutexWord implements LockWord {
  private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();

  private final PiFutex futex;
  private final MemorySegment memory;

  FutexWord(PiFutex futex) {
    this.futex = futex;
    this.memory = futex.word();
  }

  @Override
  public int idOf(MonitorThread thread) {
    int id = thread.threadId;
    if (id == 0) {
      throw new IllegalMonitorStateException(
          thread
              + " has no thread of the operating system to itself (expected: a platform thread;"
              + " a virtual one can neither inherit nor pass on a priority)");
    }
    return id;
  }

  @Override
  public int get() {
    return (int) WORD.getVolatile(memory, 0L);
  }

  @Override
  public boolean compareAndSet(int expected, int value) {
    return WORD.compareAndSet(memory, 0L, expected, value);
  }

  /** The kernel sees the end of its own threads, not that of Java's. */
  @Override
  public boolean tellsWaiters() {
    return !MonitorThread.anyLingers();
  }

  @Override
  public Errno lock(MonitorThread self, long deadlineNs) {
    // Without a deadline there is less to do before the kernel can boost the holder.
    return deadlineNs == NEVER_NS ? futex.lock() : futex.lockUntil(deadlineNs);
  }

  @Override
  public Errno unlock(MonitorThread self) {
    // Java knows nothing of what the kernel writes: all before this comes first.
    VarHandle.fullFence();
    return futex.unlock();
  }
}
