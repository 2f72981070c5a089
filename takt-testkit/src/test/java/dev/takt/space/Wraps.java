package dev.takt.space;

import java.util.SplittableRandom;

/** Spaces whose counters are about to begin again from 0, or look as if they had run for long. */
public final class Wraps {
  private static final int SOON = 300;
  private static final int[] POSITIONS = {31, 32, 63};
  private static final int[] GENERATIONS = {31, 32, EventSlots.GEN_BITS};
  private static final int[] EPOCHS = {32, EventSlots.OWNER_SHIFT - 1, EventSlots.OWNER_SHIFT};
  private static final int[] STAMPS = {31, 32, 63};

  private Wraps() {}

  /** Makes a space each of whose counters passes one of its ends soon. */
  public static EventSpace space(SpaceSettings settings, SplittableRandom random) {
    InitialCounters start =
        new InitialCounters(
            before(POSITIONS, random),
            before(GENERATIONS, random),
            before(EPOCHS, random),
            before(STAMPS, random),
            random.nextLong());
    return new EventSpace(settings, start);
  }

  private static long before(int[] ends, SplittableRandom random) {
    return (1L << ends[random.nextInt(ends.length)]) - random.nextInt(SOON);
  }

  /**
   * Lets every list look as if many events had come and gone behind those that it has now. Nobody
   * may work on the space meanwhile.
   */
  public static void age(EventSpace space, long appends) {
    for (Index index : space.table.indexes) {
      for (int slot = 0; slot < space.slots.count; slot++) {
        int node = Index.node(slot);
        if (Index.isEnd(index.nodes[node + Index.NEXT])) {
          index.nodes[node + Index.POSITION] += appends;
        }
      }
    }
  }
}
