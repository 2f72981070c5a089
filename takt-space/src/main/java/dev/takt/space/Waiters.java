package dev.takt.space;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The threads that are blocked until a space has an event for them.
 *
 * <p>A waiter subscribes to its template, looks once more, and parks until it is told. If there is
 * no room for another subscription, it enters a list that every committer goes through. All who
 * wait for an event are told of it, so nobody's going away leaves another one asleep.
 *
 * <p><b>Safety sweep:</b> whoever should tell may be stopped between its commit and the telling,
 * for any time; so may one whose claim another transaction has ended. One of the waiters, the
 * <em>guard</em>, therefore wakes up every {@link #SWEEP_NS} and looks for all, if there is a
 * transaction that has not come to its end, or if an error has cut off the telling.
 *
 * <p><b>Errors:</b> what an error has cut off when a waiter goes away is done by the next one.
 *
 * <p><b>Thread rule:</b> any thread.
 *
 * <p><b>Memory:</b> some 200 bytes for each waiter while it waits.
 */
final class Waiters {
  static final long SWEEP_NS = 500_000_000;

  /** A wait of 146 years: nobody will see its end, and deadlines must not overflow. */
  private static final long FOR_EVER_NS = Long.MAX_VALUE / 2;

  private static final Waiter[] NOBODY = {};
  private static final AtomicReferenceFieldUpdater<Waiters, Waiter[]> LISTED =
      AtomicReferenceFieldUpdater.newUpdater(Waiters.class, Waiter[].class, "listed");

  private final EventSpace space;
  private final ConcurrentSkipListSet<Waiter> all = new ConcurrentSkipListSet<>();

  /** Those without a subscription; an array is replaced and never changed. */
  private volatile Waiter[] listed = NOBODY;

  private final AtomicReference<@Nullable Waiter> guard = new AtomicReference<>();
  private final AtomicLong arrivals = new AtomicLong();
  private final AtomicLong wakeUps = new AtomicLong();
  private volatile long sweptNs = EventSpace.nowNs();
  private volatile int turn;

  /** Whether somebody may not have been told because of an error. */
  private volatile boolean mayHaveMissed;

  /** Whether an error has left one here that does not wait any more. */
  private volatile boolean hasLeftOvers;

  Waiters(EventSpace space) {
    this.space = space;
  }

  /** One thread while it waits. */
  private static final class Waiter implements Subscriber, Comparable<Waiter> {
    private final long number;
    private final Thread thread = Thread.currentThread();
    private final Event template;
    private final LookupPlan plan;
    private volatile @Nullable Handle handle;

    /** Whether it does not wait any more, and an error has kept it from saying so. */
    private volatile boolean isLeftOver;

    private Waiter(long number, Event template, LookupPlan plan) {
      this.number = number;
      this.template = template;
      this.plan = plan;
    }

    @Override
    public void onMatch(Handle handle) {
      wake();
    }

    private void wake() {
      LockSupport.unpark(thread);
    }

    @Override
    public int compareTo(Waiter other) {
      return Long.compare(number, other.number);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(number);
    }
  }

  // ---- waiting

  /** Does an operation that looks for a match again and again until it finds one. */
  boolean await(AutoCommitOperation what, Event template, Event into, Duration timeout)
      throws InterruptedException {
    long deadlineNs = EventSpace.nowNs() + nanos(timeout);
    if (space.autoCommit(what, 0, -1, template, null, into)) {
      return true;
    }
    Event own = template.copy();
    Waiter waiter = new Waiter(arrivals.incrementAndGet(), own, space.table().plan(own));
    try {
      enter(waiter);
      while (!space.autoCommit(what, 0, -1, own, null, into)) {
        long leftNs = deadlineNs - EventSpace.nowNs();
        if (leftNs <= 0) {
          return false;
        }
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        park(waiter, leftNs);
      }
      return true;
    } finally {
      try {
        leave(waiter);
      } catch (Throwable cutOff) {
        // what was taken must not be lost: the next one tidies up
        waiter.isLeftOver = true;
        hasLeftOvers = true;
      }
    }
  }

  private static long nanos(Duration timeout) {
    return timeout.compareTo(Duration.ofNanos(FOR_EVER_NS)) < 0
        ? timeout.isNegative() ? 0 : timeout.toNanos()
        : FOR_EVER_NS;
  }

  private void enter(Waiter waiter) {
    tidyUp();
    all.add(waiter);
    Handle handle = space.subscribeIfRoom(waiter.template, waiter.plan, waiter);
    waiter.handle = handle;
    if (handle == null) {
      Waiter[] before;
      Waiter[] after;
      do {
        before = listed;
        after = Arrays.copyOf(before, before.length + 1);
        after[before.length] = waiter;
      } while (!LISTED.compareAndSet(this, before, after));
      space.announceFromNowOn();
    }
    // whoever commits from now on tells it; who has committed before is seen by the next look
    OrderedAccess.fullFence();
  }

  /** May be done again if it was cut off. */
  private void leave(Waiter waiter) {
    Handle handle = waiter.handle;
    if (handle == null) {
      unlist(waiter);
    } else if (handle.isSubscribed()) {
      space.unsubscribe(handle);
    }
    guard.compareAndSet(waiter, null);
    all.remove(waiter);
    if (guard.get() == null) {
      for (Waiter next : all) {
        if (!next.isLeftOver) {
          next.wake();
          return;
        }
      }
    }
  }

  private void unlist(Waiter waiter) {
    Waiter[] before;
    Waiter[] after;
    do {
      before = listed;
      after = Arrays.stream(before).filter(one -> one != waiter).toArray(Waiter[]::new);
    } while (!LISTED.compareAndSet(this, before, after));
  }

  private void tidyUp() {
    if (hasLeftOvers) {
      hasLeftOvers = false;
      for (Waiter waiter : all) {
        if (waiter.isLeftOver) {
          try {
            leave(waiter);
          } catch (Throwable cutOff) {
            hasLeftOvers = true;
          }
        }
      }
    }
  }

  private void park(Waiter waiter, long leftNs) {
    if (guard.get() == waiter || guard.compareAndSet(null, waiter)) {
      long pauseNs = Math.min(leftNs, sweptNs + SWEEP_NS - EventSpace.nowNs());
      if (pauseNs > 0) {
        LockSupport.parkNanos(space, pauseNs);
      }
      if (EventSpace.nowNs() - sweptNs >= SWEEP_NS) {
        sweep();
      }
    } else {
      LockSupport.parkNanos(space, leftNs);
    }
    wakeUps.incrementAndGet();
  }

  // ---- telling

  /** Tells those who have no subscription and wait for a slot's event of a generation. */
  void tell(Finder finder, int slot, long gen) {
    for (Waiter waiter : listed) {
      try {
        if (finder.suits(waiter.template, waiter.plan, slot, gen)) {
          waiter.wake();
        }
      } catch (Throwable thrown) {
        mayHaveMissed = true;
      }
    }
  }

  /** Says that an error may have kept somebody from being told. */
  void mayHaveMissed() {
    mayHaveMissed = true;
  }

  /**
   * Of those who are in the list, a look for one of whom goes through the whole space, it looks for
   * one only, another one each time.
   */
  private void sweep() {
    try {
      sweptNs = EventSpace.nowNs();
      tidyUp();
      space.reclaim(false);
      boolean missed = mayHaveMissed;
      mayHaveMissed = false;
      boolean polled = missed || space.descriptors().anyUnsettled();
      Waiter[] inList = listed;
      Waiter next =
          inList.length == 0 ? null : inList[(turn++ & Integer.MAX_VALUE) % inList.length];
      for (Waiter waiter : all) {
        if (missed || waiter == next || polled && waiter.handle != null) {
          lookFor(waiter);
        }
      }
    } catch (Throwable cutOff) {
      mayHaveMissed = true;
    }
  }

  private void lookFor(Waiter waiter) {
    boolean shallLook;
    try {
      shallLook = space.hasMatch(waiter.template, waiter.plan);
    } catch (RuntimeException ofPredicate) {
      // it is the waiter's own, and thrown where the waiter looks itself
      shallLook = true;
    }
    if (shallLook) {
      waiter.wake();
    }
  }

  // ---- to look at

  /** How many threads wait. */
  int count() {
    return all.size();
  }

  /** How often one of them has woken up so far. */
  long wakeUps() {
    return wakeUps.get();
  }
}
