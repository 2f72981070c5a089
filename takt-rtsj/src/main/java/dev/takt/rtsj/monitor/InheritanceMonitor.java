package dev.takt.rtsj.monitor;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.internal.Fields;
import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.OperatingSystem;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A {@link LockWord}, with an owner that is known and may enter again; see the package. */
sealed class InheritanceMonitor extends Monitor permits CeilingMonitor {
  /**
   * How often a thread that waits looks whether it waits for a dead one or in a circle, where it
   * would not be told.
   */
  static final long LOOK_NS = 1_000_000_000;

  /** No time-out. */
  private static final long FOREVER_NS = Long.MAX_VALUE;

  /** Longest time-out; larger ones would overflow. */
  private static final long LONGEST_NS = Long.MAX_VALUE / 2;

  private static final VarHandle HOLDER =
      Fields.handle(
          MethodHandles.lookup(), InheritanceMonitor.class, "holder", MonitorThread.class);

  private final MonitorSettings settings;

  // Of the settings, what is needed on the way in: each object on it may be a cold one.
  private final NanoClock clock;
  private final boolean recordsSince;
  final LockWord word;
  private final Priorities priorities;
  private final Guarantee guarantee;
  private final MonitorStats stats = new MonitorStats();

  /**
   * The thread that holds the word; written by it alone, after it got the word and before it gives
   * it back. So a thread finds itself here if and only if it is inside.
   */
  private volatile @Nullable MonitorThread holder;

  /** How often the holder has entered; only while holding. */
  private int holds;

  /** Since when, if that is to be known; only while holding. */
  private long sinceNs;

  /** How long the holder has waited, or {@link MonitorThread#NO_WAIT}; only while holding. */
  private long waitedNs = MonitorThread.NO_WAIT;

  /** The owner that it has waited for, if that was to be seen; only while holding. */
  private @Nullable MonitorThread waitedFor;

  /** The thread that has died inside, in words; stays. */
  private volatile @Nullable String dead;

  InheritanceMonitor(
      MonitorSettings settings, LockWord word, Priorities priorities, Guarantee guarantee) {
    this.settings = settings;
    this.clock = settings.clock();
    this.recordsSince = settings.recordsSince();
    this.word = word;
    this.priorities = priorities;
    this.guarantee = guarantee;
  }

  /** The best that there is on a system. */
  static InheritanceMonitor on(OperatingSystem system, MonitorSettings settings) {
    Priorities priorities = Priorities.of(system);
    if (settings.clock() != NanoClock.system()) {
      return new InheritanceMonitor(
          settings,
          new QueueWord(settings.clock(), priorities),
          priorities,
          new Guarantee(
              Guarantee.Kind.NONE,
              "the kernel cannot wait by this clock; leave the monitor the machine's"));
    }
    return system
        .newPiFutex()
        .map(
            futex ->
                new InheritanceMonitor(
                    settings,
                    new FutexWord(futex),
                    priorities,
                    new Guarantee(Guarantee.Kind.INHERITANCE, "by the kernel's PI futex")))
        .orElseGet(
            () ->
                new InheritanceMonitor(
                    settings,
                    new QueueWord(settings.clock(), priorities),
                    priorities,
                    new Guarantee(
                        Guarantee.Kind.NONE,
                        "no PI futexes here: "
                            + (system.isNative()
                                ? "the kernel has none, or a sandbox refuses them"
                                : system.whyNotNative()))));
  }

  @Override
  public void enter() {
    enter(MonitorThread.current());
  }

  void enter(MonitorThread self) {
    if (word.compareAndSet(0, word.idOf(self))) {
      begin(self, 1);
    } else if (!enterAgain(self)) {
      waitAndEnter(self, 1, FOREVER_NS);
    }
  }

  @Override
  public boolean tryEnter() {
    return tryEnter(MonitorThread.current());
  }

  boolean tryEnter(MonitorThread self) {
    if (word.compareAndSet(0, word.idOf(self))) {
      begin(self, 1);
      return true;
    }
    if (enterAgain(self)) {
      return true;
    }
    refuseIfDead();
    return false;
  }

