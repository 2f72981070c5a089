package dev.takt.stress.woven;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cpu.AuthenticationClass;
import dev.takt.cpu.CpuManager;
import dev.takt.cpu.CpuScheduler;
import dev.takt.cpu.ManagedTask;
import dev.takt.cpu.ManagedTask.State;
import dev.takt.cpu.ManagerSettings;
import dev.takt.cpu.OverrunPolicy;
import dev.takt.cpu.Profile;
import dev.takt.cpu.analysis.TaskModel;
import dev.takt.realtime.PassiveServer;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.Policy;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeScheduling;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.testkit.LeakCheck;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tasks of runtimes that were displaced come back when there is room. */
@ExtendWith(LeakCheck.class)
class ReadmittedRuntimeTest {
  private static final long MS = 1_000_000;
  private static final long LONG_NS = TimeUnit.SECONDS.toNanos(20);

  private static final TaskModel LOW = TaskModel.of("low", 40 * MS, 100 * MS, 100 * MS);

  private final EventSpace space = EventSpace.create();

  private static Stream<CpuScheduler> schedulers() {
    return Stream.of(CpuScheduler.fixedPriority(), CpuScheduler.portable());
  }

  private static AuthenticationClass ranked(int rank) {
    return new AuthenticationClass(
        "rank " + rank, rank, 100 * MS, 100 * MS, 1, true, OverrunPolicy.COUNT, 50 * MS);
  }

  private static CpuManager start(CpuScheduler scheduler) {
    ManagerSettings defaults = ManagerSettings.defaults();
    CpuSet all = defaults.system().processCpus();
    CpuSet one = CpuSet.of(all == null ? 0 : all.toArray()[all.size() - 1]);
    return CpuManager.start(
        defaults.withCpus(one).withScheduler(scheduler).withEvents(event -> {}));
  }

  private ReflexRuntime runtime(CpuManager manager) {
    return ReflexRuntime.create(
        space,
        RuntimeSettings.DEFAULTS
            .withWarmUpNs(0)
            .withScheduling(RuntimeScheduling.NONE)
            .withPassiveServer(new PassiveServer(40 * MS, 100 * MS))
            .withAdmission(manager.admission(ranked(0))));
  }

  private static ManagedTask displace(CpuManager manager) {
    ManagedTask high =
        manager.register(
            Profile.of("high", 100 * MS).withBudgetNs(50 * MS).in(ranked(1)), () -> {});
    assertThat(high.state()).isEqualTo(State.ADMITTED);
    return high;
  }

  private static void remove(CpuManager manager, ManagedTask task) {
    while (!manager.remove(task)) {
      Thread.onSpinWait(); // its present release ends by itself
    }
  }

  private static void awaitTwoCommits(TaskControl task) {
    long commits = task.commits();
    long untilNs = System.nanoTime() + LONG_NS;
    while (task.commits() < commits + 2) {
      assertThat(System.nanoTime() - untilNs).as("it is released").isNegative();
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void shouldReleaseAnActiveTaskAsBeforeWhenThereIsRoomAgain(CpuScheduler scheduler) {
    try (CpuManager manager = start(scheduler);
        ReflexRuntime runtime = runtime(manager)) {
      TaskControl task =
          runtime.active(
              "low", new SteadyTask(), Schedule.periodic(100 * MS).budgetNs(40 * MS).priority(70));
      ManagedTask low = manager.tasks().getFirst();
      runtime.start();
      awaitTwoCommits(task);
      Policy before = task.grant().scheduling().policy();
      ManagedTask high = displace(manager);
      assertThat(low.state()).isEqualTo(State.DISPLACED);
      assertThat(task.priority()).isEqualTo(ReflexRuntime.MIN_PRIORITY);
      awaitTwoCommits(task);

      remove(manager, high);

      assertThat(low.state()).isEqualTo(State.ADMITTED);
      assertThat(task.priority()).isEqualTo(70);
      assertThat(task.grant().scheduling().policy()).isEqualTo(before);
      awaitTwoCommits(task);
    }
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void shouldReadmitATaskThatWasDisplacedBeforeItsRuntimeStarted(CpuScheduler scheduler) {
    try (CpuManager manager = start(scheduler);
        ReflexRuntime runtime = runtime(manager)) {
      TaskControl task =
          runtime.active("low", new SteadyTask(), Schedule.periodic(100 * MS).budgetNs(40 * MS));
      ManagedTask low = manager.tasks().getFirst();
      ManagedTask high = displace(manager);
      runtime.start();
      awaitTwoCommits(task);
      assertThat(low.state()).isEqualTo(State.DISPLACED);

      remove(manager, high);

      assertThat(low.state()).isEqualTo(State.ADMITTED);
      assertThat(runtime.grants().threads().getFirst().asked().policy())
          .isEqualTo(scheduler.scheduling(LOW, 0).policy());
      awaitTwoCommits(task);
    }
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void shouldServePassiveTasksAsBeforeWhenThereIsRoomAgain(CpuScheduler scheduler)
      throws InterruptedException {
    try (CpuManager manager = start(scheduler);
        ReflexRuntime runtime = runtime(manager)) {
      runtime.passive("takes", new TakingTask(1), Schedule.onMatch());
      ManagedTask server = manager.tasks().getFirst();
      runtime.start();
      Policy before = runtime.grants().threads().getFirst().grant().scheduling().policy();
      ManagedTask high = displace(manager);
      assertThat(server.state()).isEqualTo(State.DISPLACED);
      takes();

      remove(manager, high);

      assertThat(server.state()).isEqualTo(State.ADMITTED);
      assertThat(runtime.grants().threads().getFirst().grant().scheduling().policy())
          .isEqualTo(before);
      takes();
      takes();
    }
  }

  private void takes() throws InterruptedException {
    space.write(new Event("task", 1L));
    assertThat(space.take(new Event("taken", 1L), Duration.ofNanos(LONG_NS))).isNotNull();
  }
}
