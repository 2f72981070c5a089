package dev.takt.bench.memory;

import dev.takt.bench.measure.WovenPrograms;
import dev.takt.bench.micro.Allocation;
import dev.takt.bench.programs.NewTask;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.woven.TaskMemory;
import dev.takt.reflex.woven.TransientArea;
import dev.takt.space.EventPool;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The end of a release that has made some objects, and the beginning of the next one. (Each pool
 * finds out by itself that it is free again, at its next use: that is part of a pooled {@code
 * new}.)
 *
 * <p>All but the number of objects is the same: each release comes after one of 100,000 objects;
 * when it has made all its objects but one, the caches are filled with something else; then it
 * makes the last one, and so has what it works with at hand, and its objects not.
 */
@State(Scope.Thread)
public class ReclaimBenchmark {
  /** How many ends of releases are timed together. */
  public static final int TASKS = 16;

  private static final int SIZE_BYTES = 1 << 28;
  private static final int MOST = 100_000;

  /** After so many batches the code is compiled; the setup of a batch takes too long for that. */
  private static final int COMPILED = 20_000;

  private static final int LINE_BYTES = 64;

  /** More than the largest cache holds. */
  private static final int CACHES_BYTES = 64 << 20;

  /** Caches keep what is used again, and may let pass what is not. */
  private static final int CACHES_PASSES = 3;

  /** An odd number of lines: all are touched, in an order that no prefetcher expects. */
  private static final int CACHES_STEP = 40_503 * LINE_BYTES / Long.BYTES;

  /** How many objects each release has made. */
  @Param({"1", "100000"})
  public int objects;

  private final TaskMemory[] memories = new TaskMemory[TASKS];
  private final TransientArea[] areas = new TransientArea[TASKS];
  private final EventPool events = new EventPool(1);
  private final long[] other = new long[CACHES_BYTES / Long.BYTES];
  private ReflexTask most;
  private ReflexTask many;
  private ReflexTask last;

  /** Makes the tasks. */
  @Setup
  public void open() throws ReflectiveOperationException, IOException {
    Class<?> type = WovenPrograms.woven(NewTask.class);
    most = (ReflexTask) type.getConstructor(int.class).newInstance(MOST);
    many = (ReflexTask) type.getConstructor(int.class).newInstance(objects - 1);
    last = (ReflexTask) type.getConstructor(int.class).newInstance(1);
    for (int i = 0; i < TASKS; i++) {
      memories[i] = new TaskMemory("benchmark", SIZE_BYTES, SIZE_BYTES);
      areas[i] = new TransientArea();
      runMost(i);
      memories[i].exit();
    }
    for (int i = 0; i < COMPILED; i++) {
      reclaim();
    }
  }

  private void runMost(int task) {
    memories[task].enter(areas[task], events);
    memories[task].begin();
    most.execute();
    memories[task].commit();
  }

  /** Runs a release for each task up to its end, after a large one, as described above. */
  @Setup(Level.Invocation)
  public void use() {
    for (int i = 0; i < TASKS; i++) {
      runMost(i);
      memories[i].begin();
      if (objects > 1) {
        many.execute();
      }
      memories[i].exit();
    }
    fillCaches();
    for (int i = 0; i < TASKS; i++) {
      memories[i].enter(areas[i], events);
      last.execute();
      memories[i].exit();
    }
  }

  private void fillCaches() {
    int at = 0;
    for (int i = 0; i < CACHES_PASSES * (CACHES_BYTES / LINE_BYTES); i++) {
      other[at]++;
      at = (at + CACHES_STEP) & (other.length - 1);
    }
  }

  /** Counts the allocation, of reclaiming what is reclaimed already. */
  @TearDown
  public void count() throws Exception {
    Allocation.record(this::reclaim, 100);
  }

  /** One batch. */
  @Benchmark
  public Object reclaim() {
    for (int i = 0; i < TASKS; i++) {
      TaskMemory memory = memories[i];
      memory.commit();
      memory.begin();
    }
    return memories;
  }
}
