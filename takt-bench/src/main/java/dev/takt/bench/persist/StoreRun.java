package dev.takt.bench.persist;

import dev.takt.bench.measure.ChildRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Figs 3-6: how long it takes to store graphs of growing sizes, and to load them, by one program.
 *
 * <p>What is loaded is compared with what was stored, once for each graph. The median of rounds is
 * the figure; a round is one store and one load.
 *
 * @param program which program
 * @param sizes how many objects or elements
 * @param warmupMs how long rounds of the smallest size do not count, in milliseconds; of a larger
 *     one, a tenth of that, at least one round
 * @param measureMs for how long rounds count, in milliseconds; at least one does
 * @param rounds how many rounds count at most; the paper has 40
 */
public record StoreRun(
    StoreProgram program, List<Integer> sizes, int warmupMs, int measureMs, int rounds)
    implements ChildRun.Body<StoreRun.Stored> {
  private static final long MILLI_NS = 1_000_000;

  /**
   * One graph.
   *
   * @param shape what it is
   * @param size how many objects or elements
   * @param storeNs the median time of a store, in nanoseconds
   * @param loadNs the median time of a load, in nanoseconds
   * @param bytes what the stored graph takes
   * @param rounds how many rounds counted
   */
  public record Figure(
      StoredShape shape, int size, long storeNs, long loadNs, long bytes, int rounds) {}

  /** What was found. */
  public record Stored(List<Figure> figures) {}

  @Override
  public Stored run() throws Exception {
    List<Figure> figures = new ArrayList<>();
    for (StoredShape shape : StoredShape.values()) {
      int warmMs = warmupMs;
      for (int size : sizes) {
        try (Storer storer = program.open(shape, size)) {
          figures.add(measured(shape, size, storer, warmMs));
        }
        warmMs = warmupMs / 10;
      }
    }
    return new Stored(figures);
  }

  private Figure measured(StoredShape shape, int size, Storer storer, int warmMs) throws Exception {
    storer.prepare();
    long bytes = storer.store();
    long expected = storer.graph().checksum(storer.graph().root());
    long found = storer.graph().checksum(storer.load());
    if (found != expected) {
      throw new IllegalStateException(
          "%s of %s: checksum=%s after loading, expected: %s"
              .formatted(shape.word(), size, found, expected));
    }
    long warmEndNs = System.nanoTime() + warmMs * MILLI_NS;
    while (System.nanoTime() - warmEndNs < 0) {
      round(storer, new long[1], new long[1], 0);
    }
    long[] storeNs = new long[rounds];
    long[] loadNs = new long[rounds];
    int done = 0;
    long endNs = System.nanoTime() + measureMs * MILLI_NS;
    do {
      round(storer, storeNs, loadNs, done);
      done++;
    } while (done < rounds && System.nanoTime() - endNs < 0);
    return new Figure(shape, size, median(storeNs, done), median(loadNs, done), bytes, done);
  }

  private static void round(Storer storer, long[] storeNs, long[] loadNs, int at) throws Exception {
    storer.prepare();
    long startNs = System.nanoTime();
    storer.store();
    long storedNs = System.nanoTime();
    Object loaded = storer.load();
    loadNs[at] = System.nanoTime() - storedNs;
    storeNs[at] = storedNs - startNs;
    if (loaded == null) {
      throw new IllegalStateException("nothing was loaded");
    }
  }

  private static long median(long[] values, int count) {
    long[] sorted = Arrays.copyOf(values, count);
    Arrays.sort(sorted);
    return sorted[count / 2];
  }
}
