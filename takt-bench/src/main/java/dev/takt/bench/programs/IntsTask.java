package dev.takt.bench.programs;

import dev.takt.reflex.ReflexTask;
import java.util.Random;

/**
 * Persistence 5.1: an array of integers, one of which a release changes.
 *
 * <p>What is static is for the program around it: it is not called while a release runs.
 */
public final class IntsTask extends ReflexTask {
  private static final int SEED = 17;
  private static final int STRIDE = 7_919;

  private int[] root = {};
  private int at;

  /** Makes the task. */
  public IntsTask() {
    super(1 << 16, Integer.MAX_VALUE);
  }

  @Override
  public void execute() {
    if (root.length > 0) {
      at = (at + STRIDE) % root.length;
      root[at]++;
    }
  }

  /** Makes an array of so many integers. */
  public static void fill(ReflexTask task, int size) {
    IntsTask ints = (IntsTask) task;
    ints.root = new int[size];
    Random random = new Random(SEED);
    for (int i = 0; i < size; i++) {
      ints.root[i] = random.nextInt();
    }
  }

  /** Returns a number that all values of such an array go into. */
  public static long checksum(Object root) {
    int[] values = (int[]) root;
    long sum = values.length;
    for (int value : values) {
      sum = sum * 31 + value;
    }
    return sum;
  }
}
