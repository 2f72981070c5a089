package dev.takt.rtsj.monitor;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.internal.Fields;
import dev.takt.realtime.os.Errno;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Does in Java what the kernel does for {@link FutexWord}, except for what Java cannot: no priority
 * changes. The word is {@link #HELD} for every holder.
 *
 * <p>Invariant: if a node is in the queue, the word has {@link LockWord#WAITERS}; so the holder's
 * compare-and-set to 0 fails, and it comes to {@link #unlock}.
 */
final class QueueWord implements LockWord {
  private static final int HELD = 1;
  private static final VarHandle WORD =
      Fields.handle(MethodHandles.lookup(), QueueWord.class, "word", int.class);

  private final NanoClock clock;
  private final Priorities priorities;
  private final WaitQueue queue = new WaitQueue();
  private volatile int word;

  QueueWord(NanoClock clock, Priorities priorities) {
    this.clock = clock;
    this.priorities = priorities;
  }

  @Override
  public int idOf(MonitorThread thread) {
    return HELD;
  }

  @Override
  public int get() {
    return word;
  }

  @Override
  public boolean compareAndSet(int expected, int value) {
    return WORD.compareAndSet(this, expected, value);
  }

  @Override
  public boolean tellsWaiters() {
    return false;
  }

  @Override
  public Errno lock(MonitorThread self, long deadlineNs) {
    WaitNode node = self.entry;
    node.begin(priorities.own(self), clock);
    if (!enqueue(node)) {
      return Errno.NONE;
    }
    node.await(clock, deadlineNs);
    return dequeue(node) ? Errno.ETIMEDOUT : Errno.NONE;
  }

  @Override
  public Errno unlock(MonitorThread self) {
    synchronized (queue) {
      WaitNode heir = queue.poll();
      word = heir == null ? 0 : queue.isEmpty() ? HELD : HELD | WAITERS;
      if (heir != null) {
        heir.serve();
      }
    }
    return Errno.NONE;
  }

  /** Puts a node in the queue; false if the word was free, and is the caller's now. */
  private boolean enqueue(WaitNode node) {
    synchronized (queue) {
      while (true) {
        int seen = word;
        if (seen == 0) {
          if (compareAndSet(0, HELD)) {
            return false;
          }
        } else if (compareAndSet(seen, seen | WAITERS)) {
          queue.add(node);
          return true;
        }
      }
    }
  }

  /** Takes a node out of the queue; false if it was served, perhaps just in time. */
  private boolean dequeue(WaitNode node) {
    synchronized (queue) {
      if (node.isServed()) {
        return false;
      }
      queue.remove(node);
      return true;
    }
  }
}
