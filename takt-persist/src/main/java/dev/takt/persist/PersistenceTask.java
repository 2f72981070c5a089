package dev.takt.persist;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.SingleWriterCounters;
import dev.takt.realtime.counters.Counters;
import dev.takt.realtime.internal.Await;
import dev.takt.realtime.os.Sleeper;
import dev.takt.reflex.ReflexRuntime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The persistence task and its writer: cycles one after the other, in increments of a target pause
 * and a period, beside the tasks whose state they store (Persistence 3.2 and 3.3, Fig. 2).
 *
 * {@snippet :
 * try (PersistenceTask task =
 *     PersistenceTask.of(persistence, runtime, PersistenceTaskSettings.DEFAULTS)) {
 *   task.start();
 *   runtime.start();
 *   // ...
 *   task.request().join(); // a snapshot of what is now
 * }
 * }
 *
 * <p><b>Threads.</b> {@link #start} begins two: one for increments, which an {@link
 * dev.takt.realtime.Admission} admits as a periodic task with the target pause as its budget, and
 * one that begins cycles and writes, which alone waits for a disk. A program with a scheduler of
 * its own calls {@link #increment} and {@link #write} instead, each on one thread at a time.
 *
 * <p><b>The pause.</b> An increment ends before its target by what increments were too long of late
 * (the <em>reserve</em>), so that the last object does not make it longer. The CPU manager can
 * {@linkplain Cycle#preempt preempt} it between two objects. What it took is measured each time:
 * {@link #progress}.
 *
 * <p><b>Errors.</b> A cycle that fails is reported to {@link PersistenceTaskSettings#failures}, to
 * those who have asked for it, and counted; the next one begins when its time comes. Tasks go on,
 * snapshots that were there stay.
 *
 * <p><b>Thread rule:</b> any thread, but for {@link #increment} and {@link #write}.
 *
 * <p><b>Memory:</b> an increment allocates only what its cycle does.
 */
public final class PersistenceTask implements AutoCloseable {
  /** How long the writer sleeps at most while a cycle goes on; it is woken for each block. */
  private static final long LOOK_NS = 10_000_000;

  // Counted by the writer.
  private static final int CYCLES = 0;
  private static final int FAILURES = 1;
  private static final int GENERATION = 2;
  private static final int LAST_OBJECTS = 3;
  private static final int LAST_BYTES = 4;
  private static final int LAST_NS = 5;
  private static final int WRITE_COUNTS = 6;

  /** A cycle that goes on. */
  private static final class Going {
    final Cycle cycle;
    final List<CompletableFuture<CycleStats>> askers;
    final long beginNs;

    /** Whether no increment follows: the writer ends the cycle then. */
    volatile boolean isStepped;

    Going(Cycle cycle, List<CompletableFuture<CycleStats>> askers, long beginNs) {
      this.cycle = cycle;
      this.askers = askers;
      this.beginNs = beginNs;
    }
  }

  private final Supplier<Cycle> begin;
  private final Persistence persistence;
  private final BooleanSupplier mayBegin;
  private final BooleanSupplier hasRoots;
  private final Supplier<Class<?>> code;
  private final PersistenceTaskSettings settings;
  private final NanoClock clock;
  private final Sleeper writerSleeper;
  private final PersistenceCounters counters = new PersistenceCounters(this);
  private final IncrementTimes times;
  private final SingleWriterCounters writes = new SingleWriterCounters(WRITE_COUNTS);

  /** Held during an increment and by who closes; nobody waits for it but who closes. */
  private final ReentrantLock incrementing = new ReentrantLock();

  /** Held while the writer writes, in the same way. */
  private final ReentrantLock writing = new ReentrantLock();

  private volatile @Nullable Going going;
  private volatile CostModel model = CostModel.EMPTY;
  private volatile long objects;
  private volatile boolean closed;

  /** Why there are no increments any more; null: there are. */
  private volatile @Nullable String stopReason;

  // Guarded by this:
  private List<CompletableFuture<CycleStats>> asked = new ArrayList<>();
  private @Nullable Thread writer;

  private volatile @Nullable PersistenceThread thread;

  // Of the thread of the increments.
  private long blocks;

  // Of the writer.
  private long nextCycleNs;

  /** When the last cycle was begun; one that a journal wants comes some time after that. */
  private long wantedSinceNs;

  private PersistenceTask(
      Persistence persistence,
      Supplier<Cycle> begin,
      BooleanSupplier mayBegin,
      BooleanSupplier hasRoots,
      Supplier<Class<?>> code,
      PersistenceTaskSettings settings) {
    this.persistence = persistence;
    this.begin = Objects.requireNonNull(begin, "begin");
    this.mayBegin = mayBegin;
    this.hasRoots = hasRoots;
    this.code = code;
    this.clock = persistence.settings().clock();
    this.settings = Objects.requireNonNull(settings, "settings");
    this.times = new IncrementTimes(settings.targetPauseNs());
    this.writerSleeper = clock.newSleeper();
    this.nextCycleNs = clock.nanoTime() + settings.cyclePeriodNs();
    this.wantedSinceNs = clock.nanoTime();
  }

  /**
   * Makes the task that stores all tasks of a runtime.
   *
   * @param runtime its tasks of the moment when a cycle begins are stored; none begins while a root
   *     is {@linkplain Recovery#recoverLazily recovered lazily}, and by itself none while there is
   *     neither a task nor a plain root
   */
  public static PersistenceTask of(
      Persistence persistence, ReflexRuntime runtime, PersistenceTaskSettings settings) {
    return new PersistenceTask(
        persistence,
        () -> persistence.begin(runtime),
        () -> persistence.hasAllRoots(runtime),
        () -> persistence.hasRoots(runtime),
        () -> codeOf(runtime),
        settings);
  }

  /**
   * Makes the task of other cycles: of some tasks, for example.
   *
   * @param persistence whose cycles they are
   * @param begin begins a cycle; called on the writer's thread
   */
  public static PersistenceTask of(
      Persistence persistence, Supplier<Cycle> begin, PersistenceTaskSettings settings) {
    return new PersistenceTask(
        persistence, begin, () -> true, () -> true, () -> PersistenceTask.class, settings);
  }

  /** It works for the application: so the class that its code has counts. */
  private static Class<?> codeOf(ReflexRuntime runtime) {
    return runtime.tasks().stream()
        .<Class<?>>map(each -> each.stableRoot().object().getClass())
        .findFirst()
        .orElse(PersistenceTask.class);
  }

  /** Returns the settings. */
  public PersistenceTaskSettings settings() {
    return settings;
  }

  // ---- life

  /**
   * Asks for admission, and starts the threads.
   *
   * @throws IllegalStateException if it is not admitted, was started or is closed
   * @throws UncheckedIOException if another program writes to the storage
   */
  public synchronized void start() {
    if (closed || thread != null) {
      throw new IllegalStateException(
          "the persistence task was started or closed before; make another one");
    }
    persistence.hold();
    PersistenceThread started = PersistenceThread.admitted(this, code.get(), clock);
    Thread writer = new WriterThread();
    thread = started;
    this.writer = writer;
    nextCycleNs = clock.nanoTime() + settings.cyclePeriodNs();
    writer.start();
    started.start();
    if (settings.counters()) {
      Counters.ofThisJvm().add(counters);
    }
  }

  /** Writes until the task is closed. */
  private final class WriterThread extends Thread {
    WriterThread() {
      super("takt-persist-writer");
      setDaemon(true);
    }

    @Override
    public void run() {
      while (!closed) {
        if (!write()) {
          writerSleeper.sleepUntil(clock.nanoTime() + restNs());
        }
      }
      end();
    }
  }

  private long restNs() {
    return going != null || settings.cyclePeriodNs() == 0 || !mayBegin.getAsBoolean()
        ? LOOK_NS
        : Math.min(LOOK_NS, nextCycleNs - clock.nanoTime());
  }

  /**
   * Ends both threads, and the cycle that goes on: it leaves no snapshot. Waits for an increment
   * and a write that run. Who called {@link #increment} or {@link #write} may go on to: they do
   * nothing any more.
   *
   * <p>On one of its own threads, which is where it tells of failures and completes what was asked
   * for, it waits for nothing: the writer's thread ends all that when the caller has returned.
   */
  @Override
  public void close() {
    closed = true;
    PersistenceThread ending;
    Thread writer;
    synchronized (this) {
      ending = thread;
      writer = this.writer;
    }
    if (ending != null && writer != null) {
      ending.end();
      writerSleeper.wake();
      Thread caller = Thread.currentThread();
      if (caller == ending || caller == writer) {
        return; // it cannot wait for itself, nor each of both for the other one
      }
      Await.uninterruptibly(ending::join);
      Await.uninterruptibly(writer::join);
    }
    end();
  }

  /** Ends what there is when it is closed; once more changes nothing. */
  private void end() {
    Counters.ofThisJvm().remove(counters);
    incrementing.lock();
    writing.lock();
    try {
      Going last = going;
      going = null;
      if (last != null) {
        last.cycle.close();
        last.askers.forEach(each -> each.completeExceptionally(cancelled()));
      }
      takeAsked().forEach(each -> each.completeExceptionally(cancelled()));
      persistence.stopTracking();
    } finally {
      writing.unlock();
      incrementing.unlock();
    }
  }

  private static CancellationException cancelled() {
    return new CancellationException("the persistence task was closed");
  }

  /** Called when the thread of the increments ends: a cycle that goes on cannot end any more. */
  void incrementsEnded(@Nullable String why) {
    stopReason = why == null ? "its thread has ended" : why;
    Going last = going;
    if (last != null) {
      last.isStepped = true;
    }
    writerSleeper.wake();
  }

  // ---- cycles

  /**
   * Asks for a cycle that begins after this call, as soon as the one that goes on is over.
   *
   * <p>It stays open for as long as no cycle may begin: until the task is started, or {@link
   * #write} called, and while a root is {@linkplain Recovery#recoverLazily recovered lazily}.
   *
   * @return completed with what it has cost, when its snapshot is safe, or with why it has failed;
   *     on the writer's thread, which must not wait there for another cycle
   */
  public CompletableFuture<CycleStats> request() {
    CompletableFuture<CycleStats> answer = new CompletableFuture<>();
    synchronized (this) {
      if (!closed) {
        asked.add(answer);
      }
    }
    if (closed) {
      answer.completeExceptionally(cancelled()); // which is more than once at most
    }
    writerSleeper.wake();
    return answer;
  }

  private synchronized List<CompletableFuture<CycleStats>> takeAsked() {
    List<CompletableFuture<CycleStats>> taken = asked;
    if (!taken.isEmpty()) {
      asked = new ArrayList<>();
    }
    return taken;
  }

  /** Returns whether an increment has something to do. */
  boolean hasWork() {
    Going present = going;
    return present != null && !present.isStepped;
  }

  /** Makes the increment that runs end at the next object. */
  void preempt() {
    Going present = going;
    if (present != null) {
      present.cycle.preempt();
    }
  }

  /**
   * Does one increment, if a cycle goes on. Never waits.
   *
   * @return whether one did
   */
  public boolean increment() {
    if (!incrementing.tryLock()) {
      return false;
    }
    try {
      Going present = going;
      if (present == null || present.isStepped || closed) {
        return false;
      }
      increment(present);
      return true;
    } finally {
      incrementing.unlock();
    }
  }

  private void increment(Going present) {
    Cycle cycle = present.cycle;
    long beginNs = clock.nanoTime();
    long endNs = times.endNs(beginNs);
    CycleState state = cycle.step(endNs);
    boolean isOver = state == CycleState.DONE || state == CycleState.FAILED;
    if (isOver) {
      present.isStepped = true;
    }
    objects = cycle.objects();
    if (isOver || cycle.blocks() != blocks) {
      blocks = isOver ? 0 : cycle.blocks();
      writerSleeper.wake();
    }
    times.measure(beginNs, endNs, clock.nanoTime());
  }

  /**
   * Does a piece of the writer's work: begins a cycle when it is time, writes a block, makes a
   * snapshot safe. Waits for the storage and for nothing else; what fails is reported, not thrown.
   *
   * @return whether there was something to do
   */
  public boolean write() {
    if (!writing.tryLock()) {
      return false;
    }
    try {
      Going present = going;
      return !closed && (present == null ? beginIfDue() : write(present));
    } finally {
      writing.unlock();
    }
  }

  private boolean beginIfDue() {
    long nowNs = clock.nanoTime();
    long wantedNs = persistence.wantedAfterNs();
    boolean isTime =
        settings.cyclePeriodNs() != 0 && nowNs - nextCycleNs >= 0
            || wantedNs >= 0 && nowNs - wantedSinceNs >= wantedNs;
    String stopped = stopReason;
    if (stopped == null && !mayBegin.getAsBoolean()) {
      return false;
    }
    List<CompletableFuture<CycleStats>> askers = takeAsked();
    if (stopped != null) {
      IllegalStateException why =
          new IllegalStateException("the persistence task was stopped: " + stopped);
      askers.forEach(each -> each.completeExceptionally(why));
      return false;
    }
    if (!isTime && askers.isEmpty()) {
      return false;
    }
    nextCycleNs = nowNs + settings.cyclePeriodNs();
    wantedSinceNs = nowNs;
    if (askers.isEmpty() && !hasRoots.getAsBoolean()) {
      return false; // the next time there may be something to store
    }
    try {
      Cycle cycle = Objects.requireNonNull(begin.get(), "what begins cycles has begun none");
      Going begun = new Going(cycle, askers, nowNs);
      going = begun;
      if (stopReason != null) { // meanwhile: who stopped it may not have seen this cycle
        begun.isStepped = true;
      }
    } catch (RuntimeException | Error e) { // a class that cannot be initialized, for example
      failed(e, askers);
      return true;
    }
    PersistenceThread thread = this.thread;
    if (thread != null) {
      thread.wake();
    }
    return true;
  }

  private boolean write(Going present) {
    boolean isLast = present.isStepped; // asked before the write, which then is the last one
    boolean written = false;
    try {
      written = present.cycle.write();
    } catch (IOException | RuntimeException | Error e) {
      written = true; // the next increment ends the cycle, and its failure tells why
    }
    if (isLast) {
      ended(present);
    }
    return isLast || written;
  }

  private void ended(Going last) {
    CycleStats stats = null;
    Throwable failure;
    try {
      last.cycle.close(); // where increments have ended before the cycle has
      failure = last.cycle.failure();
      if (failure == null) {
        stats = last.cycle.stats();
        count(stats, clock.nanoTime() - last.beginNs);
      }
    } catch (RuntimeException | Error e) {
      failure = e;
    } finally {
      going = null;
    }
    if (stats != null && failure == null) {
      CycleStats complete = stats;
      last.askers.forEach(each -> each.complete(complete));
      return;
    }
    String stopped = stopReason;
    failed(
        stopped == null
            ? Objects.requireNonNull(failure)
            : new IllegalStateException("the persistence task was stopped: " + stopped, failure),
        last.askers);
  }

  private void count(CycleStats stats, long tookNs) {
    model = model.with(stats, tookNs, settings, times.maxOverNs());
    writes.set(GENERATION, stats.generation());
    writes.set(LAST_OBJECTS, stats.objects());
    writes.set(LAST_BYTES, stats.bytes());
    writes.set(LAST_NS, tookNs);
    writes.add(CYCLES, 1);
  }

  /** Returns what its cycles cost, as it has learned from the last ones. */
  public CostModel costModel() {
    return model;
  }

  private void failed(Throwable failure, List<CompletableFuture<CycleStats>> askers) {
    writes.add(FAILURES, 1);
    try {
      settings.failures().accept(failure);
    } catch (RuntimeException | Error e) { // who is told of failures must not end the writer
      if (e != failure) {
        failure.addSuppressed(e);
      }
    }
    askers.forEach(each -> each.completeExceptionally(failure));
  }

  /**
   * How far it is, and what it has cost.
   *
   * @param cycles how many cycles have left a snapshot
   * @param failures how many have failed
   * @param generation the snapshot that was made last; 0: none
   * @param isCycling whether a cycle goes on
   * @param objects how many objects were found so far by the cycle that goes on, or by the last one
   * @param lastObjects how many objects the last snapshot has
   * @param lastBytes how long it is
   * @param lastCycleNs from the begin of its cycle until it was safe, in nanoseconds
   * @param increments how many increments there were
   * @param overTarget how many of them took longer than the target pause
   * @param maxPauseNs the longest one, in nanoseconds
   * @param lastPauseNs the last one
   */
  public record Progress(
      long cycles,
      long failures,
      long generation,
      boolean isCycling,
      long objects,
      long lastObjects,
      long lastBytes,
      long lastCycleNs,
      long increments,
      long overTarget,
      long maxPauseNs,
      long lastPauseNs) {}

  /** Returns how far it is; each value for itself is of this moment. */
  public Progress progress() {
    return new Progress(
        writes.get(CYCLES),
        writes.get(FAILURES),
        writes.get(GENERATION),
        going != null,
        objects,
        writes.get(LAST_OBJECTS),
        writes.get(LAST_BYTES),
        writes.get(LAST_NS),
        times.count(),
        times.overTarget(),
        times.maxPauseNs(),
        times.lastPauseNs());
  }

  /** Returns the state, for people. */
  String state() {
    return stopReason != null ? "stopped" : going != null ? "cycle" : "idle";
  }

  /** Returns the thread of the increments; null: none was started. */
  @Nullable PersistenceThread thread() {
    return thread;
  }
}
