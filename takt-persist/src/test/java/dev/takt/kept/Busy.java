package dev.takt.kept;

import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.stable.StableArray;

/** A task whose releases change all that it has. */
public final class Busy extends ReflexTask {
  private static final int NODES = 64;

  private final StableArray<Node> nodes = new StableArray<>(NODES);
  private final long[] sums = new long[1_000];
  private int releases;

  // Not the task's own.
  private final AllocationMeter meter;

  /**
   * Makes it.
   *
   * @param meter what its releases allocate
   */
  public Busy(AllocationMeter meter) {
    super(1 << 14, 1 << 20);
    this.meter = meter;
    for (int i = 0; i < NODES; i++) {
      nodes.set(i, new Node());
    }
  }

  @Override
  public void execute() {
    releases++;
    for (int i = 0; i < NODES; i++) {
      Node node = nodes.get(i);
      node.count(releases);
      node.left(nodes.get(releases + i & NODES - 1));
      sums[i] += releases;
    }
    nodes.set(releases & NODES - 1, nodes.get(releases + 1 & NODES - 1));
    meter.tick();
  }
}
