package dev.takt.space;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An event space in this process.
 *
 * <p><b>Purpose:</b> the shared store through which tasks and threads communicate; {@link Space}
 * has the contract of its operations, which are for ordinary threads. {@link #newTransaction}
 * returns the reusable object behind {@link #transact}, for callers that must not allocate.
 *
 * <p><b>Guarantees:</b> those of {@link Space}, and: (1) An operation takes O(1) expected time in
 * the number of events and subscriptions if its template has a concrete key, or has only wildcards;
 * a template with conditions looks at the events that match its other keys. (2) No thread, stopped
 * anywhere for any time, keeps others from finishing. (3) A template whose keys need an index more
 * than {@link SpaceSettings#maxIndexes()} is refused. (4) Operations into an event of the caller's
 * allocate nothing.
 *
 * <p><b>Waiting:</b> only {@link #take(Event, Duration)} and {@link #read(Event, Duration)} wait
 * for events. A write or take that invalidates what another transaction has read aborts that
 * transaction, unless it ranks higher. One of equal priority that makes no progress in its first
 * attempt is polled 64 times before, some microseconds; one that was tried before, sixteen times as
 * often for each time; one of a higher priority as {@link SpaceSettings#patience()} says; but none
 * for longer than 100 ms. The same holds for a {@code take} and the transaction that has claimed
 * the only match, always with the patience of the settings.
 *
 * <p><b>Errors:</b> open transactions do not keep a thread from these operations, however many
 * there are. If sixteen others beyond {@link SpaceSettings#maxTransactions()} are in the middle of
 * an operation and stand still for 100 ms, the operation throws {@link IllegalStateException} and
 * has no effect.
 *
 * <p><b>Thread rule:</b> any thread.
 *
 * <p><b>Memory:</b> all of it when the space is made (see {@link SpaceSettings}), and 64 bytes for
 * each slot when a template with a new set of keys is used for the first time; {@link #prepare}
 * does that beforehand.
 *
 * <p>Source: Reflexes 3.1.
 *
 * {@snippet :
 * EventSpace space = EventSpace.create();
 * space.write(new Event("type", "sell").add("price", 12.5));
 * Event offer = space.take(new Event("type", "sell"));
 * }
 */
public final class EventSpace implements Space {
  static final Abort REQUESTED =
      new Abort(Abort.Reason.REQUESTED, "the transaction was aborted by its own code");
  static final Abort CONFLICT =
      new Abort(
          Abort.Reason.CONFLICT, "the transaction lost a conflict with another one; try again");
  static final Abort ENDED =
      new Abort(
          Abort.Reason.ENDED,
          "the transaction was ended by another thread, with its token; it is not tried again");

  /** The subscriber of a handle that is polled. */
  private static final Subscriber POLLING =
      new Subscriber() {
        @Override
        public boolean wantsNotice() {
          return false;
        }

        @Override
        public void onMatch(Handle handle) {}
      };

  static {
    ClassInitialization.ofAll();
  }

  private final SpaceSettings settings;

  /** The time by which waits end. */
  final WaitClock clock;

  final EventSlots slots;
  final IndexTable table;
  final TransactionTable descriptors;
  final Waiters waiters;
  private final Commits commits = new Commits(this);
  final CallbackErrors callbackErrors = new CallbackErrors();

  /** Searches for callers that are in no transaction. */
  final Finder reader;

  final Abort full;
  final Abort tooManyOperations;
  private final AtomicInteger subscriptions = new AtomicInteger();

  /** Whether an error has struck between a change of the subscriptions and its count. */
  private volatile boolean countDoubtful;

  /** Whether commits announce their events: set by the first subscription or wait, for good. */
  volatile boolean hasSubscriptions;

  /** Whether there is or was a thread that does not wait for conflicts. */
  volatile boolean hasDeferrals;

  EventSpace(SpaceSettings settings, InitialCounters start) {
    this(settings, start, WaitClock.system());
  }

  private EventSpace(SpaceSettings settings, InitialCounters start, WaitClock clock) {
    this.settings = settings;
    this.clock = clock;
    slots = new EventSlots(settings, start);
    table = new IndexTable(slots, settings);
    descriptors = new TransactionTable(settings.maxTransactions(), start);
    waiters = new Waiters(this, settings.maxSubscriptions());
    reader = new Finder(this, Finder.NO_TRANSACTION);
    full =
        new Abort(
            Abort.Reason.SPACE_FULL,
            "the space is full: capacity=%s events; take events out of it, or raise SpaceSettings.capacity"
                .formatted(settings.capacity()));
    tooManyOperations =
        new Abort(
            Abort.Reason.TOO_MANY_OPERATIONS,
            "too many operations in one transaction: limit=%s; split the transaction, or raise SpaceSettings.maxOperations"
                .formatted(settings.maxOperations()));
  }

  /** Makes a space with the default settings. */
  public static EventSpace create() {
    return create(SpaceSettings.DEFAULTS);
  }

  /**
   * Makes a space.
   *
   * @param settings its limits; all memory is allocated now
   * @throws IllegalArgumentException if the settings ask for more than the JVM's arrays can hold
   */
  public static EventSpace create(SpaceSettings settings) {
    return create(settings, WaitClock.system());
  }

  /**
   * Makes a space whose timed operations wait by a clock of its own.
   *
   * @param settings its limits; all memory is allocated now
   * @throws IllegalArgumentException if the settings ask for more than the JVM's arrays can hold
   */
  public static EventSpace create(SpaceSettings settings, WaitClock clock) {
    Objects.requireNonNull(settings, "settings");
    Objects.requireNonNull(clock, "clock");
    return new EventSpace(settings, InitialCounters.fresh(), clock);
  }

  @Override
  public SpaceSettings settings() {
    return settings;
  }

  // ---- transactions

  /**
   * Returns a transaction object for repeated use. Close it when it is no longer needed: there are
   * only {@link SpaceSettings#maxTransactions()}.
   *
   * @throws IllegalStateException if all are in use
   */
  public Transaction newTransaction() {
    return descriptors.forTransaction(this);
  }

  /**
   * {@inheritDoc}
   *
   * <p>What the body is given is a {@link Transaction}: one that is to be ended by another thread
   * casts it, for its {@linkplain Transaction#token() token}.
   */
  @Override
  public <R extends @Nullable Object> R transact(
      int priority, Function<? super SpaceTransaction, ? extends R> body) {
    return transact(false, priority, body);
  }

  /**
   * As {@link #transact(int, Function)}.
   *
   * @param single whether it is an operation of the space itself, which may have one of the reserve
   */
  <R extends @Nullable Object> R transact(
      boolean single, int priority, Function<? super Transaction, ? extends R> body) {
    Transaction transaction =
        single ? descriptors.forOperation(this) : descriptors.forTransaction(this);
    // no call in between: an error there would lose the descriptor
    try {
      for (int retries = 0; ; retries++) {
        transaction.begin(priority, retries);
        try {
          R result = body.apply(transaction);
          TransactionTable.requireLeftRunning(transaction);
          if (transaction.commit()) {
            return result;
          }
        } catch (Abort abort) {
          if (abort.reason() != Abort.Reason.CONFLICT) {
            throw abort;
          }
        } finally {
          // not even a call once it is decided
          if (transaction.running) {
            transaction.rollback();
          }
        }
        if (retries > 2) {
          Thread.yield();
        }
      }
    } finally {
      transaction.user = null;
    }
  }

  // ---- operations

  @Override
  public void write(Event event) {
    autoCommit(AutoCommitOperation.WRITE, event, null, null);
  }

  @Override
  public boolean take(Event template, Event into) {
    return autoCommit(
        AutoCommitOperation.TAKE, template, null, Objects.requireNonNull(into, "into"));
  }

  @Override
  public boolean poll(Event template, Event into) {
    return autoCommit(
        AutoCommitOperation.POLL, template, null, Objects.requireNonNull(into, "into"));
  }

  boolean poll(Handle handle, Event into) {
    return autoCommit(
        AutoCommitOperation.POLL_HANDLE, null, handle, Objects.requireNonNull(into, "into"));
  }

  private boolean autoCommit(
      AutoCommitOperation what,
      @Nullable Event subject,
      @Nullable Handle handle,
      @Nullable Event into) {
    return autoCommit(what, 0, -1, subject, handle, into);
  }

  /** Does one operation as a transaction of its own; see {@link Transaction#autoCommit}. */
  boolean autoCommit(
      AutoCommitOperation what,
      long rank,
      int outer,
      @Nullable Event subject,
      @Nullable Handle handle,
      @Nullable Event into) {
    Transaction transaction = descriptors.forOperation(this);
    try {
      return transaction.autoCommit(what, rank, outer, subject, handle, into);
    } finally {
      transaction.user = null;
    }
  }

  @Override
  public @Nullable Event take(Event template, Duration timeout) throws InterruptedException {
    Event into = new Event();
    return waiters.await(AutoCommitOperation.POLL, template, into, timeout) ? into : null;
  }

  @Override
  public @Nullable Event read(Event template, Duration timeout) throws InterruptedException {
    Event into = new Event();
    return waiters.await(AutoCommitOperation.LOOK, template, into, timeout) ? into : null;
  }

  @Override
  public boolean test(Event template) {
    return autoCommit(AutoCommitOperation.LOOK, template, null, null);
  }

  @Override
  public boolean read(Event template, Event into) {
    return autoCommit(
        AutoCommitOperation.LOOK, template, null, Objects.requireNonNull(into, "into"));
  }

  @Override
  public int takeAll(Event template, int max, Consumer<? super Event> sink) {
    Objects.requireNonNull(sink, "sink");
    if (max < 0 || max > settings.maxOperations()) {
      throw new IllegalArgumentException(
          "max=%s (expected: 0 to %s, SpaceSettings.maxOperations)"
              .formatted(max, settings.maxOperations()));
    }
    return TakeAll.give(this, template, max, sink);
  }

  @Override
  public int forEach(Event template, Consumer<? super Event> sink) {
    return MatchCollector.forEach(this, template, Objects.requireNonNull(sink, "sink"));
  }

  @Override
  public int count(Event template) {
    return MatchCollector.count(this, template);
  }

  /** Begins to look for all matches of a template step by step. */
  public MatchScan scan(Event template) {
    return new MatchScan(this, template.copy());
  }

  /** Makes the index for the keys of this template now, not at its first use. O(capacity). */
  public void prepare(Event template) {
    table.plan(template);
  }

  // ---- subscriptions

  /**
   * Subscribes: from now on {@code subscriber} is notified when a matching event has been
   * committed, or given back by a transaction that was rolled back. Matches that are there already
   * are not announced: see {@link Handle#hasNextNow()}.
   *
   * @throws IllegalArgumentException if the template is empty
   * @throws IllegalStateException if there are {@link SpaceSettings#maxSubscriptions()} already
   */
  public Handle subscribe(Event template, Subscriber subscriber) {
    Objects.requireNonNull(subscriber, "subscriber");
    if (template.size() == 0) {
      throw new IllegalArgumentException(
          "the empty template cannot be subscribed to; give it at least one key");
    }
    Event own = template.copy();
    LookupPlan plan = table.plan(own);
    boolean isNotified = subscriber.wantsNotice();
    subscriptionCount();
    try {
      if (subscriptions.incrementAndGet() > settings.maxSubscriptions()) {
        subscriptions.decrementAndGet();
        throw new IllegalStateException(
            "too many subscriptions: limit=%s; unsubscribe handles, or raise SpaceSettings.maxSubscriptions"
                .formatted(settings.maxSubscriptions()));
      }
      Handle handle = new Handle(this, own, plan, subscriber, isNotified);
      if (isNotified) {
        hasSubscriptions = true;
      }
      plan.index.subscribe(handle);
      return handle;
    } catch (Error cutOff) {
      countDoubtful = true;
      throw cutOff;
    }
  }

  @Override
  public Handle subscribe(Event template, Runnable onMatch) {
    Objects.requireNonNull(onMatch, "onMatch");
    return subscribe(template, (Subscriber) _ -> onMatch.run());
  }

  @Override
  public Handle subscribe(Event template) {
    return subscribe(template, POLLING);
  }

  @Override
  public void unsubscribe(SpaceHandle of) {
    Objects.requireNonNull(of, "handle");
    if (!(of instanceof Handle handle) || handle.space != this) {
      throw new IllegalArgumentException("the handle belongs to another space");
    }
    handle.index().unsubscribe(handle);
    if (!handle.end()) {
      throw new IllegalStateException("unsubscribed twice (template=" + handle.template() + ")");
    }
    try {
      subscriptions.decrementAndGet();
    } catch (Error cutOff) {
      countDoubtful = true;
    }
  }

  private int subscriptionCount() {
    if (countDoubtful) {
      try {
        countDoubtful = false;
        int count = 0;
        for (Index index : table.indexes) {
          count += index.subscriptionCount();
        }
        subscriptions.set(count);
      } catch (Error cutOff) {
        countDoubtful = true;
        throw cutOff;
      }
    }
    return subscriptions.get();
  }

  // ---- to look at

  /** Returns the counters; not atomic while others work. */
  public SpaceStats stats() {
    callbackErrors.reportKept();
    descriptors.reclaim(false);
    return SpaceStats.of(descriptors, subscriptionCount());
  }

  /**
   * Describes what is most likely wrong with a template that matches nothing: that events have a
   * key which is spelled a little otherwise, or a value of another type. For people; it looks at
   * the events one by one.
   *
   * @return for instance "3 events have instead of prise the key price (item, price): did you mean
   *     price?", or null if no event comes near the template
   */
  public @Nullable String nearMisses(Event template) {
    return NearMisses.of(this, template);
  }

  /**
   * Describes the space for debugging: its counters, indexes and subscriptions, and events, the
   * oldest first, each with its state. Not atomic while others work.
   *
   * @param maxEvents how many events at most, and how many subscriptions
   */
  public String dump(int maxEvents) {
    return SpaceDump.of(this, maxEvents);
  }

  // ---- for this package

  /** Returns the commits of this space, for journals and replicas. */
  public Commits commits() {
    return commits;
  }

  boolean hasMatch(Event template, LookupPlan plan) {
    return reader.find(template, plan, plan.fingerprint(template), null) >= 0;
  }

  boolean hasMatch(Handle handle) {
    return reader.find(handle.template, handle.plan, handle.fingerprint, handle) >= 0;
  }
}
