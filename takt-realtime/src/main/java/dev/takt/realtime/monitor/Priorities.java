package dev.takt.realtime.monitor;

import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.Scheduling;

/**
 * Reads and sets the priorities of threads, without what they inherit; nothing allocates.
 *
 * <p><b>Thread rule:</b> any thread.
 */
interface Priorities {
  /** Above {@link Scheduling#MAX_PRIORITY}: a thread of policy DEADLINE runs before all others. */
  int DEADLINE = Scheduling.MAX_PRIORITY + 1;

  /** Returns a thread's policy, as it is now. */
  Policy policy(MonitorThread thread);

  /** Returns a thread's priority, as it is now: 1 to 99, 0 without. */
  int priority(MonitorThread thread);

  /** Sets them; not for policy DEADLINE. */
  Errno set(MonitorThread thread, Policy policy, int priority);

  /**
   * Returns a thread's own priority, that of which a ceiling may have raised it: 0 if not
   * real-time, 1 to 99, or {@link #DEADLINE}.
   */
  default int own(MonitorThread thread) {
    if (!thread.ceilings.isEmpty()) {
      return thread.ceilings.ownPriority();
    }
    int priority = priority(thread);
    return priority == 0 && policy(thread) == Policy.DEADLINE ? DEADLINE : priority;
  }

  /** Returns those of the operating system. */
  static Priorities of(OperatingSystem system) {
    return new Priorities() {
      @Override
      public Policy policy(MonitorThread thread) {
        return thread.threadId == 0 ? Policy.OTHER : system.policy(thread.threadId);
      }

      @Override
      public int priority(MonitorThread thread) {
        return thread.threadId == 0 ? 0 : system.priority(thread.threadId);
      }

      @Override
      public Errno set(MonitorThread thread, Policy policy, int priority) {
        return system.setPolicy(thread.threadId, policy, priority);
      }
    };
  }
}
