package dev.takt.space;

import java.util.Objects;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The commits of a space, for journals and replicas: a listener learns of each one, and {@link
 * #scan} tells what is there already.
 *
 * <p><b>A consistent picture:</b> attach a listener, scan, then call {@link #awaitReports}. From
 * then on the content of the space is what was given or reported as written, without what was
 * reported as taken; but for commits that are not reported yet. Of these, one may have written an
 * event that another one, reported already, has taken: a number that is reported as taken after the
 * call of {@link #awaitReports} and was not seen before is such an event, and a journal that may be
 * cut off at any record holds back the commit that has taken it until its writer is reported. What
 * was reported as taken before and is still unknown after that call was written before the listener
 * was attached.
 *
 * <p><b>Thread rule:</b> any thread.
 *
 * <p><b>Cost:</b> one read of a field for each commit without a listener.
 */
public final class Commits {
  private final EventSpace space;
  private volatile @Nullable CommitListener listener;

  Commits(EventSpace space) {
    this.space = space;
  }

  /**
   * Reports each commit from now on; one whose {@code commit} was called before may be missing or
   * not.
   *
   * @throws IllegalStateException if there is a listener; a space has one at most
   */
  public synchronized void attach(CommitListener listener) {
    if (this.listener != null) {
      throw new IllegalStateException(
          "the space has a commit listener (limit: 1); detach that one first");
    }
    this.listener = Objects.requireNonNull(listener, "listener");
  }

  /** Reports no more commits; a report that has begun may still run. */
  public synchronized void detach() {
    listener = null;
  }

  /**
   * Gives a copy of each event that is there from the begin of the call to its end, with its
   * number; one that comes or goes meanwhile is given or not. Events come in no certain order:
   * their numbers tell which are older. O(capacity); makes nobody wait.
   *
   * @param sink is given one and the same event each time; it must not use the space
   * @return how many it was given
   */
  public int scan(ObjLongConsumer<? super Event> sink) {
    Objects.requireNonNull(sink, "sink");
    EventSlots slots = space.slots();
    Event copy = new Event();
    int given = 0;
    for (int slot = 0; slot < slots.count; slot++) {
      long gen = slots.genAcquire(slot);
      long number = slots.words[slots.base(slot) + EventSlots.STAMP];
      if (space.reader().isThere(slot, gen) && space.table().load(slot, gen, copy)) {
        given++;
        sink.accept(copy, number);
      }
    }
    return given;
  }

  /**
   * Returns once each transaction that is about to commit now has come to its end, and has been
   * reported if there is a listener. A thread that runs does that at once, unless its listener
   * waits; the listener itself must not call this.
   */
  public void awaitReports() {
    space.descriptors().awaitCommits(space);
  }

  boolean isHeard() {
    return listener != null;
  }

  /** Reports what a committed transaction has done, if there is a listener. */
  void report(TransactionLog log) {
    CommitListener current = listener;
    if (current != null) {
      current.onCommit(new Commit(log));
    }
  }
}
