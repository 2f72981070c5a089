package dev.takt.persist;

import dev.takt.persist.cycle.CycleMemory;
import dev.takt.persist.cycle.CycleRun;
import dev.takt.persist.format.BlockWriter;
import dev.takt.persist.journal.ImageLog;
import dev.takt.persist.journal.Journal;
import dev.takt.persist.store.Generations;
import dev.takt.persist.store.Storage;
import dev.takt.realtime.NanoClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One persistence cycle: from the moment whose state is stored to the safe snapshot.
 *
 * <p>The <em>persistence task</em> calls {@link #step} again and again, each time with the time at
 * which the increment is to end. The <em>writer task</em> calls {@link #write}, which alone waits
 * for a disk. Both may be one thread; {@link #run} does all in the calling one.
 *
 * {@snippet :
 * try (Cycle cycle = persistence.begin(runtime)) {
 *   while (cycle.step(clock.nanoTime() + 500_000) == CycleState.RUNNING) {
 *     cycle.write();
 *   }
 * }
 * }
 *
 * <p><b>Errors.</b> What ends a cycle before its time is told by {@link #failure}; tasks are never
 * harmed by it, nor are the snapshots that were there.
 *
 * <p><b>Thread rule:</b> one thread at a time calls {@link #step} and {@link #close}, one {@link
 * #write}; close when neither of the others runs. All else: any thread.
 */
public final class Cycle implements AutoCloseable {
  /** For how long {@link #run} waits when there is nothing to do. */
  private static final long LOOK_NS = 50_000;

  /** How much time is to be between two looks at the clock, which takes a hundredth of that. */
  private static final long PIECES_NS = 2_500;

  /** Where more than that is left for each piece of work, several are done between two looks. */
  private static final long PLENTY_NS = 200_000;

  /** How many at most. */
  private static final int MOST_UNLOOKED = 16;

  private final CycleRun run;
  private final CycleMemory memory;
  private final Generations generations;
  private final NanoClock clock;
  private final Consumer<Cycle> whenOver;

  /** What the journal has of tasks, which the snapshot must not be ahead of; null: no journal. */
  private final @Nullable ImageLog images;

  /** The id of that journal; 0: there is none. */
  private final int journal;

  /** The generation that it writes the changes of; 0: it is full. */
  private final long base;

  private volatile @Nullable Throwable failure;
  private volatile boolean safe;
  private volatile long increments;
  private volatile long maxIncrementNs;
  private volatile long totalNs;
  private volatile boolean preempted;
  private volatile boolean over;

  /** How many pieces of work are done between two looks; few in code that is not compiled yet. */
  private int pieces = 1;

  private long lookedNs;

  /** How many pieces of work come from one look to the next, and how many of them are left. */
  private int unlooked = 1;

  private int unlookedLeft = 1;

  // ---- of the writer
  private Storage.@Nullable Output output;
  private boolean begun;
  private @Nullable BlockWriter writer;
  private volatile long generation;
  private volatile long bytes;

  Cycle(
      CycleRun run,
      CycleMemory memory,
      Generations generations,
      NanoClock clock,
      long base,
      @Nullable Journal journal,
      Consumer<Cycle> whenOver) {
    this.images = journal == null ? null : journal.images();
    this.journal = journal == null ? 0 : journal.id();
    this.run = run;
    this.base = base;
    this.memory = memory;
    this.generations = generations;
    this.clock = clock;
    this.whenOver = whenOver;
  }

  /**
   * Runs an increment: works until a time, at least on one object. An increment ends later than
   * that by {@value CycleRun#PIECES} objects at most, or four chunks of 4,096 bytes, or one of 128
   * references; by one object where objects take long, because their code is not compiled yet, for
   * example. The longer there is until that time, the less often it looks at the clock.
   *
   * @param endNs when it is to end, by the clock of the settings
   * @return what there is to do next
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread updates these
  public CycleState step(long endNs) {
    long startNs = clock.nanoTime();
    lookedNs = startNs;
    unlooked = 1;
    unlookedLeft = 1;
    CycleState state = work(endNs);
    long tookNs = clock.nanoTime() - startNs;
    increments++;
    totalNs += tookNs;
    maxIncrementNs = Math.max(maxIncrementNs, tookNs);
    return state;
  }

  private CycleState work(long endNs) {
    try {
      do {
        if (failure != null) {
          run.cut();
        }
        CycleRun.State state = run.work(pieces);
        if (state == CycleRun.State.DONE) {
          return ended();
        }
        if (state == CycleRun.State.WAITING) {
          return CycleState.WAITING;
        }
      } while (!isOver(endNs) && !preempted);
      preempted = false;
      return CycleState.RUNNING;
    } catch (RuntimeException | Error e) { // a full heap, a class that cannot be initialized
      failure = e;
      run.cut();
      return CycleState.RUNNING;
    }
  }

  /** Returns whether an increment is over; does not look where that would be long after. */
  private boolean isOver(long endNs) {
    unlookedLeft--;
    if (unlookedLeft > 0) {
      return false;
    }
    long leftNs = endNs - look();
    unlooked = (int) Math.max(1, Math.min(leftNs / PLENTY_NS, MOST_UNLOOKED));
    unlookedLeft = unlooked;
    return leftNs <= 0;
  }

  /** Returns the time, and sees to it that the next look comes neither late nor early. */
  private long look() {
    long nowNs = clock.nanoTime();
    long tookNs = nowNs - lookedNs;
    lookedNs = nowNs;
    if (tookNs > PIECES_NS * unlooked) {
      pieces = Math.max(1, pieces / 2);
    } else if (tookNs < PIECES_NS / 2 * unlooked) {
      pieces = Math.min(CycleRun.PIECES, 2 * pieces);
    }
    return nowNs;
  }

  private CycleState ended() {
    if (failure == null && !safe) {
      return CycleState.WAITING;
    }
    if (failure != null && run.isTracking()) {
      return CycleState.RUNNING; // the next increment ends that
    }
    leave();
    return failure == null ? CycleState.DONE : CycleState.FAILED;
  }

  private void leave() {
    if (!over) {
      over = true;
      whenOver.accept(this);
    }
  }

  /**
   * Writes what is ready, and makes the snapshot safe when it is complete.
   *
   * @return whether there was something to write
   * @throws IOException if the storage fails, and so the cycle
   */
  public boolean write() throws IOException {
    if (safe) {
      return false;
    }
    if (failure != null) {
      discard();
      return false;
    }
    try {
      BlockWriter writer = this.writer;
      if (writer == null) {
        long next = generations.begin();
        begun = true;
        output = generations.create(next);
        writer = new BlockWriter(memory.buffers(), output, next, run.version(), journal);
        this.writer = writer;
        generation = next;
      }
      boolean written = writer.write();
      bytes = writer.bytes();
      if (writer.hasEnded() && output != null) {
        if (images != null) {
          images.force(base == 0 ? run.revisions() : null);
        }
        generations.finish(generation, base, output, images != null && images.hasFailed());
        output = null; // it is safe, whatever comes now
        begun = false;
        if (images != null && base == 0) {
          if (images.knowsNoSnapshot()) {
            SnapshotChain.tellOlder(generations, generation, images);
          }
          images.stored(run.revisions());
        }
        safe = true;
      }
      return written;
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
      discard();
      throw e;
    }
  }

  /** Gives up what was begun; another error while doing so changes nothing. */
  private void discard() {
    Storage.Output output = this.output;
    this.output = null;
    if (begun) {
      begun = false;
      try {
        generations.discard(output);
      } catch (IOException | RuntimeException e) {
        Throwable cause = failure;
        if (cause != null && cause != e) {
          cause.addSuppressed(e);
        }
      }
    }
  }

  /**
   * Does all that is left, in increments without a pause between, on the calling thread. A cycle
   * that fails is closed.
   *
   * @return what it has cost
   * @throws IOException if the storage fails
   * @throws IllegalStateException if the cycle fails
   */
  public CycleStats run() throws IOException {
    boolean isDone = false;
    try {
      CycleState state = step(clock.nanoTime());
      while (state == CycleState.RUNNING || state == CycleState.WAITING) {
        boolean written = write();
        if (!written && state == CycleState.WAITING && !safe) {
          clock.parkNanos(LOOK_NS);
        }
        state = step(clock.nanoTime() + LOOK_NS);
      }
      isDone = state == CycleState.DONE;
    } finally {
      if (!isDone) {
        close();
      }
    }
    Throwable why = failure;
    if (why != null) {
      throw new IllegalStateException("the persistence cycle has failed: " + why, why);
    }
    return stats();
  }

  /**
   * Makes the increment that runs end before its time, between two objects; if none runs, the next
   * one. Any thread.
   */
  public void preempt() {
    preempted = true;
  }

  /** Returns what makes it, when it is over and its snapshot is safe; else null. */
  @Nullable CycleRun safeRun() {
    return safe ? run : null;
  }

  /** Returns the memory, for the next cycle to use or to go on with. */
  CycleMemory memory() {
    return memory;
  }

  /** Returns the snapshot that it makes; 0: none was begun. */
  long generation() {
    return generation;
  }

  /** Returns how long its file is so far. */
  long bytes() {
    return bytes;
  }

  /** Returns how many objects were found so far; for the thread of the increments. */
  long objects() {
    return run.objects();
  }

  /** Returns how many blocks were handed to the writer; for the thread of the increments. */
  long blocks() {
    return run.blocks();
  }

  /** Returns whether the moment has passed whose state is stored. */
  public boolean hasBegun() {
    return run.hasBegun();
  }

  /** Returns why the cycle has failed, or null. */
  public @Nullable Throwable failure() {
    return failure;
  }

  /** Returns what it has cost; complete when it is over. */
  public CycleStats stats() {
    boolean isOver = over;
    return new CycleStats(
        safe ? generation : 0,
        base,
        run.objects(),
        bytes,
        increments,
        maxIncrementNs,
        totalNs,
        isOver ? run.barrierCalls() : 0,
        isOver ? run.barrierSaves() : 0,
        isOver ? run.extraObjects() : 0,
        isOver ? run.barrierGrowths() : 0,
        isOver ? classes() : List.of());
  }

  private List<CycleStats.OfClass> classes() {
    List<CycleStats.OfClass> all = new ArrayList<>();
    run.classes((name, objects, bytes) -> all.add(new CycleStats.OfClass(name, objects, bytes)));
    return List.copyOf(all);
  }

  /**
   * Ends the cycle: one that is not done leaves no snapshot. Waits for no task; the storage deletes
   * what was written so far.
   */
  @Override
  public void close() {
    if (!over) {
      if (!safe && failure == null) {
        failure = new CancellationException("the cycle was closed before it was done");
      }
      run.cut();
      discard();
      leave();
    }
  }
}
