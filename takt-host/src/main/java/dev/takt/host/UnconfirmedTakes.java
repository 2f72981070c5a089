package dev.takt.host;

import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Events that were taken for one client and of which it is not known that they have come, in the
 * order of their taking, which is that of the answers.
 *
 * <p><b>Thread rule:</b> that of its session.
 *
 * <p><b>Memory:</b> an event for each one that was there at once, up to the limit, used again.
 */
final class UnconfirmedTakes {
  /** Of a request whose answer the client did not get, so that nothing confirms it. */
  private static final long NEVER = Long.MIN_VALUE;

  /** So many there are before it is worth a look at what the client's processor has written. */
  private static final int MANY = 16;

  private final int limit;
  private final LongSupplier confirmed;
  private Event[] events = new Event[4];
  private long[] requests = new long[4];
  private int count;

  /**
   * Makes one.
   *
   * @param confirmed see {@link Outbox#confirmed}
   */
  UnconfirmedTakes(int limit, LongSupplier confirmed) {
    this.limit = limit;
    this.confirmed = confirmed;
  }

  /** Forgets what has come, if there are many. Not between {@link #next} and {@link #add}. */
  void forget() {
    if (count >= Math.min(MANY, limit)) {
      forgetConfirmed();
    }
  }

  private void forgetConfirmed() {
    long request = confirmed.getAsLong();
    int last = request == 0 ? -1 : count - 1;
    while (last >= 0 && requests[last] != request) {
      last--;
    }
    if (last >= 0) {
      forgetUpTo(last);
    }
  }

  /**
   * Returns an event to take the next one into; {@link #add} keeps it.
   *
   * @throws IllegalStateException if the client has confirmed too few
   */
  Event next() {
    if (count == limit) {
      throw new IllegalStateException(
          "too many events were taken and not confirmed: limit=%s, ClientLimits.maxUnconfirmed"
              .formatted(limit));
    }
    if (count == events.length) {
      events = Arrays.copyOf(events, 2 * count);
      requests = Arrays.copyOf(requests, 2 * count);
    }
    Event event = events[count];
    if (event == null) {
      event = new Event();
      events[count] = event;
    }
    return event;
  }

  /** Keeps what was taken into {@link #next}. */
  void add(long request) {
    requests[count++] = request;
  }

  /**
   * Takes several events in one transaction, and keeps them.
   *
   * @param fits throws if an event has no place in an answer: then nothing is taken
   * @return those that were taken, in their order
   */
  List<Event> takeAll(
      EventSpace space, Event template, long request, long max, Consumer<Event> fits) {
    if (max < 0 || max > space.settings().maxOperations()) {
      throw new IllegalArgumentException(
          "max=%s (expected: 0 to %s, SpaceSettings.maxOperations)"
              .formatted(max, space.settings().maxOperations()));
    }
    int before = count;
    try {
      space.transact(
          0,
          transaction -> {
            count = before; // an attempt before has lost
            for (int i = 0; i < max && transaction.poll(template, next()); i++) {
              fits.accept(next());
              add(request);
            }
            return null;
          });
    } catch (Throwable refused) {
      count = before;
      throw refused;
    }
    return new ArrayList<>(Arrays.asList(events).subList(before, count));
  }

  /** Forgets what a request has taken: it has come. */
  void confirm(long request) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (requests[i] != request) {
        move(i, kept++);
      }
    }
    count = kept;
  }

  private void forgetUpTo(int last) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (i > last || requests[i] == NEVER) {
        move(i, kept++);
      }
    }
    count = kept;
  }

  private void move(int from, int to) {
    Event event = events[from];
    events[from] = events[to];
    events[to] = event;
    requests[to] = requests[from];
  }

  /** Keeps what a request has taken until it is put back: it was refused after all. */
  void refuse(long request) {
    for (int i = 0; i < count; i++) {
      if (requests[i] == request) {
        requests[i] = NEVER;
      }
    }
  }

  /** Puts the last one back, if there is room; otherwise it waits for {@link #putBack}. */
  void putBackLast(EventSpace space) {
    if (space.offer(events[count - 1])) {
      count--;
    } else {
      requests[count - 1] = NEVER;
    }
  }

  /**
   * Puts back what there is.
   *
   * @return whether nothing is left; otherwise the space is full, or its journal refuses
   */
  boolean putBack(EventSpace space) {
    forgetConfirmed();
    int back = 0;
    while (back < count && isBack(space, events[back])) {
      back++;
    }
    count -= back;
    System.arraycopy(events, back, events, 0, count);
    Arrays.fill(events, count, count + back, null);
    return count == 0;
  }

  private static boolean isBack(EventSpace space, Event event) {
    try {
      return space.offer(event);
    } catch (Abort refused) {
      return false; // the journal cannot keep it now
    }
  }
}
