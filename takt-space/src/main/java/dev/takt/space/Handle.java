package dev.takt.space;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * One subscription: a template, with a subscriber that is notified of committed matches. It gives
 * the matches.
 *
 * <p>{@link SpaceHandle} says what a handle is. {@link #hasNext()} that finds nothing says nothing
 * about the moment of the commit: a task that has to be sure that there is none uses {@code test}.
 *
 * <p><b>Thread rule:</b> {@link #hasNextNow()}, {@link #template()}, {@link #taken()} and {@link
 * #isSubscribed()} from any thread; the rest from the subscriber's thread.
 *
 * <p><b>Memory:</b> 88 bytes, some 200 more if its template has conditions or more than two values,
 * and as many when it is iterated over for the first time.
 *
 * <p>Source: Reflexes 3.2, Fig. 4.
 */
public final class Handle implements SpaceHandle, Stable, Iterable<Event> {
  private static final VarHandle SUBSCRIBED =
      OrderedAccess.field(MethodHandles.lookup(), Handle.class, "subscribed", boolean.class);
  private static final VarHandle TAKEN =
      OrderedAccess.field(MethodHandles.lookup(), Handle.class, "taken", long.class);

  /** What is asked for; null if it is {@linkplain #isCompact compact}. */
  final @Nullable Event template;

  final LookupPlan plan;
  final long fingerprint;
  final EventSpace space;
  private final Subscriber subscriber;

  /** Whether the subscriber is notified of matches. */
  final boolean isNotified;

  /*
   * What the template asks for, in place of the template, if it is little: with very many subscriptions each object that
   * must be looked at is a miss in the processor's caches, and a template is three of them.
   */
  /** Whether {@link #holds} can be asked in place of the template. */
  final boolean isCompact;

  private final byte firstType;
  private final byte secondType;
  private final long firstWord;
  private final long secondWord;
  private final @Nullable Object firstString;
  private final @Nullable Object secondString;

  /**
   * A link to an event that is gone, as are all matches before it; 0: none. Any thread may set it;
   * any value that was once right is right, for it is checked that the event is still in its list.
   */
  long place;

  private volatile boolean subscribed = true;
  private @Nullable Matches matches;

  /** Counted by the subscriber's thread, read by others: accessed through {@link #TAKEN}. */
  private long taken;

  Handle(
      EventSpace space,
      Event template,
      LookupPlan plan,
      Subscriber subscriber,
      boolean isNotified) {
    this.space = space;
    this.plan = plan;
    this.fingerprint = plan.fingerprint(template);
    this.subscriber = subscriber;
    this.isNotified = isNotified;
    int concrete = plan.index.concrete;
    int first = plan.keys.ordinal(0);
    int second = plan.keys.ordinal(1);
    firstType = (byte) (concrete > 0 ? Types.at(template.types, first) : Types.WILDCARD);
    secondType = (byte) (concrete > 1 ? Types.at(template.types, second) : Types.WILDCARD);
    firstWord = concrete > 0 ? template.words[first] : 0;
    secondWord = concrete > 1 ? template.words[second] : 0;
    firstString = firstType == Types.STRING ? template.refs[(int) (firstWord >>> 32)] : null;
    secondString = secondType == Types.STRING ? template.refs[(int) (secondWord >>> 32)] : null;
    isCompact =
        concrete <= 2
            && firstType <= Types.STRING
            && secondType <= Types.STRING
            && !template.hasConditions();
    this.template = isCompact ? null : template;
  }

  /**
   * Whether a slot's event has the values that the template asks for, its keys being at the given
   * ordinals.
   */
  boolean holds(EventSlots slots, int slot, int base, long ordinals) {
    int concrete = plan.index.concrete;
    return (concrete < 1
            || slots.holds(slot, base, (int) ordinals & 0xF, firstType, firstWord, firstString))
        && (concrete < 2
            || slots.holds(
                slot, base, (int) (ordinals >>> 4) & 0xF, secondType, secondWord, secondString));
  }

  /**
   * Takes the oldest match, in the subscriber's running transaction or, if none runs, directly.
   *
   * @return a copy of the event, or null if there is none now
   * @throws IllegalStateException after {@code unsubscribe}
   */
  @Override
  public @Nullable Event next() {
    Event into = new Event();
    return next(into) ? into : null;
  }

  @Override
  public boolean next(Event into) {
    requireSubscribed();
    Transaction transaction = subscriber.transaction();
    return transaction == null ? countNow(space.poll(this, into)) : nextWithin(transaction, into);
  }

  private boolean nextWithin(Transaction transaction, Event into) {
    transaction.reserveTaker();
    boolean found = transaction.poll(this, into);
    if (found) {
      transaction.count(this);
    }
    return found;
  }

  private boolean countNow(boolean found) {
    if (found) {
      addTaken(1);
    }
    return found;
  }

  void addTaken(int count) {
    TAKEN.setOpaque(this, taken + count);
  }

  /**
   * Returns how many matches were taken by this handle; those that transactions took which were
   * undone do not count, nor those of one that still runs. Any thread.
   */
  public long taken() {
    return (long) TAKEN.getOpaque(this);
  }

  /**
   * Takes the oldest match directly out of the space, whatever becomes of the running transaction.
   *
   * @return a copy of the event, or null if there is none now
   * @throws IllegalStateException after {@code unsubscribe}
   */
  public @Nullable Event nextNow() {
    Event into = new Event();
    return nextNow(into) ? into : null;
  }

  /** As {@link #nextNow()}, into an event of the caller's: allocates nothing. */
  public boolean nextNow(Event into) {
    requireSubscribed();
    Transaction transaction = subscriber.transaction();
    if (transaction != null && transaction.isRehearsed()) {
      return transaction.pollNow(this, into);
    }
    return countNow(transaction == null ? space.poll(this, into) : transaction.pollNow(this, into));
  }

  /**
   * Returns whether there is a match now, as the subscriber's running transaction sees the space.
   * Once that transaction has taken something and used up half of what it may use (its operations,
   * {@link Subscriber#hasRoom}), or has taken {@link Subscriber#maxMatches} by handles, the answer
   * is no, so that a loop ends in time: the rest is for the next transaction. Allocates nothing.
   *
   * @throws IllegalStateException after {@code unsubscribe}
   */
  public boolean hasNext() {
    requireSubscribed();
    Transaction transaction = subscriber.transaction();
    return transaction == null
        ? space.hasMatch(this)
        : (transaction.takenCount == 0 || hasRoom(transaction))
            && transaction.matches() < subscriber.maxMatches()
            && transaction.peek(this);
  }

  /**
   * Returns whether there is a committed match now that no running transaction has claimed. Costs a
   * few nanoseconds and allocates nothing: it is what the release loop asks.
   */
  @Override
  public boolean hasNextNow() {
    return subscribed && space.hasMatch(this);
  }

  /**
   * Returns an iterator that takes the matches one by one until there is none. Each step overwrites
   * the event that the step before returned; copy what is to be kept.
   *
   * <p>However many matches there are, a loop does not exceed the limits of its transaction: after
   * the first match it ends as soon as half of the operations are done that one transaction can do,
   * or of what {@link Subscriber#hasRoom} is about (for a task: the events and the transient memory
   * of its release). The other half is for the rest of the body. Matches that are left are for the
   * next transaction; a task is released again for them.
   *
   * <p>It also ends once the transaction has taken {@link Subscriber#maxMatches} events by handles.
   * A task's release that finds the space full is repeated with half as many events, down to a
   * single one: what a release takes makes room for what it writes only when it commits.
   *
   * <p>Its {@code hasNext} takes the event that its {@code next} returns, so that a for-each ends
   * well when other takers are quicker. A caller that asks {@code hasNext} and then does not go on
   * has taken that event.
   */
  @Override
  public Iterator<Event> iterator() {
    requireSubscribed();
    if (matches == null) {
      matches = new Matches();
    }
    matches.isTaken = false;
    matches.isBegun = false;
    return matches;
  }

  private boolean hasRoom(Transaction transaction) {
    return transaction.hasRoom() && subscriber.hasRoom();
  }

  /** Whether the running transaction can do with the first or another match of a loop. */
  private boolean mayTake(boolean isFirst) {
    Transaction transaction = subscriber.transaction();
    if (transaction == null) {
      return true;
    }
    int max = subscriber.maxMatches();
    return isFirst
        ? max > 1 || transaction.matches() == 0
        : transaction.matches() < max && hasRoom(transaction);
  }

  /**
   * Made at the first use, because most subscribers take their events otherwise and there may be
   * very many handles.
   */
  private final class Matches implements Iterator<Event> {
    private final Event current = new Event();

    /** Whether {@code current} is taken and was not returned yet. */
    private boolean isTaken;

    /** Whether a match has been looked for. */
    private boolean isBegun;

    @Override
    public boolean hasNext() {
      if (!isTaken && mayTake(!isBegun)) {
        isBegun = true;
        isTaken = Handle.this.next(current);
      }
      return isTaken;
    }

    @Override
    public Event next() {
      if (!hasNext()) {
        throw new NoSuchElementException(
            "no match of " + template() + " any more, or none for this transaction: ask hasNext()");
      }
      isTaken = false;
      return current;
    }
  }

  @Override
  @SuppressWarnings("NullAway") // there is a template unless the handle is compact
  public Event template() {
    if (!isCompact) {
      return template.copy();
    }
    Event copy = new Event();
    for (int i = 0; i < plan.shape.keys.length; i++) {
      boolean isWildcard = (plan.wildcards >>> i & 1) != 0;
      boolean isFirst = plan.keys.ordinal(0) == i;
      copy.add(
          plan.shape.keys[i],
          isWildcard
              ? null
              : isFirst
                  ? value(firstType, firstWord, firstString)
                  : value(secondType, secondWord, secondString));
    }
    return copy;
  }

  private static @Nullable Object value(int type, long word, @Nullable Object string) {
    return switch (type) {
      case Types.LONG -> word;
      case Types.DOUBLE -> Double.longBitsToDouble(word);
      case Types.BOOLEAN -> word != 0;
      default -> string;
    };
  }

  @Override
  public boolean isSubscribed() {
    return subscribed;
  }

  /** Returns the subscriber. */
  public Subscriber subscriber() {
    return subscriber;
  }

  Index index() {
    return plan.index;
  }

  /** Ends the subscription; false if it had ended before. */
  boolean end() {
    return SUBSCRIBED.compareAndSet(this, true, false);
  }

  private void requireSubscribed() {
    if (!subscribed) {
      throw new IllegalStateException(
          "handle used after unsubscribe (template=%s); subscribe again to get a new handle"
              .formatted(template()));
    }
  }
}
