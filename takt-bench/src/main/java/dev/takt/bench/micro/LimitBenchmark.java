package dev.takt.bench.micro;

import dev.takt.space.SpaceSettings;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What the bare slab needs for one write and one take; as many slots as the space of {@link
 * PairBenchmark} has.
 */
@State(Scope.Thread)
public class LimitBenchmark {
  private final BareSlab slab =
      new BareSlab(Integer.highestOneBit(SpaceSettings.DEFAULTS.capacity()));
  private final long[] event = {7, 0, 1, 2, 3, 4, 5, 6};
  private final long[] out = new long[BareSlab.WORDS];
  private long id;

  /** Counts the allocation. */
  @TearDown
  public void count() throws Exception {
    Allocation.record(this::limit, 1_000);
  }

  /** One batch. */
  @Benchmark
  public long[] limit() {
    for (int i = 0; i < JmhBatch.SIZE; i++) {
      long mine = ++id;
      event[1] = mine;
      slab.write(event);
      if (!slab.take(7, mine, out)) {
        throw new IllegalStateException("the slab has lost event " + mine);
      }
    }
    return out;
  }
}
