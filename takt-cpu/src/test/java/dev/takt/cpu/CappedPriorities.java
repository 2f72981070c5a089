package dev.takt.cpu;

import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.CpuConfinement;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.PausePriority;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.Shortfall;
import dev.takt.realtime.os.ThreadScheduling;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The operating system of a user with a limit on real-time priorities, as a book that is kept: no
 * thread is scheduled otherwise. All else is this machine's.
 */
final class CappedPriorities {
  private final OperatingSystem real = OperatingSystems.current();
  private final int limit;
  private final @Nullable CpuSet cpus;
  private final boolean grantsNice;
  private final Map<Integer, ThreadScheduling> byThread = new ConcurrentHashMap<>();
  private final Map<String, Integer> threadIds = new ConcurrentHashMap<>();

  CappedPriorities(int limit) {
    this(limit, null, false);
  }

  /**
   * Makes one.
   *
   * @param cpus the processors; null: they are not known
   * @param grantsNice whether a thread may have a nice value below 0
   */
  CappedPriorities(int limit, @Nullable CpuSet cpus, boolean grantsNice) {
    this.limit = limit;
    this.cpus = cpus;
    this.grantsNice = grantsNice;
  }

  OperatingSystem system() {
    return (OperatingSystem)
        Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {OperatingSystem.class}, this::call);
  }

  /** Returns which priority a thread has had last; 0: none. */
  int priority(String thread) {
    return scheduling(thread).priority();
  }

  /** Returns how a thread was scheduled last. */
  ThreadScheduling scheduling(String thread) {
    return threadIds.containsKey(thread) ? of(threadIds.get(thread)) : ThreadScheduling.OTHER;
  }

  private Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
    return switch (method.getName()) {
      case "schedule" ->
          arguments.length == 1
              ? schedule(threadId(), (ThreadScheduling) arguments[0])
              : schedule((int) arguments[0], (ThreadScheduling) arguments[1]);
      case "threadId" -> threadId();
      case "policy" -> of((int) arguments[0]).policy();
      case "priority" -> of((int) arguments[0]).priority();
      case "setPolicy" -> setPolicy((int) arguments[0], (Policy) arguments[1], (int) arguments[2]);
      case "bind" -> Errno.NONE;
      case "raisePauses" -> new PausePriority((int) arguments[0], List.of(), _ -> {});
      case "processCpus" -> cpus;
      case "confine" -> new CpuConfinement((CpuSet) arguments[0], List.of(), _ -> {});
      default -> {
        try {
          yield method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
          throw e.getCause();
        }
      }
    };
  }

  /** Without native access the threads have no numbers. */
  private int threadId() {
    int id = real.threadId();
    return id != 0 ? id : (int) Thread.currentThread().threadId();
  }

  private ThreadScheduling of(int thread) {
    return byThread.getOrDefault(thread, ThreadScheduling.OTHER);
  }

  private Errno setPolicy(int thread, Policy policy, int priority) {
    byThread.put(
        thread, policy == Policy.FIFO ? ThreadScheduling.fifo(priority) : ThreadScheduling.OTHER);
    return Errno.NONE;
  }

  private Grant schedule(int thread, ThreadScheduling asked) {
    boolean capped =
        asked.policy() == Policy.FIFO && asked.priority() > limit
            || asked.nice() < 0 && !grantsNice;
    ThreadScheduling granted =
        !capped
            ? asked
            : limit == 0 || asked.policy() == Policy.OTHER
                ? ThreadScheduling.OTHER
                : ThreadScheduling.fifo(limit);
    byThread.put(thread, granted);
    if (thread == threadId()) {
      threadIds.put(Thread.currentThread().getName(), thread);
    }
    return new Grant(
        thread,
        granted,
        capped
            ? List.of(
                new Shortfall(
                    "priority", asked.toString(), "the limit is " + limit, "raise the limit"))
            : List.of());
  }
}