  @Override
  public boolean tryEnter(long timeoutNs) {
    MonitorThread self = MonitorThread.current();
    boolean entered = tryEnter(self, timeoutNs);
    if (!entered) {
      left(self);
    }
    return entered;
  }

  /** The same; if it has waited in vain, {@link #left} is to follow. */
  boolean tryEnter(MonitorThread self, long timeoutNs) {
    return tryEnter(self) || timeoutNs > 0 && waitAndEnter(self, 1, timeoutNs);
  }

  @Override
  public void exit() {
    MonitorThread self = MonitorThread.current();
    if (holder != self) {
      throw notInside(self);
    }
    if (--holds == 0) {
      giveUp(self);
      left(self);
    }
  }

  @Override
  int release(MonitorThread self) {
    if (holder != self) {
      throw notInside(self);
    }
    int holdsBefore = holds;
    giveUp(self);
    left(self);
    return holdsBefore;
  }

  private void giveUp(MonitorThread self) {
    if (waitedNs != MonitorThread.NO_WAIT) {
      self.hasWaited(waitedFor, waitedNs, true);
      waitedNs = MonitorThread.NO_WAIT;
      waitedFor = null;
    }
    HOLDER.setRelease(this, null);
    giveBack(self);
  }

  @Override
  void reenter(MonitorThread self, int holdsBefore) {
    if (word.compareAndSet(0, word.idOf(self))) {
      begin(self, holdsBefore);
    } else {
      waitAndEnter(self, holdsBefore, FOREVER_NS);
    }
  }

  /** Notes that the word has been got. */
  private void begin(MonitorThread self, int holdsNow) {
    if (dead != null) {
      giveBack(self);
      throw died();
    }
    holds = holdsNow;
    if (recordsSince) {
      sinceNs = clock.nanoTime();
    }
    HOLDER.setRelease(this, self);
  }

  /** Enters if it is inside; false if not. */
  private boolean enterAgain(MonitorThread self) {
    if (holder != self) {
      return false;
    }
    holds = Math.addExact(holds, 1);
    return true;
  }

  /**
   * Waits, and enters. All before the kernel is called delays the boost, all after it the section:
   * so what can be done at the exit is done there.
   */
  private boolean waitAndEnter(MonitorThread self, int holdsThen, long timeoutNs) {
    long startNs = clock.nanoTime();
    MonitorThread owner = holder;
    if (owner != null && MonitorThread.lastPriorityIn(owner.known()) < 0) {
      priorities.own(owner); // when it is wanted, the owner may have ended
    }
    boolean entered;
    self.waitsFor = this;
    try {
      entered = lock(self, startNs, timeoutNs);
    } finally {
      self.waitsFor = null;
    }
    if (entered) {
      begin(self, holdsThen);
      waitedFor = owner;
      waitedNs = clock.nanoTime() - startNs;
    } else {
      self.hasWaited(owner, clock.nanoTime() - startNs, false);
    }
    return entered;
  }

  /**
   * Counts the wait of the caller, if it had to wait. Called when it is outside, under this
   * monitor's ceiling no more.
   */
  void left(MonitorThread self) {
    if (self.waitedNs() == MonitorThread.NO_WAIT) {
      return;
    }
    long waitNs = self.waitedNs();
    MonitorThread owner = self.waitedFor();
    stats.countWait(waitNs, self.waitedInVain());
    self.forgetWait();
    if (owner == null) {
      return;
    }
    int priority = priorities.own(self);
    int ownerPriority = priorities.own(owner);
    if (ownerPriority < priority) {
      stats.countInversion(waitNs);
      tell(self, priority, owner, ownerPriority, waitNs);
    }
  }

