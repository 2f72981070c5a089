package dev.takt.persist;

import dev.takt.realtime.counters.CounterRows;
import dev.takt.realtime.counters.CounterSource;
import dev.takt.realtime.counters.Figure;
import dev.takt.realtime.counters.RowKind;
import dev.takt.realtime.counters.RowText;

/**
 * What others can see of a persistence task: its cycles, and its increments as releases of a task.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
final class PersistenceCounters implements CounterSource {
  private final PersistenceTask task;

  PersistenceCounters(PersistenceTask task) {
    this.task = task;
  }

  @Override
  public RowKind kind() {
    return RowKind.PERSISTENCE;
  }

  @Override
  public void copyTo(CounterRows rows, String owner) {
    PersistenceTask.Progress progress = task.progress();
    rows.add(RowKind.PERSISTENCE, owner, owner)
        .set(RowText.STATE, task.state())
        .set(Figure.CYCLES, progress.cycles())
        .set(Figure.FAILURES, progress.failures())
        .set(Figure.GENERATION, progress.generation())
        .set(Figure.OBJECTS, progress.objects())
        .set(Figure.BYTES, progress.lastBytes())
        .set(Figure.CYCLE_NS, progress.lastCycleNs())
        .set(Figure.INCREMENTS, progress.increments())
        .set(Figure.TARGET_PAUSE_NS, task.settings().targetPauseNs())
        .set(Figure.MAX_PAUSE_NS, progress.maxPauseNs())
        .set(Figure.OVER_TARGET, progress.overTarget());
    PersistenceThread thread = task.thread();
    if (thread != null) {
      thread.copyTo(rows, owner);
    }
  }
}
