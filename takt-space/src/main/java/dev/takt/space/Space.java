package dev.takt.space;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A multiset of events that tasks, threads and programs share: they write events, take them, look
 * for them and subscribe to them, one by one or in transactions.
 *
 * <p><b>Purpose:</b> what all event spaces have in common, so that code and tests run against
 * either: {@link EventSpace} is in the process of its callers; others reach one in another process.
 * Each operation is a transaction of one operation; {@link #transact} runs several as one.
 *
 * <p><b>Guarantees:</b> (1) Of several matches a take returns the oldest one that no running
 * transaction has claimed; the order is that of committing. (2) Committed transactions are
 * serializable, in an order that respects real time. (3) Nothing is lost silently: a write that has
 * no room is refused. (4) What is handed in is copied during the call, what is given is a copy of
 * the caller's.
 *
 * <p><b>Waiting:</b> only {@link #take(Event, Duration)} and {@link #read(Event, Duration)} wait
 * for events.
 *
 * <p><b>Errors:</b> misuse (a template that is written, the empty template in {@code subscribe}, an
 * argument out of its range) is an {@link IllegalArgumentException}, {@link IllegalStateException}
 * or {@link NullPointerException}, and has no effect. What cannot be committed is an {@link Abort}.
 *
 * <p><b>Thread rule:</b> any thread.
 *
 * <p>Source: Reflexes 3.1.
 *
 * {@snippet :
 * void ship(Space space) {
 *   space.transact(
 *       transaction -> {
 *         Event order = transaction.take(new Event("type", "order"));
 *         if (order != null) {
 *           transaction.write(new Event("type", "parcel").add("for", order.getLong("id")));
 *         }
 *       });
 * }
 * }
 */
public interface Space {
  /** Returns the limits of this space. */
  SpaceSettings settings();

  // ---- transactions

  /**
   * Runs a body as one transaction of priority 0, again after each conflict that it loses.
   *
   * @param body what to do; it may run several times and must have no other effects than on the
   *     space
   * @return true if it was committed, false if the body called {@link SpaceTransaction#abort()}
   * @throws Abort if the space is full, the body does too many operations, or another thread has
   *     ended it
   */
  default boolean transact(Consumer<? super SpaceTransaction> body) {
    try {
      transact(
          0,
          transaction -> {
            body.accept(transaction);
            return null;
          });
      return true;
    } catch (Abort abort) {
      if (abort.reason() == Abort.Reason.REQUESTED) {
        return false;
      }
      throw abort;
    }
  }

  /**
   * Runs a body as one transaction, again after each conflict that it loses.
   *
   * @param priority the higher one prevails in a conflict; from 0, the lowest, to 1,000,000
   * @param body what to do; it may run several times and must have no other effects than on the
   *     space. What it throws, the caller gets, and the transaction has had no effect
   * @return what the body returned when it was committed
   * @throws Abort if the body aborts, the space is full, the body does too many operations, or
   *     another thread has ended it
   */
  <R extends @Nullable Object> R transact(
      int priority, Function<? super SpaceTransaction, ? extends R> body);

  // ---- operations

  /**
   * Adds a copy of an event.
   *
   * @throws Abort if the space is full
   * @throws IllegalArgumentException if the event is a template or larger than {@link
   *     SpaceSettings#maxEventBytes()}
   */
  void write(Event event);

  /** As {@link #write}; false if the space is full, and nothing has happened then. */
  default boolean offer(Event event) {
    try {
      write(event);
      return true;
    } catch (Abort abort) {
      if (abort.reason() == Abort.Reason.SPACE_FULL) {
        return false;
      }
      throw abort;
    }
  }

  /**
   * Takes the oldest match.
   *
   * @param template what to look for; the empty template matches every event
   * @return the event, or null if there is no match
   */
  default @Nullable Event take(Event template) {
    Event into = new Event();
    return take(template, into) ? into : null;
  }

  /**
   * As {@link #take(Event)}, into an event of the caller's; false and {@code into} unchanged if
   * there is no match.
   */
  boolean take(Event template, Event into);

  /**
   * As {@link #take(Event, Event)}, but passes over events that running transactions have claimed:
   * it does not wait for them.
   */
  boolean poll(Event template, Event into);

  /**
   * Takes the oldest match, waiting for one if there is none; passes over events that running
   * transactions have claimed, and is notified when they are given back.
   *
   * <p>The thread is parked until a match is committed or given back, and does not poll. An event
   * wakes one of the threads that wait with the same template, the one that has waited longest; if
   * that one does not take it, the next is woken. It wakes all whose template has conditions that
   * the event meets. Only if the committing thread is stopped between its commit and the wake-up
   * may an event be seen half a second late.
   *
   * @param template what to look for; the empty template matches every event
   * @param timeout how long to wait at most; more than a century is for ever
   * @return the event, or null if the time is over
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  @Nullable Event take(Event template, Duration timeout) throws InterruptedException;

  /**
   * Copies the oldest match and leaves it in the space, waiting for one if there is none; waits as
   * {@link #take(Event, Duration)} does.
   *
   * @param template what to look for; the empty template matches every event
   * @param timeout how long to wait at most; more than a century is for ever
   * @return the copy, or null if the time is over
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  @Nullable Event read(Event template, Duration timeout) throws InterruptedException;

  /** Returns whether there is a match. */
  boolean test(Event template);

  /**
   * Copies the oldest match and leaves it in the space.
   *
   * @param template what to look for; the empty template matches every event
   * @return the copy, or null if there is no match
   */
  default @Nullable Event read(Event template) {
    Event into = new Event();
    return read(template, into) ? into : null;
  }

  /** Copies the oldest match and leaves it in the space; returns whether there is one. */
  boolean read(Event template, Event into);

  /**
   * Takes up to {@code max} matches in one transaction, the oldest first, and gives them to {@code
   * sink} when it is committed. If the sink throws, those that it has not been given go back into
   * the space, in one transaction and in their order, but behind what was written meanwhile; if the
   * space has become full, an exception that is suppressed in the sink's names what is lost, or, if
   * the sink threw an {@link Abort}, is thrown instead of it.
   *
   * @param max how many at most, up to {@link SpaceSettings#maxOperations()}
   * @param sink is given each event; what it throws, the caller gets
   * @return how many there were
   */
  int takeAll(Event template, int max, Consumer<? super Event> sink);

  /**
   * Gives a copy of every match to {@code sink}, the oldest first, and leaves them in the space.
   *
   * <p>It is no snapshot: an event that is there from the begin of the call to its end is given
   * once; one that comes or goes meanwhile is given once or not at all. Each was there, whole and
   * committed, at a moment before it was given; that a running transaction has claimed it does not
   * count. The call ends, whatever others write, and makes no transaction wait. For all matches of
   * one moment use {@link SpaceTransaction#forEach}.
   *
   * @param template what to look for; the empty template matches every event
   * @param sink is given one and the same event each time; copy what is to be kept. It may use the
   *     space. What it throws, the caller gets
   * @return how many it was given
   */
  int forEach(Event template, Consumer<? super Event> sink);

  /**
   * Returns how many events match, without those that a running transaction has claimed, as {@link
   * #poll} sees them; exact if no other thread works on the space meanwhile. O(capacity).
   */
  int count(Event template);

  // ---- subscriptions

  /**
   * Subscribes: from now on {@code onMatch} runs when a matching event has been committed, or given
   * back by a transaction that was rolled back. Matches that are there already are not announced:
   * see {@link SpaceHandle#hasNextNow()}.
   *
   * @param onMatch runs on a thread that is not the caller's, possibly on several at once, also
   *     more than once for one event; it must be short and must not block. That it runs is a reason
   *     to look, not a promise: another taker may have been quicker
   * @throws IllegalArgumentException if the template is empty
   * @throws IllegalStateException if there are {@link SpaceSettings#maxSubscriptions()} already
   */
  SpaceHandle subscribe(Event template, Runnable onMatch);

  /** Subscribes without notification, for a caller that polls the handle. */
  SpaceHandle subscribe(Event template);

  /**
   * Ends a subscription.
   *
   * @throws IllegalStateException if it has ended before
   * @throws IllegalArgumentException if the handle is of another space
   */
  void unsubscribe(SpaceHandle handle);
}
