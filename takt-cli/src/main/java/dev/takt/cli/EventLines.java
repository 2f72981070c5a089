package dev.takt.cli;

import dev.takt.cpu.ManagerEvent;
import dev.takt.safety.Printable;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * What a CPU manager does, in lines for people. It is told on threads that must not wait, so it
 * only remembers what happened; another thread writes it.
 *
 * <p>Left out is what happens again and again: measurements, and of overruns, drift and lacking
 * conformance of a task all but the first.
 */
final class EventLines implements Consumer<ManagerEvent> {
  private static final int MAX_WAITING = 4_096;
  private static final int MAX_TASKS = 10_000;
  private static final Set<ManagerEvent.Kind> REPEATED =
      EnumSet.of(
          ManagerEvent.Kind.OVERRUN,
          ManagerEvent.Kind.DRIFTED,
          ManagerEvent.Kind.NONCONFORMING,
          ManagerEvent.Kind.FAULT);

  private final Consumer<String> out;
  private final BlockingQueue<ManagerEvent> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
  private final AtomicLong lost = new AtomicLong();
  private final Set<String> told = new HashSet<>();

  EventLines(Consumer<String> out) {
    this.out = out;
  }

  @Override
  public void accept(ManagerEvent event) {
    if (event.kind() != ManagerEvent.Kind.MEASURED && !waiting.offer(event)) {
      lost.incrementAndGet();
    }
  }

  /** Writes what has happened since the last time. */
  synchronized void print() {
    for (ManagerEvent each = waiting.poll(); each != null; each = waiting.poll()) {
      if (REPEATED.contains(each.kind())) {
        if (told.size() < MAX_TASKS && told.add(each.kind() + each.task())) {
          out.accept(text(each) + "; more of it are counted, not shown");
        }
      } else {
        out.accept(text(each));
      }
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
          case FAILED -> "failed in a release";
          case FAULT -> "go on, though code that the manager calls has thrown";
          case ENDED -> "has ended";
          default -> event.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        };
    return Printable.of(
        "%s %s%s"
            .formatted(
                event.task().isEmpty() ? "all tasks" : "task " + event.task(),
                what,
                event.detail().isEmpty() ? "" : ": " + event.detail()));
  }
}
