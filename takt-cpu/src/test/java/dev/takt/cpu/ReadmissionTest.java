package dev.takt.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cpu.ManagedTask.State;
import dev.takt.cpu.ManagerEvent.Kind;
import dev.takt.realtime.os.Policy;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tasks that were displaced come back when there is room. */
class ReadmissionTest {
  private static final long MS = 1_000_000;

  private final BlockingQueue<ManagerEvent> events = new LinkedBlockingQueue<>();

  private static Stream<CpuScheduler> schedulers() {
    return Stream.of(CpuScheduler.fixedPriority(), CpuScheduler.portable());
  }

  private static AuthenticationClass ranked(int rank) {
    return new AuthenticationClass(
        "rank " + rank, rank, 100 * MS, 100 * MS, 1, true, OverrunPolicy.COUNT, 50 * MS);
  }

  private CpuManager start(CpuScheduler scheduler) {
    return CpuManager.start(
        OneProcessor.of(ManagerSettings.defaults())
            .withScheduler(scheduler)
            .withTrialReleases(100)
            .withEvents(events::add));
  }

  private static Profile profile(String name, int rank, long budgetNs) {
    return Profile.of(name, 100 * MS).withBudgetNs(budgetNs).in(ranked(rank));
  }

  /** Its present release ends by itself. */
  private static void remove(CpuManager manager, ManagedTask task) {
    while (!manager.remove(task)) {
      Thread.onSpinWait();
    }
  }

  private static Policy policy(ManagedTask task) {
    return task.subject().grant().scheduling().policy();
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void shouldAdmitADisplacedTaskAgainWithItsPriorityWhenTheOtherLeaves(CpuScheduler scheduler)
      throws InterruptedException {
    AtomicReference<CountDownLatch> ran = new AtomicReference<>(new CountDownLatch(1));
    try (CpuManager manager = start(scheduler)) {
      ManagedTask low = manager.register(profile("low", 0, 40 * MS), () -> ran.get().countDown());
      assertThat(ran.get().await(20, TimeUnit.SECONDS)).isTrue();
      Policy before = policy(low);
      ManagedTask high = manager.register(profile("high", 1, 40 * MS), () -> {});
      assertThat(low.state()).isEqualTo(State.DISPLACED);
      ran.set(new CountDownLatch(2));
      assertThat(ran.get().await(20, TimeUnit.SECONDS)).as("it runs on").isTrue();

      events.clear();
      remove(manager, high);

      assertThat(low.state()).isEqualTo(State.ADMITTED);
      assertThat(policy(low)).isEqualTo(before);
      assertThat(events)
          .anyMatch(each -> each.task().equals("low") && each.kind() == Kind.ADMITTED);
      ran.set(new CountDownLatch(2));
      assertThat(ran.get().await(20, TimeUnit.SECONDS)).as("it runs on").isTrue();
      assertThat(manager.register(profile("next", 0, 60 * MS), () -> {}).state())
          .as("its share is taken again")
          .isEqualTo(State.REJECTED);
    }
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void shouldAdmitTheHighestRankFirstAndOnlyWhatFits(CpuScheduler scheduler) {
    try (CpuManager manager = start(scheduler)) {
      ManagedTask first = manager.register(profile("first", 0, 40 * MS), () -> {});
      ManagedTask second = manager.register(profile("second", 1, 25 * MS), () -> {});
      ManagedTask high = manager.register(profile("high", 2, 50 * MS), () -> {});
      assertThat(List.of(first.state(), second.state()))
          .isEqualTo(List.of(State.DISPLACED, State.DISPLACED));
      manager.register(profile("more", 2, 10 * MS), () -> {});

      remove(manager, high);

      assertThat(second.state()).isEqualTo(State.ADMITTED);
      assertThat(first.state()).as("there is no room for it").isEqualTo(State.DISPLACED);
      remove(manager, second);
      assertThat(first.state()).isEqualTo(State.ADMITTED);
    }
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void shouldReleaseADisplacedTaskNoMoreThatWasRemoved(CpuScheduler scheduler) {
    try (CpuManager manager = start(scheduler)) {
      ManagedTask low = manager.register(profile("low", 0, 40 * MS), () -> {});
      ManagedTask high = manager.register(profile("high", 1, 40 * MS), () -> {});
      manager.remove(low);
      remove(manager, high);

      assertThat(low.state()).isEqualTo(State.ENDED);
      assertThat(manager.tasks()).doesNotContain(low);
      assertThat(events)
          .filteredOn(each -> each.task().equals("low") && each.kind() != Kind.SHORTFALL)
          .extracting(ManagerEvent::kind)
          .as("it ends once")
          .containsExactly(Kind.ADMITTED, Kind.DISPLACED, Kind.ENDED);
    }
  }

  /** Who is told that a task was displaced registers one that displaces the one that did it. */
  @ParameterizedTest
  @MethodSource("schedulers")
  void shouldAdmitNoMoreThanFitsWhenTheReceiverOfAnEventRegisters(CpuScheduler scheduler)
      throws InterruptedException {
    AtomicReference<CpuManager> manager = new AtomicReference<>();
    AtomicReference<ManagedTask> third = new AtomicReference<>();
    CountDownLatch ran = new CountDownLatch(1);
    ManagerSettings settings =
        OneProcessor.of(ManagerSettings.defaults())
            .withScheduler(scheduler)
            .withEvents(
                event -> {
                  if (event.kind() == Kind.DISPLACED && event.task().equals("low")) {
                    third.set(manager.get().register(profile("third", 2, 60 * MS), () -> {}));
                  }
                });
    try (CpuManager started = CpuManager.start(settings)) {
      manager.set(started);
      ManagedTask low = started.register(profile("low", 0, 60 * MS), () -> {});
      ManagedTask middle = started.register(profile("middle", 1, 60 * MS), ran::countDown);

      assertThat(List.of(low.state(), middle.state(), third.get().state()))
          .containsExactly(State.DISPLACED, State.DISPLACED, State.ADMITTED);
      assertThat(ran.await(20, TimeUnit.SECONDS)).as("it runs as any thread").isTrue();
    }
  }
}
