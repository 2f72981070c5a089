package dev.takt.cpu;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Logs what needs somebody's attention, where the settings have no receiver of events: failures,
 * and what became of tasks that do not keep to what they asked for.
 *
 * <p>Of a task's failures the first is logged with its stack trace, then the tenth, the hundredth
 * and so on. What comes is kept until {@link #print}, because the threads that find it must not
 * wait for a log: {@value #MAX_KEPT} events at most, and of the rest the number.
 *
 * <p><b>Thread rule:</b> any thread; {@link #print}: one.
 */
final class EventLog implements Consumer<ManagerEvent> {
  static final String NAME = "dev.takt.cpu";
  static final int MAX_KEPT = 256;

  /** Of so many tasks failures are counted; those of others are logged each. */
  private static final int MAX_COUNTED = 1_024;

  /** Looked up when something is logged: that loads much. */
  private final Supplier<Logger> log;

  private final Queue<ManagerEvent> kept = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private final Map<String, Integer> failures = new ConcurrentHashMap<>();

  EventLog(Supplier<Logger> log) {
    this.log = log;
  }

  @Override
  public void accept(ManagerEvent event) {
    if (matters(event) && size.getAndIncrement() < MAX_KEPT) {
      kept.add(event);
    }
  }

  private boolean matters(ManagerEvent event) {
    return switch (event.kind()) {
      case FAILED -> isPowerOfTen(count(event.task()));
      case NONCONFORMING, DISPLACED, DEMOTED, DROPPED, UNSTOPPABLE, UNLEARNED, FAULT -> true;
      default -> false;
    };
  }

  private int count(String task) {
    return failures.size() < MAX_COUNTED || failures.containsKey(task)
        ? failures.merge(task, 1, (before, one) -> before == Integer.MAX_VALUE ? 2 : before + one)
        : 1;
  }

  private static boolean isPowerOfTen(int count) {
    int power = count;
    while (power % 10 == 0) {
      power /= 10;
    }
    return power == 1;
  }

  /** Logs what has come since the last call. */
  void print() {
    int came = size.getAndSet(0);
    for (ManagerEvent event = kept.poll(); event != null; event = kept.poll()) {
      String about = event.task().isEmpty() ? "" : "task " + event.task() + ": ";
      log.get()
          .log(
              Level.WARNING,
              about + event.kind().name().toLowerCase(Locale.ROOT) + ": " + event.detail(),
              event.failure());
    }
    if (came > MAX_KEPT) {
      log.get()
          .log(
              Level.WARNING,
              "%s more events (limit: %s at once)".formatted(came - MAX_KEPT, MAX_KEPT));
    }
  }
}
