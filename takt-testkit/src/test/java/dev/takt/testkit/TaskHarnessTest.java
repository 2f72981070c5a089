package dev.takt.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.ReleaseOutcome;
import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One release of one task, with all that matters in hand. */
@ExtendWith(LeakCheck.class)
class TaskHarnessTest {
  private static final Event BOUGHT = new Event("type", "bought").add("price", null);

  static final class StockBuyer extends ReflexTask {
    private Handle offers;
    private double spent;

    @Override
    public void initialize() {
      offers = subscribe(new Event("type", "sell").add("price", null));
    }

    @Override
    public void execute() {
      Event bought = event();
      for (Event offer : offers) {
        double price = offer.getDouble("price");
        if (price < 0) {
          throw new IllegalArgumentException("price=" + price);
        }
        if (price == 0) {
          abort();
        }
        spent += price;
        write(bought.clear().add("type", "bought").add("price", price).add("spent", spent));
      }
    }
  }

  private static Event sell(double price) {
    return new Event("type", "sell").add("price", price);
  }

  @Test
  void shouldRunOneReleaseOnGivenEvents() {
    try (TaskHarness harness = TaskHarness.of(new StockBuyer())) {
      TaskHarness.Release release = harness.release(sell(12.5), sell(2.5));
      assertThat(release.isCommitted()).isTrue();
      assertThat(release.failure()).isNull();
      assertThat(harness.space().count(BOUGHT)).isEqualTo(2);
      assertThat(harness.control().stats().releases()).isEqualTo(1);
      assertThat(harness.clock().nanoTime()).isEqualTo(TaskHarness.PERIOD_NS);
      assertThat(harness.release(sell(5)).isCommitted()).isTrue();
      assertThat(harness.space().test(BOUGHT.copy().add("spent", 20.0))).isTrue();
    }
  }

  @Test
  void shouldSayThatThereWasNoReleaseWhenNothingMatches() {
    try (TaskHarness harness = TaskHarness.of(new StockBuyer())) {
      TaskHarness.Release release = harness.release(new Event("type", "sell").add("prise", 1.0));
      assertThat(release.outcome()).isNull();
      assertThat(release.isCommitted()).isFalse();
      assertThat(harness.control().stats().releases()).isZero();
    }
  }

  @Test
  void shouldTellFailuresAndAbortsAndGoOn() {
    try (TaskHarness harness = TaskHarness.of(new StockBuyer())) {
      for (int i = 0; i < 20; i++) {
        TaskHarness.Release failed = harness.release(sell(-1));
        assertThat(failed.outcome()).isEqualTo(ReleaseOutcome.FAILED);
        assertThat(failed.failure()).hasMessage("price=-1.0");
        assertThat(harness.space().poll(sell(-1), new Event())).isTrue();
      }
      TaskHarness.Release aborted = harness.release(sell(0));
      assertThat(aborted.outcome()).isEqualTo(ReleaseOutcome.ABORTED);
      assertThat(aborted.failure()).isNull();
      assertThat(harness.space().count(BOUGHT)).isZero();
    }
  }

  @Test
  void shouldRefuseTaskThatIsNotWoven() {
    assertThatThrownBy(() -> TaskHarness.of(new UnwovenTask()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not woven");
  }

  @Test
  void shouldLeaveWhatDoesNotFitIntoOneReleaseToTheNext() {
    try (TaskHarness harness = TaskHarness.of(new StockBuyer())) {
      for (int i = 0; i < 10_000; i++) {
        harness.space().write(sell(1));
      }
      int releases = 0;
      while (harness.release().outcome() != null) {
        releases++;
      }
      assertThat(releases).isGreaterThan(1);
      assertThat(harness.space().count(BOUGHT)).isEqualTo(10_000);
    }
  }

  /** Takes sales of the last two milliseconds, by the clock of the runtime. */
  static final class FreshBuyer extends ReflexTask {
    private Handle offers;

    @Override
    public void initialize() {
      offers = subscribe(new Event("type", "sell"));
    }

    @Override
    public void execute() {
      for (Event offer : offers) {
        boolean fresh = nowNs() - offer.getLong("atNs") < 2 * TaskHarness.PERIOD_NS;
        write(event().add("type", fresh ? "fresh" : "stale"));
      }
    }
  }

  @Test
  void shouldShowTaskTheTimeOfTheClock() {
    try (TaskHarness harness = TaskHarness.of(new FreshBuyer())) {
      harness.release(sell(1).add("atNs", 0L));
      assertThat(harness.space().count(new Event("type", "fresh"))).isEqualTo(1);
      harness.release(sell(1).add("atNs", 0L));
      assertThat(harness.space().count(new Event("type", "stale"))).isEqualTo(1);
      assertThat(harness.space().count(new Event("type", "fresh"))).isEqualTo(1);
    }
  }
}
