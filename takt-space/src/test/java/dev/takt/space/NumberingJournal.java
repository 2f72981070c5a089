package dev.takt.space;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A journal that numbers what it is shown, and notes the outcomes. */
class NumberingJournal implements CommitJournal {
  /**
   * What it was shown of a transaction.
   *
   * @param taken the numbers of the events that were taken
   * @param written the events that were written, by their numbers, in order
   */
  record Shown(long transaction, List<Long> taken, Map<Long, Event> written) {}

  final Map<Long, Shown> shown = new ConcurrentHashMap<>();
  final Map<Long, Boolean> outcomes = new ConcurrentHashMap<>();
  final List<Long> awaited = new ArrayList<>();
  private final AtomicLong tickets = new AtomicLong();
  private final ThreadLocal<@Nullable Long> last = new ThreadLocal<>();

  @Override
  public long prepare(Commit delta) {
    long[] words = new long[5 + delta.words()];
    Object[] references = new Object[5 + Math.max(delta.words(), delta.references())];
    delta.copyInto(words, references, 5);
    CommitContent content = new CommitContent(words, references);
    content.begin(5);
    List<Long> taken = new ArrayList<>();
    for (int i = content.takenCount(); i > 0; i--) {
      taken.add(content.nextTaken());
    }
    Map<Long, Event> written = new java.util.LinkedHashMap<>();
    for (int i = content.writtenCount(); i > 0; i--) {
      Event event = new Event();
      written.put(content.nextWritten(event), event);
    }
    long ticket = tickets.getAndIncrement();
    shown.put(ticket, new Shown(delta.transaction(), taken, written));
    last.set(ticket);
    return ticket;
  }

  @Override
  public void decided(long ticket, boolean committed) {
    if (outcomes.put(ticket, committed) != null) {
      throw new AssertionError("told twice of " + ticket);
    }
  }

  @Override
  public synchronized void await(long ticket) {
    awaited.add(ticket);
  }

  /** Returns the ticket that the calling thread has got since the last call, or null. */
  @Nullable Long takeLast() {
    Long ticket = last.get();
    last.remove();
    return ticket;
  }
}
