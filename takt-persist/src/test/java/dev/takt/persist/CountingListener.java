package dev.takt.persist;

import dev.takt.persist.journal.JournalListener;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts what a journal tells, and throws nothing. */
final class CountingListener implements JournalListener {
  final AtomicInteger failures = new AtomicInteger();
  final AtomicInteger restored = new AtomicInteger();

  @Override
  public void onFailure(Throwable cause) {
    failures.incrementAndGet();
  }

  @Override
  public void onRelaxed(String why) {}

  @Override
  public void onRestored() {
    restored.incrementAndGet();
  }

  /** Returns whether the journal keeps its policy, as far as it has told. */
  boolean isSafe() {
    int told = restored.get();
    return failures.get() == told;
  }
}
