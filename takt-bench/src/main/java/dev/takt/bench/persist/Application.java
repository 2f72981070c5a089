package dev.takt.bench.persist;

import dev.takt.bench.measure.WovenPrograms;
import dev.takt.bench.programs.GraphTask;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.StableRoot;
import dev.takt.reflex.woven.TaskMemory;
import dev.takt.reflex.woven.TransientArea;
import dev.takt.space.EventPool;
import java.io.IOException;

/**
 * The application of Persistence 5.2 on a thread that can run releases: 51 nodes and the 1,275
 * connections between them, 1,326 objects.
 *
 * <p>It does for a release what the runtime does, without an event space.
 *
 * <p><b>Thread rule:</b> {@link #run} on a task's thread, all else before or after that.
 */
final class Application {
  static final int NODES = 51;

  private static final int RELEASES = GraphTask.CHANGES + NODES;
  private static final int TRANSIENT_BYTES = 1 << 16;

  private final TaskMemory memory;
  private final ReflexTask task;
  private final StoredGraph graph;
  private final TransientArea area;

  private Application(String name, StoredGraph graph, TransientArea area) {
    this.memory = new TaskMemory(name, TRANSIENT_BYTES, 1 << 24);
    this.task = graph.task();
    this.area = area;
    this.graph = graph;
  }

  /** Makes one with a barrier. */
  static Application woven(String name) throws ReflectiveOperationException, IOException {
    StoredGraph graph = StoredGraph.woven(GraphTask.class);
    return new Application(name, graph, WovenPrograms.area(graph.task(), TRANSIENT_BYTES));
  }

  StoredGraph graph() {
    return graph;
  }

  StableRoot root() {
    return new StableRoot("graph", task, memory.sinks);
  }

  /**
   * Runs releases until nothing is left of the graph.
   *
   * @param isStorable whether a cycle may begin between them
   * @return how many
   */
  int run(boolean isStorable) {
    memory.enter(area, new EventPool(1));
    try {
      for (int i = 0; i < RELEASES; i++) {
        if (isStorable) {
          memory.sinks.enter();
        }
        memory.begin();
        task.execute();
        memory.commit();
        if (isStorable) {
          memory.sinks.exit();
        }
      }
      if (graph.root() != null) {
        throw new IllegalStateException("the graph was not deleted");
      }
      return RELEASES;
    } finally {
      memory.exit();
    }
  }
}
