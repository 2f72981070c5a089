package dev.takt.rtsj.monitor;

import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.ThreadScheduling;

/**
 * Reads and sets the priorities of threads, without what they inherit; nothing allocates.
 *
 * <p><b>Thread rule:</b> any thread.
 */
interface Priorities {
  /**
   * Above {@link ThreadScheduling#MAX_PRIORITY}: a thread of policy DEADLINE runs before all
   * others.
   */
  int DEADLINE = ThreadScheduling.MAX_PRIORITY + 1;

  /** Returns a thread's policy, as it is now. */
  Policy policy(MonitorThread thread);

  /** Returns a thread's priority, as it is now: 1 to 99, 0 without. */
  int priority(MonitorThread thread);

  /** Returns a number that changes each time after a policy or a priority was set. */
  long changes();

  /** Sets them; not for policy DEADLINE. */
  Errno set(MonitorThread thread, Policy policy, int priority);

  /**
   * Returns a thread's own priority, that of which a ceiling may have raised it: 0 if not
   * real-time, 1 to 99, or {@link #DEADLINE}. It is read once and then known until a priority is
   * set: to ask the system takes longer than all the rest of an entry.
   */
  default int own(MonitorThread thread) {
    if (!thread.ceilings.isEmpty()) {
      return thread.ceilings.ownPriority();
    }
    long changes = changes(); // before it is read: what is set meanwhile is seen the next time
    long before = thread.known();
    int known = MonitorThread.priorityIn(before, changes);
    return known >= 0 ? known : read(thread, before, changes);
  }

  private int read(MonitorThread thread, long before, long changes) {
    int last = MonitorThread.lastPriorityIn(before);
    if (last >= 0 && thread.hasDied()) {
      return last; // the system does not know it any more, or another one by its number
    }
    int priority = priority(thread);
    int own = priority == 0 && policy(thread) == Policy.DEADLINE ? DEADLINE : priority;
    if (last >= 0 && thread.hasDied()) {
      return last; // meanwhile
    }
    thread.knowPriority(before, own, changes);
    return own;
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
      public long changes() {
        return system.policyChanges();
      }

      @Override
      public Errno set(MonitorThread thread, Policy policy, int priority) {
        return system.setPolicy(thread.threadId, policy, priority);
      }
    };
  }
}