  /** Gets the word; false if the time was over first. */
  private boolean lock(MonitorThread self, long startNs, long timeoutNs) {
    boolean forever = timeoutNs == FOREVER_NS;
    long deadlineNs = startNs + Math.min(timeoutNs, LONGEST_NS);
    long nowNs = startNs;
    while (true) {
      refuseIfDead();
      DeadlockDetector.refuse(self, this);
      long untilNs =
          forever && word.tellsWaiters()
              ? LockWord.NEVER_NS
              : nowNs + Math.min(deadlineNs - nowNs, LOOK_NS);
      Errno outcome = word.lock(self, untilNs);
      switch (outcome) {
        case NONE -> {
          takeOverFromDead(self);
          return true;
        }
        case ETIMEDOUT -> {
          nowNs = clock.nanoTime();
          if (nowNs - deadlineNs >= 0) {
            return false;
          }
        }
        case EAGAIN, EINTR -> {
          // the kernel asks to call again
        }
        case ESRCH -> {
          close(holder);
          throw died();
        }
        case EDEADLK -> throw new DeadlockException(deadlock(self));
        default -> throw failed("enter", self, outcome);
      }
    }
  }

  /** If the kernel reports EOWNERDEAD: closes the monitor for all threads. */
  private void takeOverFromDead(MonitorThread self) {
    if ((word.get() & LockWord.OWNER_DIED) != 0) {
      close(holder);
      giveBack(self);
      throw died();
    }
  }

  private void giveBack(MonitorThread self) {
    if (!word.compareAndSet(word.idOf(self), 0)) {
      Errno outcome;
      do {
        outcome = word.unlock(self);
      } while (outcome == Errno.EAGAIN || outcome == Errno.EINTR);
      if (outcome != Errno.NONE) {
        throw failed("exit", self, outcome);
      }
    }
  }

  /**
   * If the holder has died, no thread will ever give the word back. That a thread is not alive is
   * seen after all it did; so if it still is the holder then, it died inside.
   */
  private void refuseIfDead() {
    MonitorThread owner = holder;
    if (dead == null && owner != null && owner.hasDied() && holder == owner) {
      close(owner);
    }
    if (dead != null) {
      throw died();
    }
  }

  /** What a listener waits for itself is counted, but no listener is called for it. */
  private void tell(
      MonitorThread self, int priority, MonitorThread owner, int ownerPriority, long waitNs) {
    InversionListener listener = settings.listener();
    if (listener == null || self.tells) {
      return;
    }
    self.tells = true;
    try {
      listener.onInversion(this, self.thread, priority, owner.thread, ownerPriority, waitNs);
    } catch (Throwable _) {
      stats.countListenerFailure();
    }
    self.tells = false;
  }

  private void close(@Nullable MonitorThread died) {
    dead = died == null ? "a thread" : died.toString();
  }

  private OwnerDiedException died() {
    return new OwnerDiedException(
        ("%s is not entered any more: %s has died inside (make what it guards anew, with a "
                + "new monitor; exit in a finally block, or by hold())")
            .formatted(this, dead));
  }

  private String deadlock(MonitorThread self) {
    String circle = DeadlockDetector.describe(self, this);
    return circle != null
        ? circle
        : "deadlock: " + self + " waits for " + this + ", held by " + holder + ", in a circle";
  }

  private IllegalMonitorStateException notInside(MonitorThread self) {
    MonitorThread owner = holder;
    return new IllegalMonitorStateException(
        "%s is not inside %s%s (expected: exit by whoever entered)"
            .formatted(
                self, this, owner == null ? ", where nobody is" : ", where " + owner + " is"));
  }

  private IllegalStateException failed(String what, MonitorThread self, Errno outcome) {
    return new IllegalStateException(
        self + " cannot " + what + " " + this + ": " + outcome.explain());
  }

  @Override
  public String name() {
    return settings.name();
  }

  @Override
  public Guarantee guarantee() {
    return guarantee;
  }

  @Override
  public @Nullable MonitorOwner owner() {
    MonitorThread owner = holder;
    return owner == null
        ? null
        : new MonitorOwner(owner.thread.getName(), owner.threadId, sinceNs, holds);
  }

  @Override
  public MonitorStats stats() {
    return stats;
  }

  @Override
  boolean isHeldBy(MonitorThread thread) {
    return holder == thread;
  }

  @Nullable MonitorThread holder() {
    return holder;
  }

  @Override
  MonitorSettings settings() {
    return settings;
  }

  @Override
  Priorities priorities() {
    return priorities;
  }
}
