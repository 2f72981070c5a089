package dev.takt.persist.cycle;

import dev.takt.persist.format.BlockBuffers;
import dev.takt.persist.format.Format;
import dev.takt.persist.graph.DeclaredClasses;
import dev.takt.reflex.StableRoot;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What cycles over the same roots need: it goes from each to the next one, so that in steady state
 * an increment allocates nothing.
 *
 * <p>Of an incremental cycle the next one goes on with the table of objects; see {@link Capture}
 * for what else. A full one after it begins with new memory, too.
 *
 * <p>A cycle that has failed, or was closed before it was done, keeps what it had: its writer or a
 * sink of it may still be in use. The next one begins with new memory.
 *
 * <p><b>Thread rule:</b> one cycle at a time.
 *
 * <p><b>Memory:</b> two buffers, some 8 KiB, and of each root of the last cycle the tables of its
 * objects and the log of its barrier ({@link ObjectTable}, {@link Capture}).
 */
public final class CycleMemory {
  /** No class that can be stored has more fields, since its record has to fit into a block. */
  private static final int MOST_FIELDS = Format.MIN_BLOCK_BYTES / Format.MAX_VARLONG;

  private final BlockBuffers buffers;
  private final Map<String, OfRoot> roots = new HashMap<>();
  private final ObjectNumbers numbers = new ObjectNumbers(this, ObjectNumbers.Lease.OF_ALL);

  /** The cycle that has used it last. */
  private @Nullable CycleRun user;

  /** The primitives of the object at hand, by the number of the field. */
  private final long[] bits = new long[MOST_FIELDS];

  /** Its references, by the number of the field; or those of a chunk. */
  private final @Nullable Object[] references =
      new Object[Math.max(MOST_FIELDS, Format.CHUNK_REFERENCES)];

  /**
   * Makes it.
   *
   * @param blockBytes the largest payload of a block
   */
  public CycleMemory(int blockBytes) {
    buffers = new BlockBuffers(blockBytes);
  }

  /** Returns the buffers. */
  public BlockBuffers buffers() {
    return buffers;
  }

  /** Another cycle begins to use it, with the tables as they are, or with empty ones. */
  void begin(CycleRun next, boolean incremental) {
    if (user != null) {
      user.leaveMemory();
    }
    user = next;
    buffers.reset();
    if (!incremental) {
      numbers.begin();
    }
  }

  /** Tells that the tables are empty, or not used any more: another memory may number objects. */
  public void end() {
    numbers.end();
  }

  /** Returns what there is for a root. */
  OfRoot of(String name) {
    return roots.computeIfAbsent(name, OfRoot::new);
  }

  /** Forgets all other roots. */
  void retain(List<StableRoot> kept) {
    if (!roots.isEmpty()) {
      Set<String> names = new HashSet<>();
      for (StableRoot each : kept) {
        names.add(each.name());
      }
      roots.keySet().retainAll(names);
    }
  }

  /** What the graph of one root needs. */
  final class OfRoot {
    final String name;
    final ObjectTable table = new ObjectTable(numbers);
    Capture capture = new Capture(table);

    /** The collections that guarded fields hold. */
    final ObjectTable guarded = new ObjectTable();

    /** That of the cycle before, if this one is incremental, or there was one: they take turns. */
    @Nullable Capture other;

    final Map<Class<?>, StoredClass> classes = new IdentityHashMap<>();
    final long[] bits = CycleMemory.this.bits;
    final @Nullable Object[] references = CycleMemory.this.references;
    private @Nullable DeclaredClasses declared;

    OfRoot(String name) {
      this.name = name;
    }

    /**
     * Gets ready for a cycle. After the one before all was {@linkplain GraphWriter#clear cleared};
     * or this is an incremental one, which goes on with the table, and whose sink takes over.
     */
    void prepare(
        DeclaredClasses declared,
        CycleRun.Limits limits,
        boolean incremental,
        @Nullable ObjectIds ids) {
      if (incremental) {
        Capture attached = capture;
        capture = other == null ? new Capture(table) : other;
        other = attached;
      }
      if (this.declared != declared) {
        this.declared = declared;
        classes.clear();
      }
      classes.values().forEach(StoredClass::reset);
      capture.prepare(limits.maxSavedBytes(), limits.tracks(), ids);
    }
  }
}
