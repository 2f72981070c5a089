package dev.takt.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.cpu.ManagerEvent.Kind;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.os.CpuSet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What plain threads may have of four processors beside tasks, and whether they keep to it. */
class PlainBudgetTest {
  private static final long MS = 1_000_000;
  private static final long PERIOD_NS = 100 * MS;
  private static final CpuSet FOUR = CpuSet.of(0, 1, 2, 3);

  private final List<ManagerEvent> events = new ArrayList<>();
  private long nowNs = 7;
  private final NanoClock clock = () -> nowNs;

  /** Two of the processors have tasks, which leave 0.3 of each. */
  private ManagerSettings settings() {
    return ManagerSettings.defaults()
        .withSystem(new CappedPriorities(99, FOUR, false).system())
        .withCpus(CpuSet.of(2, 3))
        .withClock(clock)
        .withCounters(false)
        .withEvents(events::add);
  }

  private PlainBudgets budgets(ManagerSettings settings) {
    ProcessorsApart places = new ProcessorsApart(settings);
    return new PlainBudgets(new ManagedTasks(settings, places, () -> {}), settings, places);
  }

  @Test
  void shouldGiveWhatAlphaLeavesAndWholeProcessorsThatHaveNoTasks() {
    PlainBudgets budgets = budgets(settings().withScheduler(CpuScheduler.portable()));
    PlainBudget first = budgets.admit("first", 2 * PERIOD_NS, PERIOD_NS);
    PlainBudget second = budgets.admit("second", 70 * MS, PERIOD_NS);
    PlainBudget third = budgets.admit("third", 60 * MS, PERIOD_NS);

    assertThat(first.isAdmitted()).isTrue();
    assertThat(second.isAdmitted()).isFalse();
    assertThat(second.reason())
        .isEqualTo(
            "it asks for 0.70 processors, tasks leave 2.60 (they may take 70 % of each of their 2"
                + " of 4), and other budgets have 2.00 of these; it would fit with a budget of 60"
                + " ms in 100 ms at most");
    assertThat(third.isAdmitted()).as("as it was told").isTrue();
    assertThat(budgets.admit("fourth", MS, PERIOD_NS).reason())
        .endsWith("nothing more fits: close another budget, or lower alpha");
    assertThat(events)
        .extracting(ManagerEvent::kind)
        .containsExactly(Kind.ADMITTED, Kind.REJECTED, Kind.ADMITTED, Kind.REJECTED);
  }

  @Test
  void shouldGiveAllProcessorsThatAreKeptApartAndNoMore() {
    PlainBudgets budgets = budgets(settings().withScheduler(CpuScheduler.fixedPriority()));
    assertThat(budgets.admit("more", 2 * PERIOD_NS + MS, PERIOD_NS).reason())
        .contains("tasks leave 2.00 (processors 0,1)", "a budget of 200 ms in 100 ms at most");
    assertThat(budgets.admit("all", 2 * PERIOD_NS, PERIOD_NS).isAdmitted()).isTrue();
  }

  @Test
  void shouldHaveRoomAgainWhenABudgetIsGivenBackOnce() {
    PlainBudgets budgets = budgets(settings().withScheduler(CpuScheduler.portable()));
    PlainBudget first = budgets.admit("first", 2 * PERIOD_NS, PERIOD_NS);
    first.close();
    first.close();
    assertThat(budgets.admit("second", 2 * PERIOD_NS, PERIOD_NS).isAdmitted()).isTrue();
    assertThat(budgets.admit("third", 2 * PERIOD_NS, PERIOD_NS).isAdmitted()).isFalse();
    assertThat(events).filteredOn(each -> each.kind() == Kind.ENDED).hasSize(1);
  }

  @Test
  void shouldReportEachPeriodInWhichMoreWasUsedThanTheBudget() {
    PlainBudget budget =
        budgets(settings().withScheduler(CpuScheduler.portable()))
            .admit("served", 50 * MS, PERIOD_NS);
    events.clear();
    budget.used(1_000 * MS); // before the first period
    nowNs += PERIOD_NS / 2;
    budget.used(1_060 * MS); // too much so far, and the period is not over
    assertThat(budget.lastUsedNs()).isZero();
    nowNs += PERIOD_NS / 2;
    budget.used(1_050 * MS);
    assertThat(budget.lastUsedNs()).isEqualTo(50 * MS);
    assertThat(events).as("all of it, and no more").isEmpty();

    nowNs += 2 * PERIOD_NS; // the caller was late: two periods, of which each has 60 ms
    budget.used(1_170 * MS);
    assertThat(budget.lastUsedNs()).isEqualTo(60 * MS);
    assertThat(budget.periodsExceeded()).isEqualTo(1);
    assertThat(events).hasSize(1);
    assertThat(events.getFirst().kind()).isEqualTo(Kind.NONCONFORMING);
    assertThat(events.getFirst().task()).isEqualTo("served");
    assertThat(events.getFirst().detail())
        .isEqualTo("its threads took 120 ms in 200 ms (limit: the budget, 50 ms in 100 ms)");
  }

  @Test
  void shouldRefuseABudgetThatIsNone() {
    PlainBudgets budgets = budgets(settings().withScheduler(CpuScheduler.portable()));
    assertThatThrownBy(() -> budgets.admit("a", 0, PERIOD_NS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("budgetNs=0");
    assertThatThrownBy(() -> budgets.admit("a", 1, MS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("periodNs=1000000");
  }
}
