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
 * scheduling; the admission may ask for another one later.
 *
 * <p><b>Thread rule:</b> {@link #enlist} and {@link #restore} are for the thread itself; the rest
 * for any thread.
 */
class RuntimeThread extends TaskThread {
  private final CountDownLatch enlisted = new CountDownLatch(1);
  private volatile ThreadScheduling asked;
  private volatile @Nullable ThreadGrant grant;
  private volatile boolean demoted;
  private volatile boolean lowered;

  /** Of changes of its scheduling. Code that runs here has the thread itself, and may hold that. */
  private final Object scheduling = new Object();

  RuntimeThread(@Nullable Runnable body, String name, ThreadScheduling asked) {
    super(body, name);
    this.asked = asked;
    setDaemon(false);
  }

  /** Asks for the scheduling, once. A thread that is to ask for nothing is left as it is. */
  final void enlist() {
    try {
      OperatingSystem system = OperatingSystems.current();
      synchronized (scheduling) {
        grant =
            new ThreadGrant(
                getName(),
                asked,
                asked.equals(ThreadScheduling.OTHER)
                    ? system.granted(system.threadId())
                    : system.schedule(asked));
        if (demoted) {
          demote(); // meanwhile
        }
      }
    } finally {
      enlisted.countDown();
    }
  }

  /** Waits until the thread has asked; it has been started. */
  final void awaitEnlisted() {
    Await.uninterruptibly(enlisted::await);
  }

  /** Asks for another scheduling, from now on or when the thread begins. */
  final void schedule(ThreadScheduling asked) {
    synchronized (scheduling) {
      if (!demoted && !asked.equals(this.asked)) {
        scheduleLocked(asked);
      }
    }
  }

  private void scheduleLocked(ThreadScheduling asked) {
    this.asked = asked;
    ThreadGrant present = grant;
    if (present != null && !lowered) {
      // The timer slack is the thread's own to set; it has it since it began.
      ThreadScheduling now = asked.withTimerSlackNs(0);
      grant =
          new ThreadGrant(
              getName(), asked, OperatingSystems.current().schedule(threadId(present), now));
      if (demoted) {
        demote(); // meanwhile
      }
    }
  }

  private static int threadId(ThreadGrant grant) {
    return grant.grant().threadId();
  }

  /**
   * Removes its real-time policy, if it has one, for good: it does not end, and a thread that is to
   * end it needs the processor. Takes no lock: its holder may not get the processor before.
   */
  final void demote() {
    demoted = true;
    removePolicy();
  }

  /** Removes its real-time policy until the release that runs has ended; takes no lock. */
  final void lower() {
    if (!lowered) {
      removePolicy();
      lowered = true; // after it, or the thread could restore its policy before it is removed
    }
  }

  private void removePolicy() {
    ThreadGrant grant = this.grant;
    if (grant != null && grant.grant().scheduling().policy().isRealtime()) {
      OperatingSystems.current().setPolicy(threadId(grant), Policy.OTHER, 0);
    }
  }

  /** Takes back {@link #lower}; called between two releases. */
  final void restore() {
    if (lowered) {
      restoreLowered();
    }
  }

  private void restoreLowered() {
    synchronized (scheduling) {
      lowered = false;
      if (!demoted && asked.policy().isRealtime()) {
        grant = new ThreadGrant(getName(), asked, OperatingSystems.current().schedule(asked));
        if (demoted) {
          demote(); // meanwhile
        }
      }
    }
  }

  /** Returns what it was granted; null until it has asked. */
  final @Nullable ThreadGrant grant() {
    return grant;
  }
}
