package dev.takt.reflex;

import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.internal.Await;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.reflex.woven.TaskThread;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a runtime: before its first release it asks the operating system, on itself, for its
 * scheduling.
 *
 * <p><b>Thread rule:</b> {@link #enlist} is for the thread itself; the rest for any thread.
 */
class RuntimeThread extends TaskThread {
  private final ThreadScheduling asked;
  private final CountDownLatch enlisted = new CountDownLatch(1);
  private volatile @Nullable ThreadGrant grant;

  RuntimeThread(@Nullable Runnable body, String name, ThreadScheduling asked) {
    super(body, name);
    this.asked = asked;
    setDaemon(false);
  }

  /** Asks for the scheduling, once. A thread that is to ask for nothing is left as it is. */
  final void enlist() {
    try {
      OperatingSystem system = OperatingSystems.current();
      grant =
          new ThreadGrant(
              getName(),
              asked,
              asked.equals(ThreadScheduling.OTHER)
                  ? system.granted(system.threadId())
                  : system.schedule(asked));
    } finally {
      enlisted.countDown();
    }
  }

  /** Waits until the thread has asked; it has been started. */
  final void awaitEnlisted() {
    Await.uninterruptibly(enlisted::await);
  }

  /**
   * Removes its real-time policy, if it has one: it does not end, and a thread that is to end it
   * needs the processor.
   */
  final void demote() {
    ThreadGrant grant = this.grant;
    if (grant != null && grant.grant().scheduling().policy().isRealtime()) {
      OperatingSystems.current().setPolicy(grant.grant().threadId(), Policy.OTHER, 0);
    }
  }

  /** Returns what it was granted; null until it has asked. */
  final @Nullable ThreadGrant grant() {
    return grant;
  }
}
