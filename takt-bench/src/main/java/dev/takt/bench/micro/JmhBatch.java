package dev.takt.bench.micro;

/**
 * One iteration takes about as long as reading the clock does, so the clock is read once for this
 * many.
 */
public final class JmhBatch {
  /** Iterations between two looks at the clock. */
  public static final int SIZE = 100;

  private JmhBatch() {}
}
