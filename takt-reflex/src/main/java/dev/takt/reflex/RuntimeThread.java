package dev.takt.reflex;

import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.RevocableScheduling;
import dev.takt.realtime.internal.Await;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.reflex.woven.TaskThread;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a runtime: before its first release it asks the operating system, on itself, for its
 * scheduling; the admission may ask for another one later.
 *
 * <p><b>Thread rule:</b> {@link #enlist} is for the thread itself; the rest for any thread.
 */
class RuntimeThread extends TaskThread {
  private final CountDownLatch enlisted = new CountDownLatch(1);
  final RevocableScheduling scheduling;

  RuntimeThread(@Nullable Runnable body, String name, ThreadScheduling asked) {
    super(body, name);
    this.scheduling = new RevocableScheduling(OperatingSystems.current(), asked);
    setDaemon(false);
  }

  /** Asks for the scheduling, once. A thread that is to ask for nothing is left as it is. */
  final void enlist() {
    try {
      scheduling.enlist(true);
    } finally {
      enlisted.countDown();
    }
  }

  /** Waits until the thread has asked; it has been started. */
  final void awaitEnlisted() {
    Await.uninterruptibly(enlisted::await);
  }

  /** Returns what it was granted; null until it has asked. */
  final @Nullable ThreadGrant grant() {
    Grant present = scheduling.grant();
    return present == null ? null : new ThreadGrant(getName(), scheduling.asked(), present);
  }
}
