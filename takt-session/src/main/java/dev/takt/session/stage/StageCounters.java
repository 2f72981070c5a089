package dev.takt.session.stage;

import dev.takt.realtime.counters.CounterRows;
import dev.takt.realtime.counters.CounterSource;
import dev.takt.realtime.counters.Figure;
import dev.takt.realtime.counters.RowKind;
import dev.takt.realtime.counters.RowText;
import java.util.Locale;

/**
 * What others can see of a stage.
 *
 * <p><b>Thread rule:</b> any thread.
 */
final class StageCounters implements CounterSource {
  private final Stage<?> stage;

  StageCounters(Stage<?> stage) {
    this.stage = stage;
  }

  @Override
  public RowKind kind() {
    return RowKind.STAGE;
  }

  @Override
  public void copyTo(CounterRows rows, String owner) {
    StageStats stats = stage.stats();
    rows.add(RowKind.STAGE, owner, stats.name())
        .set(RowText.STATE, stats.state().name().toLowerCase(Locale.ROOT))
        .set(Figure.QUEUED, stats.queued())
        .set(Figure.CAPACITY, stats.capacity())
        .set(Figure.HANDLING, stats.handling())
        .set(Figure.LIMIT, stats.limit())
        .set(Figure.ACCEPTED, stats.accepted())
        .set(Figure.SHED, stats.shed())
        .set(Figure.FULL, stats.full())
        .set(Figure.HANDLED, stats.handled())
        .set(Figure.FAILURES, stats.failed())
        .set(Figure.GIVEN_BACK, stats.givenBack())
        .set(Figure.WAITING, stats.waiting())
        .set(Figure.WORKERS, stats.workers())
        .set(Figure.BUSY, stats.busy())
        .set(Figure.ACCEPTED_PER_S, stats.acceptedPerS())
        .set(Figure.WAIT_P50_NS, stats.waits().p50Ns())
        .set(Figure.WAIT_P90_NS, stats.waits().p90Ns())
        .set(Figure.WAIT_MAX_NS, stats.waits().maxNs())
        .set(Figure.SERVICE_P50_NS, stats.services().p50Ns())
        .set(Figure.SERVICE_P90_NS, stats.services().p90Ns())
        .set(Figure.SERVICE_MAX_NS, stats.services().maxNs())
        .set(Figure.RESPONSE_P50_NS, stats.responses().p50Ns())
        .set(Figure.RESPONSE_P90_NS, stats.responses().p90Ns())
        .set(Figure.RESPONSE_MAX_NS, stats.responses().maxNs())
        .set(Figure.TARGET_NS, stage.settings().targetP90().toNanos());
  }
}
