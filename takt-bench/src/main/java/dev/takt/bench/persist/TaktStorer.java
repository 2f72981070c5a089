package dev.takt.bench.persist;

import dev.takt.persist.Cycle;
import dev.takt.persist.CycleState;
import dev.takt.persist.PersistSettings;
import dev.takt.persist.Persistence;
import dev.takt.persist.Recovery;
import dev.takt.persist.Scheme;
import dev.takt.reflex.StableRoot;
import dev.takt.reflex.woven.TaskMemory;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Takt without a runtime: nothing runs beside the cycle, which stops the world, as it were. */
final class TaktStorer implements Storer {
  private static final String NAME = "graph";

  /** An increment that nothing ends but that the buffers are full. */
  private static final long WITHOUT_END_NS = 3_600_000_000_000L;

  private final StoredShape shape;
  private final StoredGraph graph;
  private final Persistence persistence;
  private final List<StableRoot> roots;

  /** Makes one that stores in memory. */
  TaktStorer(StoredShape shape, int size, Scheme scheme) throws Exception {
    this(
        shape,
        size,
        Persistence.open(
            new MemoryStorage(), PersistSettings.DEFAULTS.withGenerations(1).withScheme(scheme)));
  }

  /** Makes one that stores elsewhere. */
  TaktStorer(StoredShape shape, int size, Persistence persistence) throws Exception {
    this.shape = shape;
    this.persistence = persistence;
    graph = shape.woven();
    graph.fill(size);
    roots = List.of(new StableRoot(NAME, graph.task(), new TaskMemory(NAME, 0, 0).sinks));
  }

  @Override
  public StoredGraph graph() {
    return graph;
  }

  @Override
  public long store() throws Exception {
    return store(WITHOUT_END_NS, 0);
  }

  /**
   * Stores all of the graph in increments.
   *
   * @param incrementNs how long one is to be
   * @param periodNs from the begin of one to that of the next; 0: no pause
   */
  long store(long incrementNs, long periodNs) throws Exception {
    long nextNs = System.nanoTime();
    try (Cycle cycle = persistence.begin(roots)) {
      CycleState state;
      do {
        state = cycle.step(System.nanoTime() + incrementNs);
        boolean isWritten;
        do {
          isWritten = cycle.write();
        } while (isWritten);
        nextNs += periodNs;
        if (periodNs > 0) {
          LockSupport.parkNanos(nextNs - System.nanoTime());
        }
      } while (state == CycleState.RUNNING || state == CycleState.WAITING);
      if (state == CycleState.FAILED) {
        throw new IllegalStateException(cycle.failure());
      }
      return cycle.stats().bytes();
    }
  }

  @Override
  public Object load() throws Exception {
    StoredGraph loaded = shape.woven();
    try (Recovery recovery = persistence.recover()) {
      if (!recovery.recover(NAME, loaded.task())) {
        throw new IllegalStateException("nothing is stored");
      }
    }
    return loaded.root();
  }

  @Override
  public void close() {}
}
