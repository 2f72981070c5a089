package dev.takt.space;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Threads that wait for the same kind of event, in the order of their coming.
 *
 * <p>Adding is one compare-and-set on the last node. Leaving is an assignment, which no error can
 * cut off; then the node before links past the one that is gone, if it is known and not gone
 * itself. The others are unlinked by the next walk that passes them, and now and then the one that
 * leaves walks. So adding and leaving take O(1) amortized time. The last node is never unlinked; a
 * node that was unlinked still leads to the end.
 *
 * <p><b>Thread rule:</b> any thread; lock-free.
 */
final class WaiterQueue {
  /** A node, or the beginning of a queue. */
  private static class Node {
    private volatile @Nullable Waiter next;

    @Nullable Waiter next() {
      return (Waiter) NEXT.getVolatile(this);
    }
  }

  /** A thread in a queue, until it is notified or leaves. */
  static final class Waiter extends Node {
    final Event template;
    final LookupPlan plan;
    final long fingerprint;
    private final WaitClock clock;

    /**
     * What the clock wakes: its thread, as a rule. Null when it waits no longer: the last node of a
     * queue stays, and must not keep it.
     */
    private @Nullable Object parked;

    private volatile boolean notified;

    /** The node before: a hint, and null once this one is unlinked. */
    private volatile @Nullable Node previous;

    /** Of a thread that waits: its node in the queue of its template. */
    volatile @Nullable Waiter current;

    /** Set by the thread itself when it waits no longer; see {@link WaiterQueue#leave}. */
    volatile boolean left;

    Waiter(Event template, LookupPlan plan, WaitClock clock) {
      this.template = template;
      this.plan = plan;
      this.clock = clock;
      parked = clock.waiter();
      this.fingerprint = plan.fingerprint(template);
    }

    boolean isNotified() {
      return (boolean) NOTIFIED.getVolatile(this);
    }

    private boolean isWaiting() {
      return !left && !isNotified();
    }

    /** Wakes the thread; false if it was notified before. */
    boolean wake() {
      boolean isFirst = NOTIFIED.compareAndSet(this, false, true);
      if (isFirst) {
        unpark();
        parked = null;
      }
      return isFirst;
    }

    void unpark() {
      Object waiting = parked;
      if (waiting != null) {
        clock.unpark(waiting);
      }
    }

    /** Tells that the thread waits no longer; see {@link WaiterQueue#leave}. */
    void leave() {
      left = true;
      parked = null;
    }
  }

  /**
   * A walk for so many leavers, and for several times as many as wait, costs each of them little.
   */
  private static final int LEAST_TO_PRUNE = 256;

  private static final int LEAVERS_FOR_EACH = 4;
  private static final VarHandle NEXT =
      OrderedAccess.field(MethodHandles.lookup(), Node.class, "next", Waiter.class);
  private static final VarHandle NOTIFIED =
      OrderedAccess.field(MethodHandles.lookup(), Waiter.class, "notified", boolean.class);
  private static final VarHandle LEAVERS =
      OrderedAccess.field(MethodHandles.lookup(), WaiterQueue.class, "leavers", int.class);

  private final Node head = new Node();

  /** A node near the end: a hint. */
  private volatile Node tail = head;

  private volatile int leavers;
  private volatile int pruneAt = LEAST_TO_PRUNE;

  void add(Waiter waiter) {
    Node last = tail;
    while (true) {
      Waiter next = last.next();
      if (next != null) {
        last = next;
      } else {
        waiter.previous = last;
        if (NEXT.compareAndSet(last, null, waiter)) {
          tail = waiter;
          if (last instanceof Waiter before && !before.isWaiting()) {
            unlink(before);
          }
          return;
        }
      }
    }
  }

  /** Marks the waiter as one that waits no longer. */
  void leave(Waiter waiter) {
    waiter.leave();
    unlink(waiter);
    if ((int) LEAVERS.getAndAdd(this, 1) + 1 >= pruneAt) {
      leavers = 0;
      pruneAt = Math.max(LEAST_TO_PRUNE, LEAVERS_FOR_EACH * count());
    }
  }

  /** Lets the node before link past one that does not wait any more and is not the last. */
  private static void unlink(Waiter gone) {
    Node before = gone.previous;
    Waiter next = gone.next();
    if (before != null && next != null && NEXT.compareAndSet(before, gone, next)) {
      next.previous = before;
      gone.previous = null;
    }
  }

  /** Counts those that wait, and unlinks the others. */
  int count() {
    int count = 0;
    for (Waiter waiter = first(); waiter != null; waiter = after(waiter)) {
      count++;
    }
    return count;
  }

  /** Counts the nodes, of whatever state. */
  int nodes() {
    int count = 0;
    for (Waiter each = head.next(); each != null; each = each.next()) {
      count++;
    }
    return count;
  }

  @Nullable Waiter first() {
    return after(head);
  }

  /** Returns one that waits, if there is one: as a rule the last. */
  @Nullable Waiter last() {
    return tail instanceof Waiter last && last.isWaiting() ? last : first();
  }

  /** Returns the first one after a node that waits, or null; unlinks those in between. */
  @Nullable Waiter after(Node from) {
    Waiter first = from.next();
    for (Waiter next = first; next != null; ) {
      boolean isWaiting = next.isWaiting();
      Waiter behind = next.next();
      if (isWaiting || behind == null) {
        if (next != first) {
          NEXT.compareAndSet(from, first, next);
        }
        return isWaiting ? next : null;
      }
      next = behind;
    }
    return null;
  }

  /**
   * Wakes the first one that waits for a slot's event of a generation, or all of them. One whose
   * predicate throws is woken, too: it finds that out itself.
   */
  void wake(long fingerprint, Finder finder, int slot, long gen, boolean all) {
    for (Waiter waiter = first(); waiter != null; waiter = after(waiter)) {
      if (waiter.fingerprint == fingerprint) {
        boolean suits;
        try {
          suits = finder.suits(waiter.template, waiter.plan, slot, gen);
        } catch (RuntimeException ofPredicate) {
          suits = true;
        }
        if (suits && waiter.wake() && !all) {
          return;
        }
      }
    }
  }

  /** Wakes the first one that waits for a fingerprint. */
  void wakeNext(long fingerprint) {
    for (Waiter waiter = first(); waiter != null; waiter = after(waiter)) {
      if (waiter.fingerprint == fingerprint && waiter.wake()) {
        return;
      }
    }
  }
}
