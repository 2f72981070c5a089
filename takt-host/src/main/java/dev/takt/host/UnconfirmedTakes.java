package dev.takt.host;

import dev.takt.space.Abort;
import dev.takt.space.ConflictDeferral;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceTransaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Events that were taken for one client and of which it is not known that they have come, in the
 * order of their taking, which is that of the answers.
 *
 * <p><b>Thread rule:</b> that of its session.
 *
 * <p><b>Memory:</b> an event for each one that is there; up to {@value #KEPT} small ones are kept
 * for the next. What is there is counted by {@link HeldBytes}.
 */
final class UnconfirmedTakes {
  /** Writes the answer to a take; returns its length, or 0 if there was no event. */
  interface Answering {
    int write(boolean isFound, Event found);
  }

  /** Of a request whose answer the client did not get, so that nothing confirms it. */
  private static final long NEVER = Long.MIN_VALUE;

  /** So many there are before it is worth a look at what the client's processor has written. */
  private static final int MANY = 16;

  /** So many events are used again. */
  private static final int KEPT = 64;

  /** An event that is counted as more is not used again: its strings would stay in the heap. */
  private static final int SMALL_BYTES = 1 << 12;

  private final int limit;
  private final HeldBytes held;
  private final LongSupplier confirmed;
  private @Nullable Event[] events = new Event[4];
  private long[] requests = new long[4];

  /** As how much each event is counted; of those beyond the count, the last one that was there. */
  private int[] bytes = new int[4];

  private int count;

  /** Whether what was refused is to be put back, perhaps when a conflict is over. */
  private boolean isBackDue;

  /**
   * Makes one.
   *
   * @param limit how many events there may be
   * @param held where they are counted
   * @param confirmed see {@link Outbox#confirmed}
   */
  UnconfirmedTakes(int limit, HeldBytes held, LongSupplier confirmed) {
    this.limit = limit;
    this.held = held;
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
      resize(2 * count);
    }
    Event event = events[count];
    if (event == null) {
      event = new Event();
      events[count] = event;
    }
    return event;
  }

  private void resize(int length) {
    events = Arrays.copyOf(events, length);
    requests = Arrays.copyOf(requests, length);
    bytes = Arrays.copyOf(bytes, length);
  }

  /**
   * Checks, before the take is committed, that its event may be kept.
   *
   * @param messageBytes the length of the answer that has it; 0: there is none
   * @throws IllegalStateException if the client has too much
   */
  void require(int messageBytes) {
    if (messageBytes > 0) {
      held.require(HeldBytes.of(messageBytes));
    }
  }

  /**
   * Keeps what was taken into {@link #next}.
   *
   * @param messageBytes the length of the answer that has it
   */
  void add(long request, int messageBytes) {
    int counted = HeldBytes.of(messageBytes);
    put(request, counted);
    held.add(counted);
  }

  private void put(long request, int counted) {
    bytes[count] = counted;
    requests[count++] = request;
  }

  /**
   * Takes several events in one transaction, and keeps them.
   *
   * @param fits returns how long a message with an event is, or throws if it has no place in one:
   *     then nothing is taken
   * @return those that were taken, in their order
   */
  List<Event> takeAll(
      EventSpace space, Event template, long request, long max, ToIntFunction<Event> fits) {
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
            forgetFrom(before); // an attempt before has lost
            for (int i = 0; i < max && transaction.poll(template, next()); i++) {
              int counted = HeldBytes.of(fits.applyAsInt(next()));
              held.require(counted);
              held.add(counted);
              put(request, counted);
            }
            return null;
          });
    } catch (Throwable refused) {
      forgetFrom(before);
      throw refused;
    }
    return new ArrayList<>(Arrays.asList(events).subList(before, count));
  }

  /**
   * Takes an event at once, whatever becomes of a transaction, and keeps it.
   *
   * @param isTake whether by {@code takeNow}, or by {@code pollNow}
   * @param answering throws if the event has no place in a message: then it is put back
   */
  void takeNow(
      EventSpace space,
      SpaceTransaction transaction,
      boolean isTake,
      Event template,
      long request,
      Answering answering) {
    Event into = next();
    boolean isFound =
        isTake ? transaction.takeNow(template, into) : transaction.pollNow(template, into);
    int length = 0;
    try {
      length = answering.write(isFound, into);
      require(length);
    } catch (IllegalArgumentException | IllegalStateException refused) {
      add(request, length); // it cannot be answered
      putBackLast(space);
      throw refused;
    }
    if (isFound) {
      add(request, length);
    }
  }

  /** Forgets what a request has taken: it has come. */
  void confirm(long request) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (requests[i] != request) {
        move(i, kept++);
      }
    }
    forgetFrom(kept);
  }

  private void forgetUpTo(int last) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (i > last || requests[i] == NEVER) {
        move(i, kept++);
      }
    }
    forgetFrom(kept);
  }

  private void move(int from, int to) {
    Event event = events[from];
    events[from] = events[to];
    events[to] = event;
    int counted = bytes[from];
    bytes[from] = bytes[to];
    bytes[to] = counted;
    requests[to] = requests[from];
  }

  private void forgetFrom(int kept) {
    held.release(sum(kept, count));
    free(kept, count);
  }

  private long sum(int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += bytes[i];
    }
    return sum;
  }

  /** Lets the last ones go, and what would keep too much for the next ones. */
  private void free(int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] > SMALL_BYTES) {
        events[i] = null;
      }
    }
    count = from;
    if (events.length > KEPT && count <= KEPT / 2) {
      resize(KEPT);
    }
  }

  /** Lets go of what is kept to be used again. */
  void letGo() {
    Arrays.fill(events, count, events.length, null);
  }

  /** Keeps what a request has taken until it is put back, soon: it was refused after all. */
  void refuse(long request) {
    for (int i = 0; i < count; i++) {
      if (requests[i] == request) {
        requests[i] = NEVER;
        isBackDue = true;
      }
    }
  }

  /** Puts the last one back, if there is room; otherwise it waits for {@link #putBack}. */
  private void putBackLast(EventSpace space) {
    try {
      if (isBack(space, event(count - 1))) {
        forgetFrom(count - 1);
        return;
      }
    } catch (ConflictDeferral.Deferred conflict) {
      isBackDue = true;
    }
    requests[count - 1] = NEVER;
  }

  /** Returns whether something is to be put back as soon as it is in no conflict. */
  boolean isBackDue() {
    return isBackDue;
  }

  /** Puts back what was refused after it had been taken, as far as that can be done now. */
  void putBackRefused(EventSpace space) {
    isBackDue = false;
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (requests[i] != NEVER || !isBackNow(space, event(i))) {
        move(i, kept++);
      }
    }
    forgetFrom(kept);
  }

  private boolean isBackNow(EventSpace space, Event event) {
    try {
      return isBack(space, event);
    } catch (ConflictDeferral.Deferred conflict) {
      isBackDue = true;
      return false;
    }
  }

  /**
   * Puts back what there is. If that throws, which is a fault, what is left is lost.
   *
   * @return whether nothing is left; otherwise the space is full, or its journal refuses
   * @throws ConflictDeferral.Deferred if it is to be called again
   */
  boolean putBack(EventSpace space) {
    forgetConfirmed();
    int back = 0;
    try {
      while (back < count && isBack(space, event(back))) {
        back++;
      }
    } catch (ConflictDeferral.Deferred conflict) {
      throw conflict;
    } catch (Throwable fault) {
      back = count;
      throw fault;
    } finally {
      for (int i = back; i < count; i++) {
        move(i, i - back);
      }
      forgetFrom(count - back);
    }
    return count == 0;
  }

  private Event event(int at) {
    return Objects.requireNonNull(events[at]);
  }

  private static boolean isBack(EventSpace space, Event event) {
    try {
      return space.offer(event);
    } catch (Abort refused) {
      return false; // the journal cannot keep it now
    }
  }
}
