package dev.takt.session;

import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sees and reports sessions that never let go of their carrier: they compute without end, or wait
 * where they cannot be suspended.
 *
 * <p><b>Purpose.</b> A session gives its carrier to others where it waits, and nowhere else. One
 * that does not wait takes a processor from all other sessions, and as many of them as there are
 * carriers stop all.
 *
 * <p><b>How.</b> A thread looks at the carriers at each tenth of the limit. To the JVM's management
 * a carrier waits for the virtual thread that it carries, so a look costs some microseconds for
 * each thread of the process, and sessions cost nothing. If a carrier had the same session at all
 * looks while it used the limit of processor time, it is looked at several times more at once, and
 * only if the session is there each time, it is reported: so one that yields often is not.
 *
 * <p><b>Guarantees.</b> A session that computes for 1.2 times the limit of processor time without a
 * pause is reported, once for each time it does, and so is one that waits for eleven times the
 * limit where it cannot be suspended; both if the watch's own thread gets a processor. Nothing is
 * done to it: the listener may {@linkplain Session#cancel cancel} it, or tell a human. One that
 * computes for long pieces and yields for short moments in between may be reported, too.
 *
 * <p><b>Thread rule.</b> The listener is called on the watch's thread; what it throws is counted
 * and otherwise ignored. Any thread may close it.
 *
 * {@snippet :
 * try (CarrierWatch watch =
 *     CarrierWatch.start(sessions, Duration.ofMillis(100), held -> log.warning(held.toString()))) {
 *   ...
 * }
 * }
 */
public final class CarrierWatch implements AutoCloseable {
  /** A second: what a session computes for so long is rarely meant to be in a session. */
  public static final Duration DEFAULT_LIMIT = Duration.ofSeconds(1);

  private static final String VIRTUAL = "java.lang.VirtualThread";
  private static final int LOOKS_IN_LIMIT = 10;
  private static final int LOOKS_TO_BE_SURE = 16;

  private final Sessions sessions;
  private final Consumer<? super HeldCarrier> listener;
  private final CarrierLooks looks;
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final AtomicLong reports = new AtomicLong();
  private final AtomicLong errors = new AtomicLong();
  private final WatchThread thread;

  private CarrierWatch(Sessions sessions, Duration limit, Consumer<? super HeldCarrier> listener) {
    this.sessions = sessions;
    this.listener = listener;
    looks = new CarrierLooks(limit.toNanos());
    thread = new WatchThread("takt-carrier-watch", limit.toNanos() / LOOKS_IN_LIMIT, this::look);
  }

  /**
   * Begins to watch.
   *
   * @param sessions whose names and stacks are reported
   * @param limit how long a session may compute without letting go of its carrier, 10 ms to a day
   * @param listener what is done with a report
   */
  public static CarrierWatch start(
      Sessions sessions, Duration limit, Consumer<? super HeldCarrier> listener) {
    if (limit.compareTo(Duration.ofMillis(10)) < 0 || limit.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException("limit=" + limit + " (expected: 10 ms to a day)");
    }
    CarrierWatch watch = new CarrierWatch(sessions, limit, listener);
    watch.thread.start();
    return watch;
  }

  private void look(long nowNs) {
    if (sessions.hasEnded()) {
      thread.close();
      return;
    }
    for (CarrierLooks.Held held : looks.add(carriers(), nowNs)) {
      if (staysThere(held.look())) {
        looks.told(held.look());
        report(held);
      } else {
        looks.interrupted(held.look());
      }
    }
  }

  private List<CarrierLooks.Look> carriers() {
    List<CarrierLooks.Look> carriers = new ArrayList<>();
    for (ThreadInfo each : threads.getThreadInfo(threads.getAllThreadIds(), 0)) {
      int rider = rider(each);
      if (rider != CarrierLooks.NOBODY) {
        long id = each.getThreadId();
        carriers.add(
            new CarrierLooks.Look(id, each.getThreadName(), rider, threads.getThreadCpuTime(id)));
      }
    }
    return carriers;
  }

  /** Returns the virtual thread that a thread carries, as the JVM's management tells it. */
  private static int rider(@Nullable ThreadInfo thread) {
    LockInfo waitsFor = thread == null ? null : thread.getLockInfo();
    return waitsFor != null && waitsFor.getClassName().equals(VIRTUAL)
        ? waitsFor.getIdentityHashCode()
        : CarrierLooks.NOBODY;
  }

  private boolean staysThere(CarrierLooks.Look look) {
    long[] id = {look.carrierId()};
    for (int i = 0; i < LOOKS_TO_BE_SURE; i++) {
      if (rider(threads.getThreadInfo(id, 0)[0]) != look.rider()) {
        return false;
      }
    }
    return true;
  }

  private void report(CarrierLooks.Held held) {
    String name = null;
    List<StackTraceElement> stack = List.of();
    for (Session<?> each : sessions.running()) {
      Thread rider = each.thread();
      if (rider != null && System.identityHashCode(rider) == held.look().rider()) {
        name = each.name();
        stack = List.of(rider.getStackTrace());
      }
    }
    reports.incrementAndGet();
    try {
      listener.accept(
          new HeldCarrier(name, held.look().carrier(), held.heldNs(), held.cpuNs(), stack));
    } catch (RuntimeException | Error ofListener) {
      errors.incrementAndGet();
    }
  }

  /** Returns how many reports there were so far. */
  public long reports() {
    return reports.get();
  }

  /** Returns how often the listener has thrown. */
  public long listenerErrors() {
    return errors.get();
  }

  /**
   * Ends the watch, and waits until its thread has ended, unless the listener calls it. It also
   * ends by itself, when none of its sessions is left and none can start.
   */
  @Override
  public void close() {
    thread.close();
  }
}
