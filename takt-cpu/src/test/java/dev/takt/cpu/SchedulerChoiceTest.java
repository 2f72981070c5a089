package dev.takt.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.cpu.ManagerEvent.Kind;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.CpuPartition;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.OperatingSystem;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** As whoever runs it: with the right to real-time priorities, and without. */
class SchedulerChoiceTest {
  private final OperatingSystem system = OperatingSystems.current();

  @Test
  void shouldRefuseSeveralProcessorsWithReservationsInWhateverOrderTheyAreGiven() {
    ManagerSettings defaults = ManagerSettings.defaults();
    ManagerSettings deadline = defaults.withScheduler(CpuScheduler.deadline());
    ManagerSettings two = defaults.withCpus(CpuSet.of(0, 1));
    assertThat(deadline.withCpus(CpuSet.of(1)).cpus()).isEqualTo(CpuSet.of(1));
    assertThat(two.withScheduler(CpuScheduler.fixedPriority()).cpus()).isEqualTo(two.cpus());
    assertThatThrownBy(() -> deadline.withCpus(CpuSet.of(0, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("cpus=", "limit: one processor", "deadline", "name one");
    assertThatThrownBy(() -> two.withScheduler(CpuScheduler.deadline()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("limit: one processor");
  }

  @Test
  void shouldLetTasksTakeTurnsOnAsManyProcessorsAsThereAreByTheSystemsClockOnly() {
    ManagerSettings portable = ManagerSettings.defaults().withScheduler(CpuScheduler.portable());
    NanoClock simulated = () -> 0;

    assertThat(portable.processors()).isEqualTo(Runtime.getRuntime().availableProcessors());
    assertThat(portable.withClock(simulated).processors()).as("its time is of one").isEqualTo(1);
    assertThat(portable.withCpus(CpuSet.of(0)).processors()).as("what was asked for").isEqualTo(1);
    assertThat(portable.withScheduler(CpuScheduler.fixedPriority()).processors()).isEqualTo(1);
  }

  @Test
  void shouldTakeFixedPrioritiesWhereTheyAreGrantedAndElseThePortableOneAndSayWhy() {
    SchedulerChoice choice = SchedulerChoice.best(system);

    if (SchedulerChoice.shortfall(SchedulerChoice.trial(system)) == null) {
      assertThat(choice.scheduler()).hasToString("fixed priority");
      assertThat(choice.reason()).isEqualTo("real-time priorities are granted");
    } else {
      assertThat(choice.scheduler()).hasToString("portable");
      assertThat(choice.reason()).contains("not granted");
    }
    assertThat(ManagerSettings.defaults().scheduler()).hasToString(choice.scheduler().toString());
  }

  /** The limit that a user has often, and what a user needs. */
  @ParameterizedTest
  @ValueSource(ints = {1, 20, 80, 85, 86, 99})
  void shouldTakePrioritiesOnlyWhereWhatSupervisesTasksIsGrantedItsOwn(int limit) {
    CappedPriorities capped = new CappedPriorities(limit);

    SchedulerChoice choice = SchedulerChoice.best(capped.system());

    if (limit < 86) {
      assertThat(choice.scheduler()).hasToString("portable");
      assertThat(choice.reason()).contains("priority FIFO 86 not granted", "limit is " + limit);
    } else {
      assertThat(choice.scheduler()).hasToString("fixed priority");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 80, 86})
  void shouldGiveNoTaskAPriorityThatItsSupervisorDoesNotHave(int limit) throws Exception {
    CappedPriorities capped = new CappedPriorities(limit);
    ManagerSettings asked =
        ManagerSettings.defaults()
            .withSystem(capped.system())
            .withEvents(_ -> {})
            .withScheduler(CpuScheduler.fixedPriority());
    CountDownLatch ran = new CountDownLatch(2);
    ThreadLocal<Boolean> isLater = ThreadLocal.withInitial(() -> false);
    Runnable work =
        () -> {
          if (!isLater.get()) {
            isLater.set(true);
            ran.countDown();
          }
        };
    try (CpuManager manager = CpuManager.start(asked)) {
      for (String name : List.of("first", "second")) {
        manager.register(Profile.of(name, 100_000_000).withBudgetNs(30_000_000), work);
      }
      assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
      List<Integer> tasks = List.of(capped.priority("takt-first"), capped.priority("takt-second"));
      assertThat(tasks).isEqualTo(limit < 86 ? List.of(0, 0) : List.of(80, 79));
    }
    if (limit >= 86) { // read now that these threads have begun for certain, and ended
      int contains = capped.priority("takt-cpu-contain");
      assertThat(capped.priority("takt-cpu-manager")).isGreaterThan(contains);
      assertThat(contains).isGreaterThan(80);
    }
  }

  @Test
  void shouldTellOnceWhatATaskWasNotGranted() throws Exception {
    CappedPriorities none = new CappedPriorities(0);
    var events = new LinkedBlockingQueue<ManagerEvent>();
    ManagerSettings asked =
        ManagerSettings.defaults()
            .withSystem(none.system())
            .withScheduler(CpuScheduler.fixedPriority())
            .withEvents(events::add);
    try (CpuManager manager = CpuManager.start(asked)) {
      CountDownLatch ran = new CountDownLatch(1);
      ManagedTask task =
          manager.register(Profile.of("task", 9_000_000).withBudgetNs(100_000), ran::countDown);
      manager.register(Profile.of("first", 1_000_000).withBudgetNs(100_000), () -> {});
      assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();

      assertThat(task.grant().isComplete()).isFalse();
      assertThat(task.subject().priority()).as("what top shows").isZero();
      assertThat(manager.scheduler().reason())
          .startsWith(
              "it was asked for, and tasks run as any thread: priority FIFO 86 not granted");
      assertThat(events)
          .filteredOn(each -> each.kind() == Kind.SHORTFALL && each.task().equals("task"))
          .singleElement()
          .satisfies(each -> assertThat(each.detail()).contains("FIFO", "the limit is 0"));
    }
  }

  @Test
  void shouldRefuseProcessorsThatAreNotThere() {
    ManagerSettings absent = ManagerSettings.defaults().withCpus(CpuSet.of(CpuSet.LIMIT - 1));
    if (system.isNative()) {
      assertThatThrownBy(() -> CpuManager.start(absent))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("cpus=1023 (expected: processors that this process may use");
    } else {
      CpuManager.start(absent).close();
    }
  }

  @Test
  void shouldTellThatNoProcessorIsLeftForOthers() {
    CpuSet all = system.processCpus();
    var events = new LinkedBlockingQueue<ManagerEvent>();
    if (all == null) {
      return; // nothing is known of them
    }
    ManagerSettings asked =
        ManagerSettings.defaults()
            .withCpus(all)
            .withScheduler(CpuScheduler.fixedPriority())
            .withEvents(events::add);
    CpuManager.start(asked).close();
    CpuManager.start(asked.withApart(false)).close();

    boolean granted = SchedulerChoice.shortfall(SchedulerChoice.trial(system)) == null;
    assertThat(events)
        .filteredOn(each -> each.kind() == Kind.SHORTFALL && each.detail().startsWith("cpus="))
        .hasSize(granted ? 1 : 0);
  }

  @Test
  void shouldTellWhatItHasChosen() {
    try (CpuManager manager = CpuManager.start(ManagerSettings.defaults())) {
      assertThat(manager.scheduler().reason()).isEqualTo(SchedulerChoice.best(system).reason());
    }
    ManagerSettings asked = ManagerSettings.defaults().withScheduler(CpuScheduler.portable());
    try (CpuManager manager = CpuManager.start(asked)) {
      assertThat(manager.scheduler().scheduler()).isSameAs(asked.scheduler());
      assertThat(manager.scheduler().reason()).isEqualTo("it was asked for");
    }
  }

  /** Where a real-time thread is and an ordinary one is not, and what becomes of the demoted. */
  @Test
  void shouldKeepTasksWithRealTimePrioritiesOnProcessorsOfTheirOwn() throws Exception {
    CpuPartition usual = CpuPartition.usual(system).orElse(null);
    boolean apart =
        usual != null && SchedulerChoice.shortfall(SchedulerChoice.trial(system)) == null;
    var places = new LinkedBlockingQueue<dev.takt.realtime.os.ThreadScheduling>();
    Runnable work = () -> places.add(system.granted(system.threadId()).scheduling());
    Profile profile = Profile.of("task", 1_000_000).withBudgetNs(100_000);
    for (boolean asked : new boolean[] {true, false}) {
      ManagerSettings settings = ManagerSettings.defaults().withApart(asked);
      places.clear();
      try (CpuManager manager = CpuManager.start(settings)) {
        manager.register(profile, work);
        var place = places.poll(20, TimeUnit.SECONDS);
        assertThat(place).isNotNull();
        assertThat(place.policy().isRealtime())
            .isEqualTo(SchedulerChoice.shortfall(SchedulerChoice.trial(system)) == null);
        if (apart) {
          assertThat(place.cpus()).isEqualTo(asked ? usual.realtime() : system.processCpus());
          assertThat(system.granted(system.threadId()).scheduling().cpus())
              .isEqualTo(asked ? usual.housekeeping() : system.processCpus());
        }
      }
    }
  }
}
