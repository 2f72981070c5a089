package dev.takt.space;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The commits of a space, for journals and replicas: a listener learns of each one, and {@link
 * #scan} gives what is there already.
 *
 * <p><b>A consistent picture:</b> attach a listener, then scan. Each event that has a later number
 * than {@link #attach} has returned is reported when it is written, each one that is taken is
 * reported as such, and the scan gives the rest; one that is both reported and given is the same by
 * its number. So when it returns, what it gave and what was reported as written, without what was
 * reported as taken, is the content of the space, but for commits that are not reported yet. Of
 * these, one may have written an event that another one, reported already, has taken: a later
 * number that is reported as taken and was not reported as written yet. A journal that may be cut
 * off at any record holds back the commit that has taken it until its writer is reported.
 *
 * <p><b>Thread rule:</b> any thread.
 *
 * <p>A {@link CommitJournal} is for more: it is asked before the commit, can refuse it, and gets a
 * serialization order.
 *
 * <p><b>Cost:</b> two reads of fields for each commit without a listener and a journal.
 */
public final class Commits {
  private final EventSpace space;
  private volatile @Nullable Attachment attachment;
  private volatile @Nullable CommitJournal journal;

  Commits(EventSpace space) {
    this.space = space;
  }

  /**
   * Reports each commit from now on. Waits until each transaction has ended that is about to
   * commit, which a running thread does at once, unless its listener waits.
   *
   * @return a number so that each event with a later one is reported when it is written; of those
   *     up to it some may be, and {@link #scan} gives all of them that are still there
   * @throws IllegalStateException if there is a listener; a space has one at most; or if a listener
   *     or subscriber calls, whose commit it would wait for
   */
  public synchronized long attach(CommitListener listener) {
    space.descriptors.requireNotCommitting();
    if (attachment != null) {
      throw new IllegalStateException(
          "the space has a commit listener (limit: 1); detach that one first");
    }
    Attachment next = new Attachment(space.slots, Objects.requireNonNull(listener, "listener"));
    attachment = next;
    long last = next.last();
    // a transaction that has drawn its stamp before may not have seen the listener
    space.descriptors.awaitCommits(space);
    next.settled = true;
    return last;
  }

  /** Reports no more commits; a report that has begun may still run. */
  public synchronized void detach() {
    attachment = null;
  }

  /**
   * Gives a copy of each event that is there from the begin of the call to its end, with its
   * number; one that comes or goes meanwhile is given or not. Events come in no certain order:
   * their numbers tell which are older. Then waits as {@link #attach} does, so that each commit has
   * been reported whose effect was seen. O(capacity); makes no transaction wait.
   *
   * @param sink is given one and the same event each time; it must not use the space
   * @return how many it was given
   * @throws IllegalStateException as {@link #attach}
   */
  public int scan(ObjLongConsumer<? super Event> sink) {
    Objects.requireNonNull(sink, "sink");
    space.descriptors.requireNotCommitting();
    Event copy = new Event();
    int given = 0;
    for (int slot = 0; slot < space.slots.count; slot++) {
      given += give(slot, copy, sink) ? 1 : 0;
    }
    space.descriptors.awaitCommits(space);
    return given;
  }

  /**
   * Gives a part of what {@link #scan(ObjLongConsumer)} does, for a thread that has other work in
   * between; waits for nothing. Each event that is given was written by a transaction that has its
   * ticket of a {@link CommitJournal} already.
   *
   * @param from where to begin: 0, or what the call before has returned
   * @param count how many places of the space to look at
   * @return where to go on; 0 after the last one
   */
  public int scan(int from, int count, ObjLongConsumer<? super Event> sink) {
    Objects.requireNonNull(sink, "sink");
    Event copy = new Event();
    int end = Math.min(from + count, space.slots.count);
    for (int slot = from; slot < end; slot++) {
      give(slot, copy, sink);
    }
    return end == space.slots.count ? 0 : end;
  }

  private boolean give(int slot, Event copy, ObjLongConsumer<? super Event> sink) {
    EventSlots slots = space.slots;
    long gen = slots.genAcquire(slot);
    if (!space.reader.isThere(slot, gen)) {
      return false;
    }
    // Only then: a generation has its number from when it is published.
    long number = slots.words[slots.base(slot) + EventSlots.STAMP];
    boolean whole = space.table.load(slot, gen, copy);
    if (whole) {
      sink.accept(copy, number);
    }
    return whole;
  }

  /**
   * Has a journal take part in each commit from now on; null: no more. Call it when no transaction
   * is running: before other threads use the space, or when they have ended.
   *
   * @throws IllegalStateException if there is a journal already, or a transaction is running
   */
  public synchronized void journal(@Nullable CommitJournal next) {
    if (next != null && journal != null) {
      throw new IllegalStateException(
          "the space has a journal (limit: 1); close that one before another is opened");
    }
    space.descriptors.reclaim(false);
    if (next != null && space.descriptors.anyUnsettled()) {
      throw new IllegalStateException(
          "a transaction is running, which the journal would not learn of; open the journal before"
              + " other threads use the space");
    }
    journal = next;
  }

  /** Returns the journal that takes part, or null. */
  public @Nullable CommitJournal journal() {
    return journal;
  }

  /**
   * Decides for a transaction whose thread does not go on: ends it, unless it is decided.
   *
   * @param transaction {@link Commit#transaction} as its journal was shown it, not told the outcome
   *     yet
   * @return whether it is committed
   */
  public boolean decide(long transaction) {
    int owner = EventSlots.owner(transaction);
    long epoch = EventSlots.epoch(transaction);
    space.descriptors.end(owner, epoch, TransactionTable.ABORTED);
    return space.descriptors.status(owner, epoch) == TransactionTable.COMMITTED;
  }

  boolean isHeard() {
    return attachment != null;
  }

  /** Reports what a committed transaction has done, if there is a listener. */
  void report(TransactionLog log) {
    Attachment current = attachment;
    if (current != null) {
      space.callbackErrors.reportKept();
      try {
        current.listener.onCommit(new Commit(log, current.settled ? null : current.last()));
      } catch (Throwable thrown) {
        space.callbackErrors.report(thrown);
      }
    }
  }

  /**
   * A listener, and which writes it is to learn of.
   *
   * <p><b>The danger.</b> A writer is stopped before its report; a transaction that has not seen
   * the listener takes the event; the writer goes on and sees it. If it reported the event, no
   * report would ever take that out of the picture again.
   *
   * <p><b>While attaching</b>, earlier events than {@link #last} are therefore not reported: their
   * writers have decided when the scan begins, which gives them. The number is drawn when the
   * listener can be seen already, by the first thread that needs it, so each transaction that takes
   * a later event sees the listener.
   *
   * <p><b>Once settled</b>, all transactions have ended that have not seen the listener, and each
   * write is reported. There may be one with an earlier number that attaching has not waited for: a
   * thread that draws several stamps at once uses them without a fence, and may not be seen to be
   * committing yet. It has decided since, maybe behind the scan.
   */
  private static final class Attachment {
    final CommitListener listener;
    volatile boolean settled;
    private final EventSlots slots;
    private final AtomicReference<@Nullable Long> last = new AtomicReference<>();

    Attachment(EventSlots slots, CommitListener listener) {
      this.slots = slots;
      this.listener = listener;
    }

    long last() {
      Long known = last.get();
      if (known == null) {
        last.compareAndSet(null, slots.lastStamp());
        known = Objects.requireNonNull(last.get());
      }
      return known;
    }
  }
}
