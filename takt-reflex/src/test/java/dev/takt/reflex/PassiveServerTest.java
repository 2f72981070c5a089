package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.PassiveServer;
import dev.takt.realtime.ThreadMeter;
import dev.takt.scripted.Scripted;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Passive tasks that have a budget, by the machine's clock; figures of time are in other tests. */
class PassiveServerTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final long HOUR_NS = 3_600_000_000_000L;

  private final EventSpace space = EventSpace.create();
  private final AtomicLong ran = new AtomicLong();
  private ReflexRuntime runtime;

  @AfterEach
  void close() {
    runtime.close();
    assertThat(Await.runtimeThreads()).isEmpty();
  }

  private TaskControl serve(long budgetNs, long periodNs, int workNs) {
    runtime =
        ReflexRuntime.create(
            space,
            Settings.FOR_TESTS
                .withWorkers(3)
                .withPassiveServer(new PassiveServer(budgetNs, periodNs)));
    return runtime.passive(
        "served",
        new Scripted(
            new Event("a", null),
            task -> {
              task.handle.next(task.into());
              // Processor time, which the budget is: a thread that only waits uses none of it.
              long endNs = ThreadMeter.system().usedNs() + workNs;
              while (ThreadMeter.system().usedNs() - endNs < 0) {
                Thread.onSpinWait();
              }
              ran.incrementAndGet();
            }),
        10);
  }

  private void flood(int events) {
    for (int i = 0; i < events; i++) {
      space.write(new Event("a", i));
    }
  }

  @Test
  void shouldServeEverythingByOneWorkerThoughTheBudgetIsSmall() {
    TaskControl task = serve(PassiveServer.MIN_BUDGET_NS, 100_000, 5_000);
    runtime.start();
    flood(500);
    assertThat(runtime.grants().threads()).hasSize(1);
    assertThat(runtime.drain(LONG)).isTrue();
    assertThat(ran.get()).isEqualTo(500);
    assertThat(task.stats().commits()).isEqualTo(500);
  }

  /** Waits until an active task has had so many periods that a worker would have gone on. */
  private void awaitPeriods(TaskControl active) {
    long from = active.commits();
    Await.until("periods", () -> active.commits() > from + 20);
  }

  @Test
  void shouldServeNoMoreThanTheBudgetAndEndAtOnceWhileItSleeps() {
    serve(1_000_000, HOUR_NS, 2_000_000); // so that the first release uses it up
    TaskControl active =
        runtime.active("active", new Scripted(task -> {}), Schedule.periodic(1_000_000));
    flood(10);
    runtime.start();
    Await.until("a release", () -> ran.get() > 0);
    awaitPeriods(active);
    flood(10);
    awaitPeriods(active);
    Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().startsWith("takt-worker"))
        .forEach(Thread::interrupt);
    awaitPeriods(active);
    assertThat(ran.get()).isEqualTo(1);
    assertThat(runtime.stop(LONG)).isTrue();
    assertThat(ran.get()).isEqualTo(1);
    assertThat((long) space.count(new Event("a", null))).isEqualTo(19);
  }

  @Test
  void shouldRefuseABudgetThatIsNone() {
    runtime = ReflexRuntime.create(space, Settings.FOR_TESTS);
    assertThatThrownBy(() -> new PassiveServer(9_999, 100_000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("budgetNs=9999, periodNs=100000 (expected: 10000 <= budgetNs");
    assertThatThrownBy(() -> new PassiveServer(100_001, 100_000))
        .hasMessageContaining("budgetNs=100001");
  }
}
