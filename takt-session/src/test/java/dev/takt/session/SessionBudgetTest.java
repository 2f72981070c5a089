package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.cpu.CpuManager;
import dev.takt.cpu.CpuScheduler;
import dev.takt.cpu.InstalledManager;
import dev.takt.cpu.ManagerEvent;
import dev.takt.cpu.ManagerSettings;
import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The budget of sessions beside the tasks of a CPU manager. */
class SessionBudgetTest {
  private static final long MS = 1_000_000;

  private final LinkedBlockingQueue<ManagerEvent> events = new LinkedBlockingQueue<>();
  private final int limitBefore = Carriers.use().limit();
  private final AtomicBoolean end = new AtomicBoolean();

  private final CpuManager manager =
      CpuManager.start(
          ManagerSettings.defaults()
              .withScheduler(CpuScheduler.portable())
              .withFactors(1, 0.5)
              .withEvents(events::add));

  @AfterEach
  void close() {
    end.set(true);
    manager.close();
    assertThat(Carriers.use().limit()).isEqualTo(limitBefore);
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain("takt-session-budget", "takt-carrier-watch");
  }

  private Object compute() {
    while (!end.get()) {
      Thread.onSpinWait();
    }
    return end;
  }

  private ManagerEvent await(ManagerEvent.Kind kind) throws InterruptedException {
    ManagerEvent event;
    do {
      event = events.poll(60, TimeUnit.SECONDS);
      assertThat(event).as("%s", kind).isNotNull();
    } while (event.kind() != kind);
    return event;
  }

  @Test
  void shouldLimitTheCarriersWhileABudgetIsAdmittedAndReportWhatExceedsIt() throws Exception {
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
        SessionBudget budget = SessionBudget.ask(manager, MS, 50 * MS)) {
      assertThat(budget.isAdmitted()).as(budget.reason()).isTrue();
      assertThat(budget.carriers()).isEqualTo(1);
      assertThat(Carriers.use().limit()).isEqualTo(1);
      assertThat(await(ManagerEvent.Kind.ADMITTED).task()).isEqualTo("sessions");

      sessions.start("computes", this::compute);
      assertThat(await(ManagerEvent.Kind.NONCONFORMING).detail())
          .contains("its threads took ", "limit: the budget, 1 ms in 50 ms");
      assertThat(budget.periodsExceeded()).isPositive();
      assertThat(budget.lastUsedNs()).isGreaterThan(MS);
      end.set(true);
    }
    await(ManagerEvent.Kind.ENDED);
  }

  @Test
  void shouldChangeNothingWhenTasksLeaveLessThanTheBudget() {
    int processors = Runtime.getRuntime().availableProcessors();
    long tooMuch = 50 * MS * processors; // of which tasks may take half
    try (SessionBudget budget = SessionBudget.ask(manager, tooMuch, 50 * MS)) {
      assertThat(budget.isAdmitted()).isFalse();
      assertThat(budget.reason()).contains("tasks leave", "they may take 50 % of each");
      assertThat(Carriers.use().limit()).isEqualTo(limitBefore);
    }
  }

  @Test
  void shouldGiveTheSessionsOfAJvmOneBudget() {
    try (SessionBudget first = SessionBudget.ask(manager, MS, 50 * MS)) {
      assertThatThrownBy(() -> SessionBudget.ask(manager, MS, 100 * MS))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("have a budget, of 1000000 ns in 50000000 ns; close that first");
      assertThat(first.isAdmitted()).isTrue();
    }
    SessionBudget.ask(manager, MS, 100 * MS).close();
  }

  @Test
  void shouldHaveAsManyCarriersAsBeforeWhoeverAsksAndGivesBack() throws Exception {
    List<Thread> askers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      askers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int round = 0; round < Seeds.size(100, 10_000); round++) {
                      try {
                        SessionBudget.ask(manager, MS, 50 * MS).close();
                      } catch (IllegalStateException another) {
                        Thread.yield();
                      }
                    }
                  }));
    }
    for (Thread each : askers) {
      each.join();
    }
    assertThat(Carriers.use().limit()).isEqualTo(limitBefore);
  }

  @Test
  void shouldRefuseABudgetBesideAnotherOneWithoutAskingTheManager() throws Exception {
    int processors = Runtime.getRuntime().availableProcessors();
    try (SessionBudget first = SessionBudget.ask(manager, MS, 50 * MS)) {
      assertThatThrownBy(() -> SessionBudget.ask(manager, 50 * MS * processors, 50 * MS))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("close that first");
      assertThat(first.isAdmitted()).isTrue();
    }
    assertThat(await(ManagerEvent.Kind.ADMITTED).task()).isEqualTo("sessions");
    assertThat(await(ManagerEvent.Kind.ENDED).task()).isEqualTo("sessions");
    assertThat(events).isEmpty();
  }

  @Test
  void shouldGiveTheBudgetBackWhenThereIsNoThreadThatMeasures() throws Exception {
    InheritableThreadLocal<Integer> threads =
        new InheritableThreadLocal<>() {
          @Override
          protected Integer childValue(Integer parentValue) {
            throw new OutOfMemoryError("no more threads, on purpose");
          }
        };
    threads.set(0);
    try {
      assertThatThrownBy(() -> SessionBudget.ask(manager, MS, 50 * MS))
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessageContaining("on purpose");
    } finally {
      threads.remove();
    }
    assertThat(await(ManagerEvent.Kind.ADMITTED).task()).isEqualTo("sessions");
    assertThat(await(ManagerEvent.Kind.ENDED).task()).isEqualTo("sessions");
    SessionBudget.ask(manager, MS, 50 * MS).close();
  }

  @Test
  void shouldLogASessionThatNeverYieldsInAProcessWithACpuManager() throws Exception {
    try (Logged logged = new Logged();
        InstalledManager installed = manager.install();
        Sessions sessions = Sessions.open(SessionSettings.DEFAULTS)) {
      assertThat(CpuManager.installed()).contains(manager);
      assertThat(installed).isNotNull();
      sessions.start("endless", this::compute);
      LogRecord line = logged.records.poll(120, TimeUnit.SECONDS);
      end.set(true);
      assertThat(line).isNotNull();
      assertThat(line.getMessage()).contains("session endless keeps ForkJoinPool", "Thread.yield");
    }
  }
}
