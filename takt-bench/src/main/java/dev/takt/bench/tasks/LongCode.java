package dev.takt.bench.tasks;

import dev.takt.bench.programs.Logarithms;
import dev.takt.realtime.stop.Stoppable;
import java.util.concurrent.atomic.AtomicBoolean;

/** The fifth task: plain code that takes more time than its class allows, or does not end. */
@Stoppable
public final class LongCode implements Runnable {
  /** How many parts a release has that ends. Source: CPU control 3.2. */
  public static final int PARTS = 1_000;

  private final long logarithms;
  private final long endlessNs;
  private final AtomicBoolean over;

  /**
   * Makes one.
   *
   * @param logarithms how many logarithms each part calculates
   * @param endlessNs after how long one that does not end ends all the same, so that it cannot keep
   *     a processor for ever; 0: it ends after {@value #PARTS} parts
   * @param over ends one that does not end, when it is true
   */
  public LongCode(long logarithms, long endlessNs, AtomicBoolean over) {
    this.logarithms = logarithms;
    this.endlessNs = endlessNs;
    this.over = over;
  }

  @Override
  public void run() {
    long beginNs = System.nanoTime();
    double sum = 0;
    for (int i = 0; endlessNs == 0 ? i < PARTS : goesOn(beginNs); i++) {
      sum += Logarithms.sum(logarithms);
    }
    if (Double.isNaN(sum)) {
      throw new IllegalStateException("no logarithm is a number");
    }
  }

  private boolean goesOn(long beginNs) {
    return !over.get() && System.nanoTime() - beginNs < endlessNs;
  }
}
