package dev.takt.space;

import org.jspecify.annotations.Nullable;

/**
 * Lets a thread that works for several users of a space go on with the next one, where an operation
 * would wait for another transaction.
 *
 * <p><b>Purpose:</b> a transaction may stand still between two operations, because its user has not
 * asked for the next one yet. A thread that serves this user must not wait for that transaction: it
 * would keep the next request from being served, and with it the end that it waits for.
 *
 * <p><b>Guarantees:</b> between {@link #begin} and {@link #end} an operation of this thread that
 * would wait for another transaction throws {@link Deferred} at once and has not happened: one of a
 * transaction that runs leaves that running, also {@link Transaction#commit()}, and one of the
 * space itself leaves nothing behind but an abort in the {@linkplain SpaceStats counters} and,
 * perhaps, a notice to subscribers of the event that it had found, as of one that was given back.
 * The caller does other work and calls the same operation again once {@link #mayGoOn} is true, with
 * this deferral begun; it is then done, or is deferred anew, or ends as it does after a wait. The
 * rules are those of {@link EventSpace}, but the wait is measured in time: {@value #LOOK_NS} ns for
 * each look of {@link SpaceSettings#patience()}, and 100 ms at most. Subscribers and listeners that
 * the operation notifies are not concerned: their operations wait. So does one that finds the
 * single write of another thread that is between its two steps, which takes it less than a
 * microsecond unless it is stopped there.
 *
 * <p><b>Thread rule:</b> one thread at a time; {@code begin} and {@code end} by the same one. One
 * deferral for each user, since it keeps what that one's operation waits for.
 *
 * <p><b>Memory:</b> some 50 bytes, and some 50 for each thread that begins one or is in conflict
 * where there are any; otherwise allocates nothing.
 *
 * {@snippet :
 * deferral.begin();
 * try {
 *   space.write(event);
 *   deferral.clear();
 * } catch (ConflictDeferral.Deferred _) {
 *   later.add(event); // write it again once deferral.mayGoOn(System.nanoTime())
 * } finally {
 *   deferral.end();
 * }
 * }
 */
public final class ConflictDeferral {
  /**
   * An operation would wait for another transaction, and is to be called again. It is an {@link
   * Error}, as an {@link Abort} is, and carries no stack trace.
   */
  public static final class Deferred extends Error {
    private static final long serialVersionUID = 1L;

    private static final Deferred INSTANCE = new Deferred();

    private Deferred() {
      super("the operation would wait for another transaction; call it again", null, false, false);
    }
  }

  /** How long a look at another transaction counts, in nanoseconds. */
  static final long LOOK_NS = 1_000;

  private static final int NONE = -1;

  /** Where a thread has what it has begun. */
  private static final class Place {
    final Thread thread = Thread.currentThread();
    @Nullable ConflictDeferral begun;
  }

  private static final ThreadLocal<@Nullable Place> PLACE = new ThreadLocal<>();

  private final EventSpace space;

  /** That of the thread that has begun it last, which as a rule is the next one, too. */
  private @Nullable Place place;

  /** The transaction that is waited for, or none. */
  private int other = NONE;

  private long otherEpoch;
  private long progress;
  private long untilNs;

  /**
   * How often the operation has given way: to a transaction that has made progress in all the time
   * that it was waited for, or to one that has ended, if it has met another one after that. A
   * thread that waits keeps what it has claimed meanwhile; what is deferred does not, and without a
   * rank of its own would meet a next one for ever.
   */
  private int losses;

  /** Makes one for the operations of one user. */
  public ConflictDeferral(EventSpace space) {
    this.space = space;
    space.hasDeferrals = true;
  }

  /** Defers conflicts of the calling thread's operations from now on. */
  public void begin() {
    Place here = place;
    if (here == null || here.thread != Thread.currentThread()) {
      here = PLACE.get();
      if (here == null) {
        here = new Place();
        PLACE.set(here);
      }
      place = here;
    }
    here.begun = this;
  }

  /** Lets operations of the calling thread wait again. */
  public void end() {
    Place here = place;
    if (here != null && here.thread == Thread.currentThread()) {
      here.begun = null;
    }
  }

  /**
   * Returns whether the operation is to be called again: what it waits for has ended, or has had
   * its time. O(1).
   *
   * @param nowNs the time of the space's clock, by default {@link System#nanoTime}
   */
  public boolean mayGoOn(long nowNs) {
    return other == NONE
        || nowNs - untilNs >= 0
        || space.descriptors.status(other, otherEpoch) != TransactionTable.ACTIVE;
  }

  /** Forgets the wait, because the operation has been done or has failed. */
  public void clear() {
    other = NONE;
    losses = 0;
  }

  /** Ends what the calling thread has begun, and returns it to be begun again; null: nothing. */
  public static @Nullable ConflictDeferral suspend() {
    Place here = PLACE.get();
    ConflictDeferral begun = here == null ? null : here.begun;
    if (begun != null) {
      begun.end();
    }
    return begun;
  }

  /** Returns what the calling thread has begun for a space, or null if its operations wait. */
  static @Nullable ConflictDeferral ofThread(EventSpace space) {
    Place here = space.hasDeferrals ? PLACE.get() : null;
    ConflictDeferral begun = here == null ? null : here.begun;
    return begun != null && begun.space == space && !space.descriptors.isCalledBack()
        ? begun
        : null;
  }

  /** Returns how often the operation has given way before. */
  int losses() {
    return losses;
  }

  /**
   * Begins to wait for a transaction, or goes on.
   *
   * @param looks how often it is looked at
   * @return whether it has made progress in all its time, so that the other one is to give way
   * @throws Deferred while it has time
   */
  boolean await(int transaction, long epoch, long looks) {
    long progressNow = space.descriptors.progress(transaction);
    long nowNs = space.clock.nanoTime();
    if (transaction != other || epoch != otherEpoch) {
      losses += other == NONE ? 0 : 1;
      other = transaction;
      otherEpoch = epoch;
      progress = progressNow;
      long longest = ConflictResolver.LONGEST_PATIENCE_NS;
      untilNs = nowNs + (looks >= longest / LOOK_NS ? longest : looks * LOOK_NS);
    }
    if (nowNs - untilNs < 0 && !space.descriptors.isAbandoned(transaction)) {
      throw Deferred.INSTANCE;
    }
    other = NONE;
    boolean hasMovedOn = progress != progressNow;
    losses += hasMovedOn ? 1 : 0;
    return hasMovedOn;
  }
}
