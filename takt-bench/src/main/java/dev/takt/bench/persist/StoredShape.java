package dev.takt.bench.persist;

import dev.takt.bench.programs.IntsTask;
import dev.takt.bench.programs.TreeTask;
import dev.takt.reflex.ReflexTask;
import java.io.IOException;

/** What is stored (Persistence 5.1). */
public enum StoredShape {
  /** A red-black tree of composite objects. */
  TREE("tree", TreeTask.class),
  /** An array of integers. */
  ARRAY("array", IntsTask.class);

  private final String word;
  private final Class<? extends ReflexTask> type;

  StoredShape(String word, Class<? extends ReflexTask> type) {
    this.word = word;
    this.type = type;
  }

  /** Returns the word in the names of results. */
  public String word() {
    return word;
  }

  /** Makes a graph of woven classes, which Takt stores. */
  StoredGraph woven() throws ReflectiveOperationException, IOException {
    return StoredGraph.woven(type);
  }

  /** Makes a graph of the same classes as they were compiled, which peers store. */
  StoredGraph plain() throws ReflectiveOperationException {
    return StoredGraph.plain(type);
  }
}
