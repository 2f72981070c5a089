package dev.takt.space;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A running transaction, as the body of {@link Space#transact} sees it: a sequence of operations
 * that happens at one moment or not at all.
 *
 * <p><b>Guarantees:</b> (1) Others see nothing until the commit, and then all. (2) A transaction
 * sees its own writes and takes. (3) Committed transactions are serializable, in an order that
 * respects real time. (4) {@code …Now} operations act directly on the space, whatever becomes of
 * the transaction.
 *
 * <p><b>Errors:</b> an operation that cannot go on throws an {@link Abort}, which the body lets
 * through. An operation that throws, whatever it throws, has not happened. Misuse (an operation
 * after the body has ended, a wrong event) is an {@link IllegalStateException} or {@link
 * IllegalArgumentException} and leaves the transaction running.
 *
 * <p><b>Thread rule:</b> the thread that runs the body.
 */
public interface SpaceTransaction {
  /**
   * Returns whether the transaction has begun, has not ended, and can still commit: no longer once
   * it has lost a conflict. That it is true is no promise for the next moment.
   */
  boolean isRunning();

  /**
   * Aborts: throws, so that the caller of the body rolls it back.
   *
   * @throws Abort always, with {@link Abort.Reason#REQUESTED}
   */
  void abort();

  /**
   * Adds a copy of an event to the space when the transaction commits.
   *
   * @throws Abort if the space is full
   * @throws IllegalArgumentException if the event is a template or larger than {@link
   *     SpaceSettings#maxEventBytes()}
   */
  void write(Event event);

  /** As {@link #write}; false if the space is full, and the transaction goes on without it. */
  boolean tryWrite(Event event);

  /**
   * Takes the oldest match out of the space when the transaction commits.
   *
   * @param template what to look for; the empty template matches everything
   * @return a copy of the event, or null if there is no match; the commit then guarantees that
   *     there still is none
   * @throws Abort if the transaction loses a conflict
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
   * As {@link #take(Event, Event)}, but if there is no match, that promises nothing about the
   * moment of the commit: it cannot conflict with a write of one. Events claimed by other running
   * transactions are passed over.
   */
  boolean poll(Event template, Event into);

  /**
   * Returns whether there is a match; either way the commit guarantees that it is still so.
   *
   * @throws Abort if the transaction loses a conflict
   */
  boolean test(Event template);

  /**
   * As {@link #test}, and returns a copy of the oldest match, which stays in the space.
   *
   * @param template what to look for; the empty template matches everything
   * @return the copy, or null if there is no match
   * @throws Abort if the transaction loses a conflict
   */
  default @Nullable Event read(Event template) {
    Event into = new Event();
    return read(template, into) ? into : null;
  }

  /**
   * As {@link #read(Event)}, into an event of the caller's; false and {@code into} unchanged if
   * there is no match.
   */
  boolean read(Event template, Event into);

  /**
   * As {@link #read(Event, Event)}, but if there is no match, that promises nothing about the
   * moment of the commit: it cannot conflict with a write of one. Events claimed by other running
   * transactions are passed over. What was found is guarded as by {@code read}.
   */
  boolean peek(Event template, Event into);

  /**
   * Gives a copy of every match to {@code sink}, the oldest first, own writes last; the commit
   * guarantees that these were all. So a transaction that takes one of them or writes another is in
   * conflict with this one, and there can be no more than {@link SpaceSettings#maxOperations()};
   * for a look without a promise ask {@link Space#forEach}.
   *
   * <p>All is looked for before the sink is called. It may use the transaction: what it takes is
   * not given any more, and what it writes is not given. What it throws, the caller gets; the
   * transaction goes on.
   *
   * @param sink is given one and the same event each time; copy what is to be kept
   * @return how many it was given
   * @throws Abort if the transaction loses a conflict or there are too many matches
   */
  int forEach(Event template, Consumer<? super Event> sink);

  // ---- operations that act directly on the space

  /**
   * Adds a copy of an event to the space at once, whatever becomes of this transaction; see {@link
   * #write}.
   */
  void writeNow(Event event);

  /** Takes the oldest match out of the space at once, whatever becomes of this transaction. */
  boolean takeNow(Event template, Event into);

  /** As {@link #takeNow}, but passes over events claimed by running transactions. */
  boolean pollNow(Event template, Event into);

  /** Returns whether there is a committed match in the space now. */
  boolean testNow(Event template);
}
