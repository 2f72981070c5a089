package dev.takt.kept;

import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.stable.StableList;
import dev.takt.reflex.stable.StableMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A task whose memory is a function of a seed and the number of steps that its releases have done:
 * so what was stored of it can be compared with what it must have been, whenever that was.
 */
public class Grower extends ReflexTask {
  /** How many nodes it makes at most. */
  public static final int MAX_NODES = 600;

  private static final Pair PAIR = new Pair(1, 2.5, "first", new Pair(2, 3.5, "second", null));

  private final long seed;
  private long step;
  private int made;
  private Node last;
  private final StableList<Node> nodes = new StableList<>(MAX_NODES);
  private final StableMap<Node> byNumber = new StableMap<>(100);
  private final long[] sums = new long[3_000];
  private final byte[] bytes = new byte[10_000];

  // Not the task's own: neither undone nor stored.
  private final AtomicLong limit;
  private final AtomicLong attempts = new AtomicLong();

  /**
   * Makes it with one node.
   *
   * @param limit how many steps releases may have done, in all
   */
  public Grower(long seed, AtomicLong limit) {
    super(1 << 16, 1 << 24);
    this.seed = seed;
    this.limit = limit;
    Node first = new Node();
    first.pair(PAIR);
    nodes.add(first);
  }

  @Override
  public void execute() {
    if (step >= limit.get()) {
      return;
    }
    boolean aborts = (attempts.incrementAndGet() & 3) == 3;
    change();
    if (aborts) {
      abort();
    }
  }

  /** Does a step: what a release does that commits. */
  public void change() {
    step = step + 1;
    long random = mix(seed + step);
    int changes = (int) (random & 3) + 1;
    for (int i = 0; i < changes; i++) {
      random = mix(random);
      change(random);
    }
  }

  private void change(long random) {
    Node node = nodes.get((int) ((random >>> 40) % nodes.size()));
    switch ((int) (random >>> 32) & 15) {
      case 0 -> sums[(int) ((random >>> 8 & 0xffff) % sums.length)] = random;
      case 1 -> bytes[(int) ((random >>> 8 & 0xffff) % bytes.length)] = (byte) random;
      case 2 -> byNumber.put(random >>> 8 & 63, node);
      case 3 -> byNumber.remove(random >>> 8 & 63);
      case 4 -> last = node;
      case 5, 6, 7, 8 -> make(random);
      case 9 -> nodes.set((int) ((random >>> 8 & 0xffff) % nodes.size()), node);
      default -> node.change(random >>> 4, last);
    }
  }

  private void make(long random) {
    if (made < MAX_NODES - 1) {
      made++;
      Node node = (random & 1) == 0 ? new Node() : new SubNode();
      node.change(random >>> 4, last);
      nodes.add(node);
      last = node;
    }
  }

  private static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  /** Returns what decides all steps. */
  public long seed() {
    return seed;
  }

  /** Returns how many steps were done. */
  public long step() {
    return step;
  }

  /** Returns how many releases have tried a step. */
  public long attempts() {
    return attempts.get();
  }

  /** Returns whether it was recovered. */
  public boolean recovered() {
    return isRecovered();
  }
}
