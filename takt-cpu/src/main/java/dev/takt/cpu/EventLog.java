package dev.takt.cpu;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Logs what needs somebody's attention, where the settings have no receiver of events: failures,
 * and what became of tasks that do not keep to what they asked for.
 *
 * <p>Failures are logged with their stack traces. What comes again and again is logged {@linkplain
 * RepeatedEvents more and more rarely}. What comes is kept until {@link #print}, because the
 * threads that find it must not wait for a log: {@value #MAX_KEPT} events at most, and of the rest
 * the number.
 *
 * <p><b>Thread rule:</b> any thread; {@link #print}: one.
 */
final class EventLog implements Consumer<ManagerEvent> {
  static final String NAME = "dev.takt.cpu";
  static final int MAX_KEPT = 256;

  /** Looked up when something is logged: that loads much. */
  private final Supplier<Logger> log;

  private final Queue<String> kept = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private final RepeatedEvents repeated = new RepeatedEvents();

  EventLog(Supplier<Logger> log) {
    this.log = log;
  }

  @Override
  public void accept(ManagerEvent event) {
    if (matters(event)) {
      String line = line(event);
      if (size.getAndIncrement() < MAX_KEPT) {
        kept.add(line);
      }
    }
  }

  /** Made here, because it calls methods of what was thrown, which may not return. */
  private static String line(ManagerEvent event) {
    Throwable failure = event.failure();
    return (event.task().isEmpty() ? "" : "task " + event.task() + ": ")
        + event.kind().name().toLowerCase(Locale.ROOT)
        + ": "
        + event.detail()
        + (failure == null ? "" : FailureText.trace(failure));
  }

  private boolean matters(ManagerEvent event) {
    return switch (event.kind()) {
      case FAILED, NONCONFORMING, FAULT -> repeated.count(event) > 0;
      case SHORTFALL, DISPLACED, DEMOTED, DROPPED, UNSTOPPABLE, UNLEARNED -> true;
      default -> false;
    };
  }

  /** Logs what has come since the last call. */
  void print() {
    int came = size.getAndSet(0);
    for (String line = kept.poll(); line != null; line = kept.poll()) {
      log.get().log(Level.WARNING, line);
    }
    if (came > MAX_KEPT) {
      log.get()
          .log(
              Level.WARNING,
              "%s more events (limit: %s at once)".formatted(came - MAX_KEPT, MAX_KEPT));
    }
  }
}
