package dev.takt.reflex.woven;

import dev.takt.realtime.internal.Fields;
import dev.takt.realtime.stop.StopSwitch;
import dev.takt.reflex.limit.MemoryStats;
import dev.takt.reflex.limit.ReleaseAborted;
import dev.takt.reflex.limit.ReleaseError;
import dev.takt.reflex.limit.ReleaseStopped;
import dev.takt.reflex.limit.StableMemoryExhausted;
import dev.takt.reflex.limit.TransientMemoryExhausted;
import dev.takt.space.Abort;
import dev.takt.space.EventPool;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one task: what a release has changed, what it was given, and what it has used.
 *
 * <p>Woven code calls it; the runtime drives it:
 *
 * <pre>
 *   enter -&gt; begin -&gt; (woven code) -&gt; commit -&gt; exit
 *              ^           |
 *              +-- undo &lt;--+   another attempt
 * </pre>
 *
 * <p><b>Thread rule:</b> for the thread that runs the release, but for {@link #requestStop}, {@link
 * #isEntered} and the counters, which any thread may use. The thread is a {@link TaskThread}.
 *
 * <p><b>Memory:</b> about 500 bytes, the log (see {@code UndoLog}) and the stable objects made
 * beforehand. In steady state nothing is allocated.
 */
public final class TaskMemory extends UndoLog {
  /** How many bytes of one class of stable objects are made at registration at most. */
  static final int MAX_PREPARED_BYTES = 65_536;

  private static final VarHandle ENTERED =
      Fields.handle(MethodHandles.lookup(), TaskMemory.class, "entered", boolean.class);

  private static final Pool[] NO_POOLS = {};
  private static final ArrayPool[] NO_ARRAYS = {};

  /** The number of the running attempt: of this one only, in the whole JVM; never 0. */
  public long epoch = Epochs.first();

  final String task;
  private final long transientLimit;
  final long stableLimit;
  final StableMemory stable = new StableMemory(figures);

  /** Where cycles of persistence begin and end. */
  public final SinkGate sinks = new SinkGate(this);

  /** The area of the running thread, which has the pools. */
  @Nullable TransientArea area;

  private @Nullable Pool[] pools = NO_POOLS;
  private @Nullable ArrayPool[] arrays = NO_ARRAYS;
  @Nullable EventPool events;

  private long transientUsed;
  private long transientPeak;

  /** Whether the attempt has made stable objects; most make none, and then nothing else is read. */
  private boolean madeStable;

  /** Whether objects of the attempt are kept beyond it. */
  private boolean givesAway;

  /** Why the running attempt cannot commit. */
  private @Nullable ReleaseError rollbackCause;

  /** Is shown what is committed, for a journal. */
  private @Nullable ChangeSink changes;

  /** Whether atomic calls may have changed something since the last commit. */
  private boolean applied;

  private volatile boolean stopRequested;

  /** The attempt that is to be aborted; 0: none. */
  private volatile long abortedEpoch;

  /** The thread that has entered last; another one that sees {@link #entered} sees it, too. */
  private @Nullable TaskThread thread;

  /** Accessed through {@link #ENTERED}, not as volatile: such a store costs more than the rest. */
  private boolean entered;

  /**
   * Makes the memory of a task.
   *
   * @param task the name of the task, for messages
   * @param transientLimit what the transient objects of a release may count, in bytes
   * @param stableLimit what the stable objects of the task may count, in bytes
   */
  public TaskMemory(String task, long transientLimit, long stableLimit) {
    this.task = task;
    this.transientLimit = transientLimit;
    this.stableLimit = stableLimit;
  }

  /**
   * Returns the memory of the task whose release the calling thread runs; null on other threads and
   * between releases.
   */
  public static @Nullable TaskMemory current() {
    return Thread.currentThread() instanceof TaskThread thread ? thread.memory : null;
  }

  // ---- for woven code: objects

  /**
   * Returns a transient object, for as long as the release runs.
   *
   * @param slot its class
   * @return an object whose fields hold anything
   * @throws TransientMemoryExhausted if the task's transient memory is used up
   */
  public Object next(int slot) {
    @Nullable Pool[] pools = this.pools;
    if (slot < pools.length) {
      Pool pool = pools[slot];
      if (pool != null) {
        long bytes = transientUsed + pool.sizeBytes;
        if (pool.epoch != epoch) {
          pool.epoch = epoch;
          pool.used = 0;
        }
        int used = pool.used;
        Object[] objects = pool.objects;
        if (used < objects.length && bytes <= transientLimit) {
          pool.used = used + 1;
          transientUsed = bytes;
          return objects[used];
        }
      }
    }
    return nextSlowPath(slot);
  }

  private Object nextSlowPath(int slot) {
    TransientArea area = area();
    Pool pool = area.pool(slot);
    pools = area.pools;
    return lend(pool);
  }

  private Object lend(Pool pool) {
    long bytes = transientUsed + pool.sizeBytes;
    if (bytes > transientLimit) {
      throw transientExhausted(pool.name.get(), pool.sizeBytes);
    }
    if (pool.epoch == epoch ? pool.used == pool.objects.length : pool.objects.length == 0) {
      figures.add(MemoryFigures.POOL_GROWTHS, 1);
    }
    Object object = pool.next(epoch);
    transientUsed = bytes;
    return object;
  }

  /**
   * Makes a stable object, for as long as the task lives if the release commits.
   *
   * @param slot its class
   * @return an object whose fields hold anything
   * @throws StableMemoryExhausted if the task's stable memory is used up
   */
  public Object nextStable(int slot) {
    return nextStable(stable.pool(slot));
  }

  private Object nextStable(StablePool pool) {
    if (stable.usedBytes() + pool.sizeBytes > stableLimit) {
      throw rollbackOnly(
          new StableMemoryExhausted(
              exhausted("stable", pool.name.get(), pool.sizeBytes, stable.usedBytes())));
    }
    madeStable = true;
    return stable.next(pool);
  }

  // ---- for woven code: arrays

  /**
   * Returns a transient array, for as long as the release runs; an ordinary array on threads that
   * run none.
   *
   * @param slot its kind
   * @param length the number of elements, at most as many as the kind has
   * @return an array of zeros
   * @throws TransientMemoryExhausted if the task's transient memory is used up, or the array is
   *     longer than was declared
   * @throws NegativeArraySizeException if {@code length} is negative
   */
  public static Object newArray(int slot, int length) {
    TaskMemory memory = current();
    return memory == null ? ArrayPools.entry(slot).make(length) : memory.array(slot, length);
  }

  private Object array(int slot, int length) {
    @Nullable ArrayPool[] arrays = this.arrays;
    ArrayPool kind = slot < arrays.length ? arrays[slot] : null;
    if (kind != null && length >= 0 && length < kind.byLength.length) {
      Pool pool = kind.byLength[length];
      if (pool != null) {
        Object array = lend(pool);
        ArrayPool.clear(array);
        return array;
      }
    }
    return arraySlowPath(slot, length);
  }

  private Object arraySlowPath(int slot, int length) {
    ArrayPools.Entry entry = ArrayPools.entry(slot);
    if (length < 0) {
      throw new NegativeArraySizeException(String.valueOf(length));
    }
    if (length > entry.maxLength()) {
      throw rollbackOnly(
          new TransientMemoryExhausted(
              ("task %s: an array is longer than declared: %s[%s], limit=%s%s; raise "
                      + "the value of @MaxLength there")
                  .formatted(
                      task,
                      entry.component().getTypeName(),
                      length,
                      entry.maxLength(),
                      CallerLocation.allocation())));
    }
    // Before its pool is made, which makes room for each length up to this one.
    int sizeBytes = entry.sizeBytes(length);
    if (transientUsed + sizeBytes > transientLimit) {
      throw transientExhausted(entry.name(length), sizeBytes);
    }
    TransientArea area = area();
    ArrayPool kind = area.arrayPool(slot);
    arrays = area.arrays;
    Object array = lend(kind.pool(length));
    ArrayPool.clear(array);
    return array;
  }

  /**
   * Makes an array that a stable object keeps, for as long as the task lives if the release
   * commits; an ordinary array on threads that run none.
   *
   * @param slot its kind, whose largest length does not count
   * @param length the number of elements
   * @return an array of zeros
   * @throws StableMemoryExhausted if the task's stable memory is used up
   * @throws NegativeArraySizeException if {@code length} is negative
   */
  public static Object newStableArray(int slot, int length) {
    TaskMemory memory = current();
    if (memory == null || length < 0) {
      return ArrayPools.entry(slot).make(length);
    }
    int sizeBytes = ArrayPools.entry(slot).sizeBytes(length);
    if (memory.stable.usedBytes() + sizeBytes > memory.stableLimit) {
      throw memory.rollbackOnly(
          new StableMemoryExhausted(
              memory.exhausted(
                  "stable",
                  ArrayPools.entry(slot).name(length),
                  sizeBytes,
                  memory.stable.usedBytes())));
    }
    memory.madeStable = true;
    Object array = memory.stable.next(memory.stable.arrayPool(slot, length));
    ArrayPool.clear(array);
    return array;
  }

  // ---- for woven code: the end of a release

  /** Rethrows what ends a release or starts an atomic call again, so that no handler catches it. */
  public static void passAbort(Throwable thrown) {
    if (thrown instanceof Abort
        || thrown instanceof ReleaseError
        || thrown instanceof AtomicRetry) {
      throw (Error) thrown;
    }
    StopSwitch.pass(thrown);
  }

  /**
   * Ends the release of the calling thread if that was asked for; otherwise does nothing. A thread
   * that runs no task may run the same code: {@link StopSwitch#stop}.
   *
   * @throws ReleaseStopped if it was
   * @throws ReleaseAborted if that release alone is to end
   */
  public static @Nullable Error stop() {
    TaskMemory memory = current();
    if (memory == null) {
      StopSwitch.stop();
      return null;
    }
    if (memory.abortedEpoch == memory.epoch) {
      throw memory.rollbackOnly(new ReleaseAborted(memory.task, CallerLocation.caller()));
    }
    if (memory.stopRequested) {
      throw memory.rollbackOnly(new ReleaseStopped(memory.task, CallerLocation.caller()));
    }
    return null;
  }

  // ---- for the runtime

  /** Makes the calling thread, which is a {@link TaskThread}, run releases with this memory. */
  public void enter(TransientArea area, EventPool events) {
    // A task that always runs on the same thread stores no reference here.
    if (this.area != area || this.events != events) {
      this.area = area;
      pools = area.pools;
      arrays = area.arrays;
      this.events = events;
    }
    TaskThread thread = (TaskThread) Thread.currentThread();
    if (this.thread != thread) {
      this.thread = thread;
    }
    thread.memory = this;
    ENTERED.setRelease(this, true);
  }

  /** Ends what {@link #enter} began. */
  public void exit() {
    TaskThread.leave();
    ENTERED.setOpaque(this, false);
  }

  /** Makes the thread that has entered run the code of the task again. */
  public void resume() {
    ((TaskThread) Thread.currentThread()).run(this);
  }

  /**
   * Returns whether the calling thread runs a release with this memory, though not its code now.
   */
  boolean isLeft() {
    return isEntered() && thread == Thread.currentThread();
  }

  /**
   * Returns whether less than half is used of what an attempt may use: the other half is for what
   * follows a loop over matches.
   */
  public boolean hasRoom() {
    EventPool events = this.events;
    return (transientUsed == 0 || transientUsed < transientLimit >> 1)
        && (events == null || events.inUse() <= events.capacity() - 1 >> 1);
  }

  /** Begins an attempt. */
  public void begin() {
    epoch = Epochs.next(epoch);
    transientUsed = 0;
  }

  /** Has a sink learn of all changes from now on, and of the next commit, between releases. */
  public void changes(@Nullable ChangeSink sink) {
    changes = sink;
    applied = sink != null;
  }

  /**
   * Returns the sink of changes if the attempt, which is about to commit, may have made any, or is
   * the first one that the sink learns of.
   */
  public @Nullable ChangeSink changed() {
    return changes != null && (applied || objectCount + arrayCount > 0) ? changes : null;
  }

  /** The attempt has committed: keeps what it has done. */
  public void commit() {
    if (changes != null) {
      changes.committed();
      applied = false;
    }
    clear();
    if (madeStable) {
      stable.commit();
      madeStable = false;
    }
    end();
  }

  /** The attempt has failed: puts all stable objects back as they were. */
  public void undo() {
    if (changes != null) {
      changes.undone();
    }
    restoreAll(this);
    if (madeStable) {
      stable.undo();
      madeStable = false;
    }
    end();
    rollbackCause = null;
  }

  /** Takes over what atomic calls have committed, before the first attempt of a release. */
  void apply(AtomicLog log) {
    SaveSink sink = this.sink;
    if (sink != null) {
      begin();
      log.cells.show(sink, this);
      clear();
    }
    log.cells.apply();
    if (changes != null) {
      log.cells.tell(changes);
      applied = true;
    }
    if (log.madeBytes != 0) {
      stable.charge(log.madeBytes);
    }
  }

  /**
   * Begins a cycle, in which a sink receives what all stable objects of the task held when it
   * began, each before its first change; null ends it. Between releases.
   *
   * @return the number of the cycle: more than the stamps of all objects now, less than those of
   *     objects that change in it
   */
  public long sink(@Nullable SaveSink sink) {
    this.sink = sink;
    epoch = Epochs.first();
    return epoch;
  }

  private void end() {
    if (givesAway) {
      givesAway = false;
      giveAway();
    }
    if (transientUsed > transientPeak) {
      transientPeak = transientUsed;
      figures.set(MemoryFigures.TRANSIENT_PEAK, transientUsed);
    }
  }

  /**
   * Keeps all that the running attempt was given from being given again, because an object that may
   * refer to it is kept, such as a predicate of a subscription. The pools make as much anew when
   * the attempt ends.
   */
  public void keepTransients() {
    givesAway = true;
  }

  private void giveAway() {
    area().giveAway(epoch);
    if (events != null) {
      events.giveAway();
    }
    AllocationSites.giveAway(epoch);
  }

  /** Makes sure that the running attempt does not commit; returns the error that ends it. */
  public <E extends ReleaseError> E rollbackOnly(E error) {
    if (rollbackCause == null) {
      rollbackCause = error;
    }
    return error;
  }

  /** Returns why the running attempt cannot commit, or null. */
  public @Nullable ReleaseError rollbackOnly() {
    return rollbackCause;
  }

  /** Makes {@link #stop()} end the running release and all later ones; any thread. */
  public void requestStop() {
    stopRequested = true;
  }

  /** Makes {@link #stop()} end the present attempt, if its release still runs; any thread. */
  public boolean requestAbort(BooleanSupplier running) {
    long attempt = epoch;
    boolean meant = running.getAsBoolean();
    if (meant) {
      abortedEpoch = attempt;
    }
    return meant;
  }

  /** Takes {@link #requestStop} back; between releases. */
  public void forgetStop() {
    stopRequested = false;
  }

  /** Returns whether a thread runs a release with this memory; any thread. */
  public boolean isEntered() {
    return (boolean) ENTERED.getAcquire(this);
  }

  /**
   * Counts the stable objects that a task has at registration, and prepares for those that its
   * releases can make: room in the log, and the objects.
   *
   * @param graph the objects there are, which the stable memory has room for
   * @param classes the pooled classes of which releases make stable objects; each gets an equal
   *     part of the memory that is left, {@value #MAX_PREPARED_BYTES} bytes at most
   */
  public void occupy(StableGraph graph, List<Class<?>> classes) {
    stable.occupy(graph.sizeBytes());
    long rest = stableLimit - graph.sizeBytes();
    graph.reserve(this, classes, rest);
    for (Class<?> type : classes) {
      Integer slot = Pools.slotOf(type);
      if (slot != null) {
        StablePool pool = stable.pool(slot);
        pool.fill((int) (Math.min(rest / classes.size(), MAX_PREPARED_BYTES) / pool.sizeBytes));
      }
    }
  }

  /** Returns what the memory was used for; any thread. */
  public MemoryStats stats() {
    return figures.stats(transientLimit, stableLimit);
  }

  // ---- errors

  private TransientArea area() {
    TransientArea area = this.area;
    if (area == null) {
      throw new IllegalStateException("task " + task + " runs no release");
    }
    return area;
  }

  private Error transientExhausted(String what, int sizeBytes) {
    return rollbackOnly(
        new TransientMemoryExhausted(exhausted("transient", what, sizeBytes, transientUsed)));
  }

  private String exhausted(String which, String what, long asked, long used) {
    long limit = which.equals("stable") ? stableLimit : transientLimit;
    return ("task %s: %s memory exhausted: asked=%s bytes for %s, used=%s, limit=%s%s; "
            + "raise the task's %sSizeBytes, or make fewer objects")
        .formatted(task, which, asked, what, used, limit, CallerLocation.allocation(), which);
  }

  @Override
  Error logExhausted(int entries) {
    return rollbackOnly(
        new StableMemoryExhausted(
            ("task %s: the log of changes is full: entries=%s%s; do not catch "
                    + "StackOverflowError in a loop")
                .formatted(task, entries, CallerLocation.allocation())));
  }
}
