package dev.takt.persist;

import dev.takt.reflex.StableRoot;
import dev.takt.reflex.woven.PlainGate;
import dev.takt.reflex.woven.Undoable;
import dev.takt.reflex.woven.Woven;
import dev.takt.space.Stable;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The roots of plain objects by name. In a snapshot they are one graph, so that what several of
 * them lead to stays one object:
 *
 * <pre>
 *   Object[1] -- Object[2 n]: name, root, name, root, ...
 * </pre>
 *
 * <p><b>Thread rule:</b> any thread.
 */
final class PlainRoots {
  /** The name of the graph among those of tasks. */
  static final String NAME = "(roots)";

  /** Guarded by this. */
  private final Map<String, Object> byName = new TreeMap<>();

  private final PlainGate gate = new PlainGate();

  /** The same one as long as the roots are, as incremental cycles need it. */
  private @Nullable StableRoot graph;

  synchronized void put(String name, Object root) {
    if (root instanceof Stable || !(root instanceof Undoable)) {
      throw new IllegalArgumentException(
          ("root %s is of %s, which is not a woven persistent class; annotate it with @Persistent,"
                  + " and %s")
              .formatted(name, root.getClass(), Woven.REMEDY));
    }
    if (byName.put(name, root) != root) {
      graph = null;
    }
  }

  synchronized void remove(String name) {
    byName.remove(name);
    graph = null;
  }

  /** Returns the graph as a root; null: there is none. */
  synchronized @Nullable StableRoot graph() {
    if (byName.isEmpty() || graph != null) {
      return graph;
    }
    Object[] entries = new Object[2 * byName.size()];
    int at = 0;
    for (Map.Entry<String, Object> each : byName.entrySet()) {
      entries[at++] = each.getKey();
      entries[at++] = each.getValue();
    }
    graph = new StableRoot(NAME, new Object[] {entries}, gate);
    return graph;
  }

  /** Returns the roots of a graph that was read into an array of one element. */
  static Map<String, Object> of(@Nullable Object[] graph) {
    Map<String, Object> roots = new TreeMap<>();
    if (graph[0] instanceof Object[] entries && (entries.length & 1) == 0) {
      for (int i = 0; i < entries.length; i += 2) {
        Object root = entries[i + 1];
        if (!(entries[i] instanceof String name) || root == null) {
          throw new IllegalArgumentException("entry " + i + " is not a root with its name");
        }
        roots.put(name, root);
      }
      return roots;
    }
    throw new IllegalArgumentException("the graph of roots is no list of names and objects");
  }
}
