package dev.takt.reflex.woven;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.internal.Fields;
import dev.takt.reflex.limit.AtomicStats;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Where atomic calls and releases of one task meet. It lets ordinary threads change the memory of a
 * task as a whole between two releases, without ever making a release wait for them.
 *
 * <p><b>The one shared word</b>, {@code state}, is one of
 *
 * <ul>
 *   <li>EMPTY: no release runs, and nothing is left to be taken over;
 *   <li>RUNNING: a release runs, its attempts and the undoing of them included;
 *   <li>an {@link AtomicLog}: no release runs, and the next one takes this over first.
 * </ul>
 *
 * <pre>
 *   release:  taken = getAndSet(RUNNING); apply taken; attempts...; set(EMPTY)
 *   call:     P = state;  RUNNING: wait.  EMPTY: compareAndSet(EMPTY, P = new log).
 *             body: a read finds the call's own write, or P's, or else
 *                   v = memory; if (state != P) start again; v
 *                   a write goes into the call's own log
 *             commit: compareAndSet(P, P with own log)     or start again
 * </pre>
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>A log is in {@code state} during one interval at most: it is a new object each time, and
 *       one that was there before is never put back. A call that holds P keeps it from being
 *       collected, so no other log has its address. Hence if {@code state == P} at two moments, it
 *       was P all the time between (no ABA). This is why EMPTY, which comes again, is replaced by a
 *       new log before a call reads anything.
 *   <li>The memory of the task is written only while the state is RUNNING: by {@link #enter}, the
 *       attempts, and their undoing.
 *   <li>The value of the task, V, is its memory with the log in {@code state} on top. By 1 and 2, V
 *       does not change while {@code state == P}. Taking over P does not change V either: it moves
 *       it into memory.
 * </ol>
 *
 * <p><b>A call sees one snapshot</b> (opacity). What it reads from memory it compares with the
 * state <em>after</em> the read and before the value is used. If the state is still P then, the
 * value is that of V at the beginning of the call, by 1 to 3; what comes from P or the call's own
 * log is so anyway. So even a call that will not commit never sees values that do not belong
 * together: it throws no exception and runs in no loop that it would not if it were alone. A call
 * that has begun in vain learns it at its next read of memory, or at its commit.
 *
 * <p><b>Linearization.</b> A call that wrote takes effect at its successful compare-and-set: V
 * becomes what the body made of V at the beginning, and V was the same until then. A call that only
 * read, or that ends by an exception, takes effect at the moment it found or installed P; it needs
 * no second look. A release takes effect as a whole from getAndSet to set; its beginning is the one
 * at which it sees V, whatever calls have committed until then, and nothing of those later.
 *
 * <p><b>Undo.</b> Logs are taken over before the first attempt begins its epoch. So an abort, a
 * conflict or an exception of the release puts the memory back to what the calls made of it: their
 * effect stays, and is not applied again by the next attempt.
 *
 * <p><b>Order of memory.</b> Release after release: by the arrangement of the runtime. Release to
 * call: {@code set(EMPTY)} releases, reading the state acquires; the compare-and-sets between
 * continue the release sequence. Call to release: the compare-and-set publishes log and made
 * objects, getAndSet acquires them. A call's read of memory races with a release that begins
 * meanwhile, as in a sequence lock: a store-store fence after getAndSet keeps the release's writes
 * behind it, a load-load fence keeps the second look at the state behind the call's read. So a
 * thread that has read a racing value sees that the state is no longer P.
 *
 * <p><b>Progress.</b> The task never waits and never loops: one getAndSet, O(n) plain stores for n
 * places that committed calls want changed, one store at the end; it allocates nothing. Among
 * themselves calls are lock-free: one starts again only because another has committed or a release
 * has begun. A call that meets a running release waits, as an ordinary thread may: it spins,
 * yields, then parks for {@value #PARK_NS} ns at a time, until its time is over. Calls that need
 * longer than the task leaves between its releases never succeed, they are rejected: the task goes
 * first.
 *
 * <p><b>No release to come.</b> A task that is never released again, because the runtime has
 * stopped, keeps its log; later calls read through it and add to it, until it is full.
 *
 * <p><b>Passive tasks</b> are released by events: a committed call alone does not release one, it
 * is taken over by the release that the next match brings. A caller that wants a release writes an
 * event after the call.
 *
 * <p><b>Thread rule:</b> {@link #enter} and {@link #exit} for the thread that runs the release; all
 * else for any thread.
 *
 * <p><b>Memory:</b> about 200 bytes, and the log: {@code maxEntries} times 36 bytes at most. A call
 * that wrote n places allocates about 150 + 36 n bytes on its own thread, and once for each thread
 * about 1,000 bytes.
 *
 * <p>Source: Reflexes 6.4.
 */
public final class AtomicGate {
  /** How long a waiting call parks at a time. */
  static final int PARK_NS = 50_000;

  private static final Object EMPTY = new Object();
  private static final Object RUNNING = new Object();

  private static final VarHandle STATE =
      Fields.handle(MethodHandles.lookup(), AtomicGate.class, "state", Object.class);
  private static final VarHandle COUNTERS = MethodHandles.arrayElementVarHandle(long[].class);

  static final int CALLS = 0;
  static final int COMMITS = 1;
  static final int ABORTS = 2;
  static final int WAITS = 3;
  static final int REJECTED = 4;

  final TaskMemory memory;
  final NanoClock clock;
  final int maxEntries;
  final long timeoutNs;

  private Object state = EMPTY;
  private final long[] counters = new long[REJECTED + 1];

  /**
   * Makes the gate of a task.
   *
   * @param memory the memory of the task
   * @param clock by which calls wait
   * @param maxEntries how many places the calls between two releases may change, at least 1
   * @param timeoutNs how long a call may wait and try again, in nanoseconds
   */
  public AtomicGate(TaskMemory memory, NanoClock clock, int maxEntries, long timeoutNs) {
    this.memory = memory;
    this.clock = clock;
    this.maxEntries = maxEntries;
    this.timeoutNs = timeoutNs;
  }

  /**
   * A release begins: takes over what calls have committed, and lets later ones wait.
   *
   * <p>On the thread of the release, before its first attempt.
   */
  public void enter() {
    Object taken = STATE.getAndSet(this, RUNNING);
    VarHandle.storeStoreFence();
    if (taken instanceof AtomicLog log) {
      memory.apply(log);
    } else if (taken == RUNNING) {
      throw new IllegalStateException("task " + memory.task + ": a release runs already");
    }
  }

  /** The release has ended, and what it did is final or undone. */
  public void exit() {
    STATE.setRelease(this, EMPTY);
  }

  /**
   * Begins an atomic call, or joins the one that the calling thread is in.
   *
   * @return the call; null in a release of the same task, where the method is an ordinary one
   * @throws IllegalStateException in a release or in an atomic call of another task
   */
  public @Nullable AtomicCall begin() {
    TaskMemory current = TaskMemory.current();
    if (current == memory) {
      return null;
    }
    if (current != null) {
      throw foreign("task " + memory.task, "a release of " + current.task);
    }
    if (memory.isLeft()) {
      throw foreign("task " + memory.task, "a subscriber that its own release tells");
    }
    AtomicCall call = AtomicCall.ofThread();
    AtomicGate gate = call.gate();
    if (gate != null && gate != this) {
      throw foreign("task " + memory.task, "an atomic call of " + gate.memory.task);
    }
    call.aimAt(this);
    return call;
  }

  static IllegalStateException foreign(String what, String where) {
    return new IllegalStateException(
        ("atomic method of %s called inside %s (R30): they could not be undone "
                + "together; send an event instead, or make one call after the other")
            .formatted(what, where));
  }

  /** Returns the log that stands for the present value of the task; null while a release runs. */
  @Nullable AtomicLog look() {
    while (true) {
      Object state = STATE.getAcquire(this);
      if (state instanceof AtomicLog log) {
        return log;
      }
      if (state == RUNNING) {
        return null;
      }
      AtomicLog fresh = new AtomicLog();
      if (STATE.compareAndSet(this, EMPTY, fresh)) {
        return fresh;
      }
    }
  }

  /**
   * Returns whether all that was read from memory before belongs to the value that a log stands
   * for.
   */
  boolean isStill(AtomicLog log) {
    VarHandle.loadLoadFence();
    return STATE.getOpaque(this) == log;
  }

  boolean replace(AtomicLog log, AtomicLog next) {
    return STATE.compareAndSet(this, log, next);
  }

  void count(int counter, long amount) {
    if (amount != 0) {
      COUNTERS.getAndAdd(counters, counter, amount);
    }
  }

  /** Returns the counters. */
  public AtomicStats stats() {
    // Calls are read last, so that a look never shows more endings than calls.
    long commits = counter(COMMITS);
    long rejected = counter(REJECTED);
    long aborts = counter(ABORTS);
    long waits = counter(WAITS);
    return new AtomicStats(counter(CALLS), commits, aborts, waits, rejected);
  }

  private long counter(int counter) {
    return (long) COUNTERS.getOpaque(counters, counter);
  }
}
