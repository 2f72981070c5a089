package dev.takt.space;

import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A sequence of operations on an event space that happens at one moment or not at all; with its
 * <em>delta</em>, what it has done so far.
 *
 * <p><b>Purpose:</b> the object that does all operations; {@link EventSpace#transact} and the task
 * runtime drive it, and the space's own operations are transactions of one operation. It is reused:
 * {@link #begin}, operations, {@link #commit} or {@link #rollback}, and again. The protocol is in
 * the {@linkplain dev.takt.space package description}.
 *
 * <p><b>Guarantees:</b> those of {@link SpaceTransaction}; no operation waits for another
 * transaction longer than {@link SpaceSettings#patience()} looks.
 *
 * <p><b>Errors:</b> the caller of {@code begin} calls {@link #rollback} after an {@link Abort}. A
 * commit that is decided returns. An operation outside of {@code begin} and {@code commit} is an
 * {@link IllegalStateException}.
 *
 * <p><b>Thread rule:</b> confined to one thread between {@code begin} and the end; it may be handed
 * over in between.
 *
 * <p><b>Memory:</b> about 1 KiB; operations allocate nothing but the events that {@link
 * #take(Event)} returns.
 *
 * {@snippet :
 * transaction.begin();
 * try {
 *   if (transaction.take(order, into)) {
 *     transaction.write(into.add("done", true));
 *   }
 *   committed = transaction.commit();
 * } catch (Abort abort) {
 *   transaction.rollback();
 * }
 * }
 */
public final class Transaction extends CommitProtocol implements SpaceTransaction, AutoCloseable {
  /** Whether {@code …Now} operations act inside the transaction, which is never committed. */
  private boolean rehearsing;

  volatile boolean closed;

  /** Whether its thread has ended while it ran, and no other has used it since; of its user. */
  boolean leftRunning;

  private int priority;
  long commits;
  long conflicts;
  long aborts;

  /**
   * Makes a transaction object.
   *
   * @param before the one that had the descriptor before, whose counters this one carries on
   */
  Transaction(
      EventSpace space,
      int owner,
      Object user,
      EventSlots.LocalFreeList freeList,
      @Nullable Transaction before) {
    super(space, owner, user, freeList);
    if (before != null) {
      commits = before.commits;
      conflicts = before.conflicts;
      aborts = before.aborts;
      allocated = before.allocated;
      freed = before.freed;
    }
  }

  // ---- life

  /** Begins a transaction of priority 0 that was not tried before. */
  public void begin() {
    begin(0, 0);
  }

  /**
   * Begins a transaction.
   *
   * @param priority the higher one prevails in a conflict; from 0, the lowest, to 1,000,000
   * @param retries how often this work was tried before: of two equal priorities the one tried more
   *     often prevails
   * @throws IllegalStateException if the transaction is running or closed, or is one of {@link
   *     EventSpace#transact} that has ended
   */
  public void begin(int priority, int retries) {
    TransactionTable.requireFree(this);
    SpaceSettings.check("priority", priority, 0, 1_000_000);
    if (retries < 0) {
      throw new IllegalArgumentException("retries=" + retries + " (expected: 0 or more)");
    }
    this.priority = priority;
    single = false;
    fresh = retries == 0;
    rehearsing = false;
    try {
      own(false);
      start(TransactionTable.rank(priority, retries), -1);
    } catch (Throwable cutOff) {
      user = TransactionTable.CUT_OFF;
      throw cutOff;
    }
  }

  /**
   * Begins a transaction of priority 0 that is only tried out: it cannot be committed, and its
   * {@code …Now} operations act inside it, so that {@link #rollback} leaves nothing behind at all.
   *
   * @throws IllegalStateException if the transaction is running or closed
   */
  public void rehearse() {
    begin(0, 0);
    rehearsing = true;
  }

  /** Returns whether this transaction was begun by {@link #rehearse}. */
  public boolean isRehearsed() {
    return rehearsing;
  }

  @Override
  public boolean isRunning() {
    return running && isActive();
  }

  /**
   * Returns whether the transaction has begun and has not ended by {@link #commit} or {@link
   * #rollback}, also if it has lost meanwhile: what it is asked to do then throws an {@link Abort}.
   */
  public boolean isBegun() {
    return running;
  }

  /**
   * Returns a view of this run, which must have begun, for other threads: they can ask whether it
   * goes on, and end it.
   */
  public TransactionToken token() {
    requireRunning();
    // it is decided by its status from now on, because that is where the token ends it
    fresh = false;
    return new TransactionToken(space, owner, epoch);
  }

  /**
   * Ends the transaction. If it has lost a conflict, everything is rolled back.
   *
   * @return true if it is committed, false if it has lost a conflict; the caller may try again with
   *     {@code retries + 1}
   * @throws Abort with {@link Abort.Reason#ENDED} if another thread has ended it, or with {@link
   *     Abort.Reason#REFUSED} if the space's journal cannot keep it: roll it back then
   * @throws IllegalStateException if the transaction is not running or is only tried out
   */
  public boolean commit() {
    return commit(null);
  }

  /**
   * As {@link #commit()}, and has the space's journal keep something else with the events.
   *
   * @param cargo what the journal is {@linkplain Commit#cargo shown}; with it there is a commit
   *     even if no event was written or taken. Null: nothing
   */
  public boolean commit(@Nullable Object cargo) {
    requireRunning();
    own(true);
    this.cargo = cargo;
    if (rehearsing) {
      throw new IllegalStateException("a transaction begun by rehearse() cannot be committed");
    }
    boolean committed = decide();
    boolean ended = !committed && isEnded();
    long shown = ticket; // no call: what is decided must not end by an error for want of stack
    running = false;
    if (committed) {
      commits++;
    } else {
      conflicts++;
    }
    try {
      settle(committed);
    } catch (Throwable cutOff) {
      // It is decided, and nothing may say otherwise. The next begin, or a transaction that needs
      // what is left, goes on from here.
      user = TransactionTable.CUT_OFF;
    }
    if (ended) {
      throw EventSpace.ENDED;
    }
    if (committed && shown != CommitJournal.NONE) {
      awaitJournal(shown);
    }
    return committed;
  }

  /**
   * Ends the transaction without effect. Does nothing if it is not running; if an error has cut off
   * its end, goes on with that.
   */
  public void rollback() {
    try {
      own(false);
      if (running) {
        running = false;
        boolean active = descriptors.end(owner, epoch, TransactionTable.ABORTED);
        if (active && !rehearsing) {
          aborts++;
        } else if (!rehearsing) { // what was only tried out counts as nothing
          conflicts++;
        }
      }
      settleLeftOver();
    } catch (Throwable cutOff) {
      user = TransactionTable.CUT_OFF;
      throw cutOff;
    }
  }

  @Override
  public void abort() {
    requireRunning();
    throw traced(EventSpace.REQUESTED);
  }

  /**
   * Gives the transaction back to the space, rolled back if it is running. Closing twice does
   * nothing.
   */
  @Override
  public void close() {
    if (!closed) {
      try {
        rollback();
      } finally {
        // by assignments alone, so that an error leaves nothing half closed
        closed = true;
        user = null;
      }
    }
  }

  /** Does what was left to do when an error cut off the end of the last epoch. */
  void settleLeftOver() {
    if (!settled) {
      settle(false);
    }
  }

  // ---- operations

  @Override
  public void write(Event event) {
    enter();
    requireWritable(event);
    add(event);
  }

  @Override
  public boolean tryWrite(Event event) {
    enter();
    requireWritable(event);
    return tryAdd(event);
  }

  @Override
  public boolean take(Event template, Event into) {
    return take(template, into, true);
  }

  @Override
  public boolean poll(Event template, Event into) {
    return take(template, into, false);
  }

  /** As {@link #poll(Event, Event)}, for a handle's template. */
  boolean poll(Handle handle, Event into) {
    enter();
    return take(handle.template, handle.plan, handle.fingerprint, handle, into, false);
  }

  private boolean take(Event template, Event into, boolean strong) {
    enter();
    LookupPlan plan = table.plan(template);
    return take(template, plan, plan.fingerprint(template), null, into, strong);
  }

  private boolean take(
      @Nullable Event template,
      LookupPlan plan,
      long fingerprint,
      @Nullable Handle handle,
      Event into,
      boolean strong) {
    into.checkUsable();
    boolean guarded = false;
    while (true) {
      int slot = finder.find(template, plan, fingerprint, handle);
      if (slot >= 0) {
        if (claim(slot, into)) {
          return true;
        }
        continue;
      }
      int own = finder.findOwn(template, plan, handle, written, writtenCount);
      if (own >= 0) {
        takeOwn(own, into);
        return true;
      }
      if (!strong) {
        return false;
      }
      if (!resolvePending(plan)) {
        if (guarded || single) {
          requireActive();
          return false;
        }
        guard(TransactionTable.absence(plan.index, fingerprint));
        guarded = true;
      }
    }
  }

  @Override
  public boolean test(Event template) {
    return look(template, null, true);
  }

  @Override
  public boolean read(Event template, Event into) {
    return look(template, Objects.requireNonNull(into, "into"), true);
  }

  @Override
  public boolean peek(Event template, Event into) {
    return look(template, Objects.requireNonNull(into, "into"), false);
  }

  @Override
  public int forEach(Event template, Consumer<? super Event> sink) {
    Objects.requireNonNull(sink, "sink");
    enter();
    return MatchCollector.of(this, template, table.plan(template)).give(this, sink);
  }

  private boolean look(Event template, @Nullable Event into, boolean strong) {
    enter();
    return look(template, table.plan(template), into, strong);
  }

  /**
   * Whether a handle has a match, as this transaction sees the space; promises nothing about the
   * commit.
   */
  boolean peek(Handle handle) {
    return finder.find(handle.template, handle.plan, handle.fingerprint, handle) >= 0
        || finder.findOwn(handle.template, handle.plan, handle, written, writtenCount) >= 0;
  }

  // ---- operations that act directly on the space

  @Override
  public void writeNow(Event event) {
    if (rehearsing) {
      write(event);
    } else {
      direct(AutoCommitOperation.WRITE, event, null, null);
    }
  }

  @Override
  public boolean takeNow(Event template, Event into) {
    return rehearsing
        ? take(template, into, false)
        : direct(AutoCommitOperation.TAKE, template, null, into);
  }

  @Override
  public boolean pollNow(Event template, Event into) {
    return rehearsing
        ? take(template, into, false)
        : direct(AutoCommitOperation.POLL, template, null, into);
  }

  /** As {@link #pollNow(Event, Event)}, for a handle's template. */
  boolean pollNow(Handle handle, Event into) {
    return rehearsing
        ? poll(handle, into)
        : direct(AutoCommitOperation.POLL_HANDLE, null, handle, into);
  }

  @Override
  public boolean testNow(Event template) {
    return rehearsing
        ? look(template, null, true)
        : direct(AutoCommitOperation.LOOK, template, null, null);
  }

  private boolean direct(
      AutoCommitOperation what,
      @Nullable Event subject,
      @Nullable Handle handle,
      @Nullable Event into) {
    if (closed) {
      throw new IllegalStateException(
          "transaction used after close(); ask the space for a new one");
    }
    unclaim();
    return space.autoCommit(what, TransactionTable.rank(priority, 0), owner, subject, handle, into);
  }

  /**
   * Does one operation as a transaction of its own, again and again until it has lost no conflict.
   *
   * @param outer the transaction within which it is nested, or -1
   * @param subject the event to write, or the template
   * @param handle the handle to poll, or null
   * @param into where to copy what is found, or null
   * @return whether something was found; true for a write
   */
  @SuppressWarnings("NullAway") // each operation is given what it needs
  boolean autoCommit(
      AutoCommitOperation what,
      long rank,
      int outer,
      @Nullable Event subject,
      @Nullable Handle handle,
      @Nullable Event into) {
    // the caller's event may be the template, too, and is changed when all is decided
    Event found = into == null ? null : spare;
    if (into != null) {
      into.checkUsable();
    }
    for (int tries = 0; ; tries++) {
      startSingle(rank + Math.min(tries, 255), outer);
      try {
        boolean isFound =
            switch (what) {
              case WRITE -> {
                write(subject);
                yield true;
              }
              case TAKE -> take(subject, found, true);
              case POLL -> take(subject, found, false);
              case POLL_HANDLE -> poll(handle, found);
              case LOOK -> look(subject, found, true);
            };
        if (commit()) {
          if (isFound && into instanceof Template) {
            into.load(spare);
          } else if (isFound && into != null) {
            // an exchange by assignments: a call could fail, and what was taken would be lost
            final long[] words = into.words;
            final long[] extra = into.extra;
            final Object[] refs = into.refs;
            into.words = spare.words;
            into.extra = spare.extra;
            into.refs = spare.refs;
            into.shape = spare.shape;
            into.types = spare.types;
            into.wildcards = 0;
            into.extraCount = spare.extraCount;
            into.refCount = spare.refCount;
            spare.words = words;
            spare.extra = extra;
            spare.refs = refs;
            spare.shape = Shape.EMPTY;
            spare.extraCount = 0;
            spare.refCount = 0;
          }
          return isFound;
        }
      } catch (Abort abort) {
        endSingle(abort);
      } finally {
        // not even a call once it is decided
        if (running) {
          rollback();
        }
      }
    }
  }

  private void startSingle(long rank, int outer) {
    start(rank, outer);
    single = true;
    fresh = (rank & TransactionTable.MAX_RETRIES_IN_RANK) == 0;
  }

  private void endSingle(Abort abort) {
    rollback();
    if (abort.reason() != Abort.Reason.CONFLICT) {
      throw abort;
    }
    Thread.onSpinWait();
  }

  // ---- conflicts

  /*
   * Every operation ends with a look at the status: a transaction that violates a guard or takes a claim away aborts its owner first,
   * so what a transaction has seen until a moment at which it is active was true, all of it, at that moment. A body never
   * computes with a mixture of old and new.
   */

  /** Checks that an operation may begin, and counts it as progress. */
  private void enter() {
    requireRunning();
    if (isCommitDeferred) {
      throw new IllegalStateException(
          "the commit of the transaction was deferred: call commit() again, or rollback()");
    }
    own(true);
    unclaim();
    TransactionTable.progressed(statusWords, statusAt);
    requireActive();
  }

  /**
   * Makes the calling thread the user of the transaction, which it must have begun if that runs.
   */
  private void own(boolean runs) {
    Thread thread = Thread.currentThread();
    if (user != thread) {
      descriptors.handOver(this, thread, runs);
    }
  }

  private void requireRunning() {
    if (!running) {
      throw new IllegalStateException(
          closed
              ? "transaction used after close(); ask the space for a new one"
              : "no transaction is running: call begin() first");
    }
  }
}
