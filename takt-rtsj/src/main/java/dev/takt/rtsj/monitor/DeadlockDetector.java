package dev.takt.rtsj.monitor;

import org.jspecify.annotations.Nullable;

/**
 * Finds cycles of threads that wait for each other.
 *
 * <p>A thread publishes what it waits for before it looks, so if several close a cycle at once, the
 * last one sees all of it. What is read on the way may be of different moments, so a cycle is
 * reported only if it is still there when it is read again backwards: the caller holds the last
 * monitor all the time, so the thread that waits for that one keeps waiting and keeps what it
 * holds, and so on to the first. Only a wait with a time-out may dissolve it.
 *
 * <p>A cycle that is missed, because an owner is not known yet, is found by the kernel or, where
 * the kernel is not involved, when a thread looks again: every {@link InheritanceMonitor#LOOK_NS}.
 */
final class DeadlockDetector {
  /** As many as the kernel follows. */
  private static final int MAX_LENGTH = 1_024;

  private DeadlockDetector() {}

  /** Refuses to wait if that closes a cycle; the caller has published what it waits for. */
  static void refuse(MonitorThread self, InheritanceMonitor wanted) {
    if (seemsClosed(self, wanted)) {
      String circle = describe(self, wanted);
      if (circle != null) {
        throw new DeadlockException(circle);
      }
    }
  }

  /** Whether a first look finds a cycle; allocates nothing. */
  private static boolean seemsClosed(MonitorThread self, InheritanceMonitor wanted) {
    InheritanceMonitor monitor = wanted;
    for (int length = 1; length <= MAX_LENGTH; length++) {
      MonitorThread holder = monitor.holder();
      if (holder == self) {
        return true;
      }
      InheritanceMonitor next = holder == null ? null : holder.waitsFor;
      if (next == null) {
        return false;
      }
      monitor = next;
    }
    return false;
  }

  /** The cycle in words; null if it is gone. */
  static @Nullable String describe(MonitorThread self, InheritanceMonitor wanted) {
    InheritanceMonitor[] monitors = new InheritanceMonitor[MAX_LENGTH];
    MonitorThread[] holders = new MonitorThread[MAX_LENGTH];
    int length = 0;
    InheritanceMonitor monitor = wanted;
    while (monitor != null && length < MAX_LENGTH) {
      MonitorThread holder = monitor.holder();
      if (holder == null) {
        return null;
      }
      monitors[length] = monitor;
      holders[length++] = holder;
      monitor = holder == self ? null : holder.waitsFor;
    }
    if (holders[length - 1] != self || !isStillThere(monitors, holders, length)) {
      return null;
    }
    StringBuilder words = new StringBuilder("deadlock: ").append(self);
    for (int i = 0; i < length; i++) {
      words.append(" waits for ").append(monitors[i]).append(", held by ").append(holders[i]);
      if (i < length - 1) {
        words.append(", which");
      }
    }
    return words.append("; let all threads enter these monitors in the same order").toString();
  }

  /** Whether each holder but the last one still waits for the next monitor, and has its own. */
  static boolean isStillThere(InheritanceMonitor[] monitors, MonitorThread[] holders, int length) {
    for (int i = length - 2; i >= 0; i--) {
      if (holders[i].waitsFor != monitors[i + 1] || monitors[i].holder() != holders[i]) {
        return false;
      }
    }
    return true;
  }
}
