package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits the carriers to two, and sees that there are no more. Who runs in a session calls {@link
 * #look} where it has something to do.
 */
final class TwoCarriers implements AutoCloseable {
  private static final int LIMIT = 2;

  private final Carriers.Use before = Carriers.use();
  private final AtomicInteger mostThreads = new AtomicInteger();
  private final AtomicInteger mostRunning = new AtomicInteger();

  TwoCarriers() {
    Carriers.limit(LIMIT);
  }

  /** Counts the carriers now. */
  void look() {
    Carriers.Use use = Carriers.use();
    mostThreads.accumulateAndGet(use.threads(), Math::max);
    mostRunning.accumulateAndGet(use.running(), Math::max);
  }

  /** Checks that sessions looked, and what they saw. */
  void check() {
    look();
    // carriers of an earlier test on a larger machine may be there for a while, and carry nothing
    assertThat(mostThreads.get()).isBetween(1, Math.max(LIMIT, before.threads()));
    assertThat(mostRunning.get()).isBetween(1, LIMIT);
  }

  @Override
  public void close() {
    Carriers.limit(before.limit());
  }
}
