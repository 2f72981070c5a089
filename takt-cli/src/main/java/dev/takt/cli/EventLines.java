package dev.takt.cli;

import dev.takt.cpu.ManagerEvent;
import dev.takt.cpu.RepeatedEvents;
import dev.takt.safety.Printable;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * What a CPU manager does, in lines for people. It is told on threads that must not wait, so it
 * only remembers what happened; another thread writes it.
 *
 * <p>Left out is what happens again and again: measurements, and the most of what {@link
 * RepeatedEvents} counts.
 */
final class EventLines implements Consumer<ManagerEvent> {
  private static final int MAX_WAITING = 4_096;

  /** So much of a name or a message of an application is shown. */
  private static final int MAX_CHARACTERS = 500;

  private final Consumer<String> out;
  private final BlockingQueue<Counted> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
  private final RepeatedEvents repeated = new RepeatedEvents();
  private final AtomicLong lost = new AtomicLong();

  /** An event, and the how manieth of its kind and task it is. */
  private record Counted(ManagerEvent event, int count) {}

  EventLines(Consumer<String> out) {
    this.out = out;
  }

  @Override
  public void accept(ManagerEvent event) {
    if (event.kind() != ManagerEvent.Kind.MEASURED) {
      int count = repeated.count(event);
      if (count > 0 && !waiting.offer(new Counted(event, count))) {
        lost.incrementAndGet();
      }
    }
  }

  /** Writes what has happened since the last time. */
  synchronized void print() {
    for (Counted each = waiting.poll(); each != null; each = waiting.poll()) {
      out.accept(
          text(each.event)
              + (each.count > 1
                  ? "; " + each.count + " times so far"
                  : RepeatedEvents.isRepeated(each.event.kind())
                      ? "; of more the tenth is shown, the hundredth and so on"
                      : ""));
    }
    long missing = lost.getAndSet(0);
    if (missing > 0) {
      out.accept(missing + " events were too many to show");
    }
  }

  /** Returns a line; names and messages of applications neither end it nor move the cursor. */
  static String text(ManagerEvent event) {
    String what =
        switch (event.kind()) {
          case ADMITTED -> "is admitted";
          case TRIAL -> "is admitted for a trial, in which its cost is measured";
          case SERVED -> "is served";
          case BEST_EFFORT -> "runs without a guarantee";
          case REJECTED -> "is not admitted";
          case DRIFTED -> "costs more than before";
          case NONCONFORMING -> "does not keep to what it asked for";
          case EXTENSUM -> "need another share than before";
          case UNLEARNED -> "must be measured anew";
          case DISPLACED -> "lost its share to a task of a higher rank";
          case OVERRUN -> "exceeded its cost";
          case DEMOTED -> "lost its priority";
          case DROPPED -> "was dropped";
          case UNSTOPPABLE -> "could not be stopped";
          case SHORTFALL -> "got less from the operating system than it asked for";
          case FAILED -> "failed in a release";
          case FAULT -> "go on, though code that the manager calls has thrown";
          case ENDED -> "has ended";
          default -> event.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        };
    return Printable.of(
        "%s %s%s"
            .formatted(
                event.task().isEmpty() ? "all tasks" : "task " + cut(event.task()),
                what,
                event.detail().isEmpty() ? "" : ": " + cut(event.detail())));
  }

  private static String cut(String text) {
    return text.length() <= MAX_CHARACTERS ? text : text.substring(0, MAX_CHARACTERS) + "...";
  }
}
