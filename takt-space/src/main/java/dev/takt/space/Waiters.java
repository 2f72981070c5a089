package dev.takt.space;

import dev.takt.space.WaiterQueue.Waiter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The threads that are blocked until a space has an event for them.
 *
 * <p>A waiter enters the queue of its template's fingerprint, looks once more, and parks until it
 * is notified. A committed event notifies one waiter of the <em>exclusive</em> queue of each index
 * that it belongs to: the first, and all ask for the same there. A notification leaves the queue
 * with its receiver, so the next event goes to the next waiter. A receiver that finds nothing,
 * because another taker was quicker, enters the queue again. One that leaves for good, with an
 * event or without, looks whether there is another match (it may have taken one that was not
 * announced yet, or not have looked for the one that it was notified of), and if so notifies the
 * next. So no event stays while a thread sleeps that waits for it. Readers, and waiters with
 * conditions, are in <em>shared</em> queues: an event notifies all that it matches.
 *
 * <p><b>Safety sweep:</b> the thread that should notify may be stopped between its commit and the
 * notification, for any time; so may one that has lost its claims to another transaction. One of
 * the waiters, the <em>sentry</em>, therefore wakes up every {@link #SWEEP_NS} and looks for all
 * once for each transaction that has not come to its end and stands where it stood the time before,
 * or if an error has cut off a notification.
 *
 * <p><b>Thread rule:</b> any thread; lock-free.
 *
 * <p><b>Memory:</b> some 300 bytes for each waiter while it waits, and 40 for each queue that was
 * ever used; there are at most twice as many as there may be subscriptions.
 */
final class Waiters {
  static final long SWEEP_NS = 250_000_000;

  private static final long NO_DEADLINE = Long.MIN_VALUE;

  private final EventSpace space;
  private final WaitClock clock;
  private final int queues;
  private final AtomicReference<@Nullable AtomicReferenceArray<WaiterQueue>> exclusive =
      new AtomicReference<>();
  private final AtomicReference<@Nullable AtomicReferenceArray<WaiterQueue>> shared =
      new AtomicReference<>();

  /** Every thread that waits, for the sweep and for the next sentry. */
  private final WaiterQueue all = new WaiterQueue();

  private final AtomicReference<@Nullable Waiter> sentry = new AtomicReference<>();
  private final AtomicLong wakeUps = new AtomicLong();
  private volatile long sweptNs;

  /** Whether an error may have cut off a notification. */
  private volatile boolean mayHaveMissed;

  Waiters(EventSpace space, int maxSubscriptions) {
    this.space = space;
    clock = space.clock;
    queues = Integer.highestOneBit(2 * maxSubscriptions - 1);
    sweptNs = clock.nanoTime();
  }

  // ---- waiting

  /** Does an operation that looks for a match again and again until it finds one. */
  boolean await(AutoCommitOperation what, Event template, Event into, Duration timeout)
      throws InterruptedException {
    long timeoutNs = nanos(timeout);
    long deadlineNs =
        timeoutNs == WaitClock.FOR_EVER_NS ? NO_DEADLINE : clock.nanoTime() + timeoutNs;
    if (look(what, template, into)) {
      return true;
    }
    Event own = template.copy();
    LookupPlan plan = space.table.plan(own);
    Waiter self = new Waiter(own, plan, clock);
    boolean isShared = what == AutoCommitOperation.LOOK || own.hasConditions();
    WaiterQueue queue = queue(isShared ? shared : exclusive, self.fingerprint);
    space.hasSubscriptions = true;
    Waiter waiter = self;
    try {
      all.add(self);
      do {
        waiter = new Waiter(own, plan, clock);
        self.current = waiter;
        queue.add(waiter);
        // a commit from now on notifies the waiter; an earlier one is seen by this look
        OrderedAccess.fullFence();
        if (look(what, own, into)) {
          return true;
        }
      } while (park(self, waiter, deadlineNs));
      return look(what, own, into);
    } finally {
      // by assignments, so that no error leaves a waiter behind that does not wait
      waiter.leave();
      self.leave();
      try {
        leave(self, queue, waiter, isShared);
      } catch (Throwable cutOff) {
        mayHaveMissed = true;
      }
    }
  }

  private boolean look(AutoCommitOperation what, Event template, Event into) {
    return space.autoCommit(what, 0, -1, template, null, into);
  }

  private static long nanos(Duration timeout) {
    return timeout.compareTo(Duration.ofNanos(WaitClock.FOR_EVER_NS)) < 0
        ? timeout.isNegative() ? 0 : timeout.toNanos()
        : WaitClock.FOR_EVER_NS;
  }

  private WaiterQueue queue(
      AtomicReference<@Nullable AtomicReferenceArray<WaiterQueue>> tables, long fingerprint) {
    AtomicReferenceArray<WaiterQueue> table = tables.get();
    if (table == null) {
      table = new AtomicReferenceArray<>(queues);
      AtomicReferenceArray<WaiterQueue> other = tables.compareAndExchange(null, table);
      table = other == null ? table : other;
    }
    int at = (int) fingerprint & queues - 1;
    WaiterQueue queue = table.get(at);
    if (queue == null) {
      queue = new WaiterQueue();
      WaiterQueue other = table.compareAndExchange(at, null, queue);
      queue = other == null ? queue : other;
    }
    return queue;
  }

  private void leave(Waiter self, WaiterQueue queue, Waiter waiter, boolean isShared) {
    if (!isShared && queue.first() != null && space.hasMatch(self.template, self.plan)) {
      queue.wakeNext(self.fingerprint);
    }
    queue.leave(waiter);
    all.leave(self);
    sentry.compareAndSet(self, null);
    if (sentry.get() == null) {
      // the newest waiter is likely to wait longest
      Waiter next = all.last();
      if (next != null) {
        next.unpark();
      }
    }
  }

  /** Parks until the waiter is notified; false if its time is over before. */
  private boolean park(Waiter self, Waiter waiter, long deadlineNs) throws InterruptedException {
    while (!waiter.isNotified()) {
      long leftNs =
          deadlineNs == NO_DEADLINE ? WaitClock.FOR_EVER_NS : deadlineNs - clock.nanoTime();
      if (leftNs <= 0) {
        return false;
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (isSentry(self)) {
        long pauseNs = Math.min(leftNs, sweptNs + SWEEP_NS - clock.nanoTime());
        if (pauseNs > 0) {
          parkNanos(pauseNs);
        }
        if (clock.nanoTime() - sweptNs >= SWEEP_NS) {
          sweep();
        }
      } else {
        parkNanos(leftNs);
      }
      wakeUps.incrementAndGet();
    }
    return true;
  }

  private void parkNanos(long durationNs) {
    LockSupport.setCurrentBlocker(space);
    clock.parkNanos(durationNs);
    LockSupport.setCurrentBlocker(null);
  }

  private boolean isSentry(Waiter self) {
    Waiter now = sentry.get();
    return now == self || (now == null || now.left) && sentry.compareAndSet(now, self);
  }

  // ---- notifying

  /** Whether a thread waits or has waited. */
  boolean any() {
    return exclusive.get() != null || shared.get() != null;
  }

  /** Notifies those that wait for a slot's event of a generation. */
  void announce(long fingerprint, Finder finder, int slot, long gen) {
    try {
      wake(exclusive.get(), false, fingerprint, finder, slot, gen);
      wake(shared.get(), true, fingerprint, finder, slot, gen);
    } catch (Throwable cutOff) {
      mayHaveMissed = true;
    }
  }

  private void wake(
      @Nullable AtomicReferenceArray<WaiterQueue> table,
      boolean all,
      long fingerprint,
      Finder finder,
      int slot,
      long gen) {
    WaiterQueue queue = table == null ? null : table.get((int) fingerprint & queues - 1);
    if (queue != null) {
      queue.wake(fingerprint, finder, slot, gen, all);
    }
  }

  private void sweep() {
    try {
      sweptNs = clock.nanoTime();
      space.descriptors.reclaim(false);
      boolean missed = mayHaveMissed;
      mayHaveMissed = false;
      if (space.descriptors.anyStuck() || missed) {
        for (Waiter each = all.first(); each != null; each = all.after(each)) {
          Waiter waiter = each.current;
          if (waiter != null && mayFind(each)) {
            waiter.wake();
          }
        }
      }
    } catch (Throwable cutOff) {
      mayHaveMissed = true;
    }
  }

  private boolean mayFind(Waiter waiter) {
    try {
      return space.hasMatch(waiter.template, waiter.plan);
    } catch (RuntimeException ofPredicate) {
      // it is the waiter's own, and thrown where the waiter looks itself
      return true;
    }
  }

  // ---- to look at

  /** How many threads wait. */
  int count() {
    return all.count();
  }

  /** How often one of them has woken up so far. */
  long wakeUps() {
    return wakeUps.get();
  }
}
