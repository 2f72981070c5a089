package dev.takt.reflex;

import dev.takt.reflex.woven.TransientArea;
import dev.takt.reflex.woven.TransientPlan;
import dev.takt.space.EventPool;
import dev.takt.space.EventSpace;
import dev.takt.space.Transaction;

/**
 * What a thread provides for the releases it runs.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
final class ReleaseContext implements AutoCloseable {
  final Transaction transaction;
  final EventPool events;
  final TransientArea area = new TransientArea();

  /**
   * Whether the thread is inside the commit of a release: what becomes runnable then may run next
   * on this thread.
   */
  boolean committing;

  ReleaseContext(EventSpace space, RuntimeSettings settings) {
    events = new EventPool(settings.maxReleaseEvents());
    transaction = space.newTransaction();
  }

  /** Makes what the releases of a task need. */
  void prepare(TaskState state) {
    TransientPlan plan = state.plan();
    if (plan != null && !area.isPrepared(plan)) {
      area.prepare(plan);
    }
  }

  @Override
  public void close() {
    transaction.close();
  }
}
