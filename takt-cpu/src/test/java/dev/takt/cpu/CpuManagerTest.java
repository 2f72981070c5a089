package dev.takt.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.cpu.ManagedTask.State;
import dev.takt.cpu.ManagerEvent.Kind;
import dev.takt.realtime.Admission;
import dev.takt.realtime.AdmissionAnswer;
import dev.takt.realtime.AdmissionRequest;
import dev.takt.realtime.PassiveServer;
import dev.takt.realtime.Periodic;
import dev.takt.realtime.ReleaseParameters;
import dev.takt.realtime.Supervised;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each test with each scheduler; a scheduler that is not permitted degrades, and the rest holds.
 */
@ParameterizedClass
@ValueSource(strings = {"best", "fixed", "deadline", "portable", "none"})
class CpuManagerTest {
  private static final long MS = 1_000_000;

  private final ManagerSettings settings;

  private static final AuthenticationClass DROPS =
      AuthenticationClass.DEFAULT.withOnOverrun(OverrunPolicy.DROP);

  private final BlockingQueue<ManagerEvent> events = new LinkedBlockingQueue<>();

  private final CpuManager manager;

  CpuManagerTest(String scheduler) {
    ManagerSettings defaults = OneProcessor.of(ManagerSettings.defaults().withTrialReleases(100));
    settings =
        switch (scheduler) {
          case "fixed" -> defaults.withScheduler(CpuScheduler.fixedPriority());
          case "deadline" -> defaults.withScheduler(CpuScheduler.deadline());
          case "portable" -> defaults.withScheduler(CpuScheduler.portable());
          case "none" -> defaults.withScheduler(CpuScheduler.none());
          default -> defaults;
        };
    manager = CpuManager.start(settings.withEvents(events::add));
  }

  @AfterEach
  void close() {
    manager.close();
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.startsWith("takt-") && !name.equals("takt-system"));
  }

  private ManagerEvent await(String task, Kind kind) throws InterruptedException {
    ManagerEvent event;
    do {
      event = events.poll(20, TimeUnit.SECONDS);
      assertThat(event).as("%s of %s", kind, task).isNotNull();
    } while (!event.task().equals(task) || event.kind() != kind);
    return event;
  }

  @Test
  void shouldMeasureATaskWithoutABudgetAndThenAdmitItWithWhatItTakes() throws InterruptedException {
    ManagedTask task = manager.register(Profile.of("task", MS), () -> {});
    assertThat(task.state()).isEqualTo(State.TRIAL);
    assertThat(task.costNs()).isEqualTo(MS / 2);

    await("task", Kind.ADMITTED);

    assertThat(task.state()).isEqualTo(State.ADMITTED);
    assertThat(task.measured().releases()).isEqualTo(100);
    assertThat(task.costNs()).isEqualTo(task.measured().boundNs()).isLessThan(MS / 2);
  }

  @Test
  void shouldStartNothingThatIsNotAdmitted() throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(1);
    manager.register(Profile.of("first", 10 * MS), () -> {});
    Profile half = Profile.of("second", 10 * MS).withBudgetNs(5 * MS);
    ManagedTask second = manager.register(half, ran::countDown);

    assertThat(second.state()).isEqualTo(State.REJECTED);
    assertThat(second.decision().reason()).contains("the limit is 70.0 %", "it would fit with");
    assertThat(second.subject()).isNull();
    await("first", Kind.ADMITTED);
    assertThat(ran.getCount()).isEqualTo(1);
    assertThat(manager.register(half, ran::countDown).state())
        .as("the measured cost of the first leaves room")
        .isEqualTo(State.ADMITTED);
    assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void shouldGiveATrialHalfOfWhatIsLeftWhereItsClassWouldAllowMore() {
    List<Long> costsNs = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      ManagedTask each = manager.register(Profile.of("task" + i, 100 * MS), () -> {});
      assertThat(each.state()).isEqualTo(State.TRIAL);
      costsNs.add(each.costNs() / MS);
    }
    assertThat(costsNs.getFirst()).as("what the class allows").isEqualTo(50);
    assertThat(costsNs).isSortedAccordingTo(Comparator.reverseOrder()).doesNotHaveDuplicates();
    assertThat(
            manager.register(Profile.of("more", 100 * MS).withBudgetNs(20 * MS), () -> {}).state())
        .isEqualTo(State.REJECTED);
  }

  @Test
  void shouldRefuseWhatItsClassDoesNotAllow() {
    AuthenticationClass small =
        new AuthenticationClass("small", 0, MS, 50 * MS, 0.1, false, OverrunPolicy.COUNT, 0);

    assertThat(
            manager.register(Profile.of("slow", 51 * MS).in(small), () -> {}).decision().reason())
        .contains("a period of 51 ms (limit of class small: 50 ms");
    assertThat(
            manager
                .register(Profile.of("large", 5 * MS).withBudgetNs(MS).in(small), () -> {})
                .decision()
                .reason())
        .contains("a budget of 1 ms (limit of class small with that period: 500 us");
    assertThat(
            manager
                .register(Profile.of("often", 10_000).withBudgetNs(3_000), () -> {})
                .decision()
                .reason())
        .as("its releases would take the processor, whatever is in them")
        .startsWith("a period of 10 us (limit: 100 us at least");
    assertThat(manager.tasks()).isEmpty();
  }

  @Test
  void shouldDisplaceATaskOfALowerRank() {
    AuthenticationClass vip =
        new AuthenticationClass("vip", 1, 100 * MS, 100 * MS, 1, true, OverrunPolicy.COUNT, 5 * MS);
    ManagedTask low = manager.register(Profile.of("low", 10 * MS).withBudgetNs(5 * MS), () -> {});
    ManagedTask high =
        manager.register(Profile.of("high", 10 * MS).withBudgetNs(5 * MS).in(vip), () -> {});

    assertThat(high.state()).isEqualTo(State.ADMITTED);
    assertThat(high.decision().displaced()).containsExactly("low");
    assertThat(low.state()).isEqualTo(State.DISPLACED);
    assertThatThrownBy(() -> manager.register(low.profile(), () -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("low was displaced, and may come back");
  }

  @Test
  void shouldGiveTheShareOfATaskThatIsRemovedToOthers() {
    Profile half = Profile.of("first", 10 * MS).withBudgetNs(5 * MS);
    ManagedTask first = manager.register(half, () -> {});
    assertThatThrownBy(() -> manager.register(half, () -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("first is admitted already");

    while (!manager.remove(first)) {
      Thread.onSpinWait(); // its release ends by itself
    }

    assertThat(first.state()).isEqualTo(State.ENDED);
    assertThat(manager.register(half, () -> {}).state()).isEqualTo(State.ADMITTED);
  }

  @Test
  void shouldDropATaskThatSleepsWhileOthersGoOn() throws InterruptedException {
    Profile profile = Profile.of("sleeper", MS).withBudgetNs(MS / 4).in(DROPS);
    ManagedTask task =
        manager.register(
            profile,
            () -> {
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    AtomicReference<CountDownLatch> later = new AtomicReference<>(new CountDownLatch(1));
    manager.register(Profile.of("other", MS).withBudgetNs(MS / 4), () -> later.get().countDown());

    await("sleeper", Kind.DROPPED);

    assertThat(task.state()).isEqualTo(State.DROPPED);
    assertThat(manager.tasks()).extracting(ManagedTask::name).contains("other");
    later.set(new CountDownLatch(10));
    assertThat(later.get().await(20, TimeUnit.SECONDS)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEMOTE", "DROP"})
  void shouldTakeThePriorityOfAnEndlessLoopThatNobodyCanStop(OverrunPolicy policy)
      throws InterruptedException {
    AtomicInteger stop = new AtomicInteger();
    Profile profile =
        Profile.of("loop", MS)
            .withBudgetNs(MS / 4)
            .in(AuthenticationClass.DEFAULT.withOnOverrun(policy));
    ManagedTask task =
        manager.register(
            profile,
            () -> {
              while (stop.get() == 0) {
                Thread.onSpinWait();
              }
            });
    try {
      await("loop", Kind.OVERRUN);
      await("loop", policy == OverrunPolicy.DROP ? Kind.UNSTOPPABLE : Kind.DEMOTED);

      assertThat(task.state())
          .isEqualTo(policy == OverrunPolicy.DROP ? State.UNSTOPPABLE : State.DEMOTED);
      assertThat(task.subject().grant()).isNotNull();
      assertThat(manager.register(profile, () -> {}).state())
          .as("its share is free")
          .isEqualTo(State.ADMITTED);
    } finally {
      stop.set(1);
    }
  }

  @Test
  void shouldCountOverrunsAndGoOnWhenThePolicySaysSo() throws InterruptedException {
    long[] untilNs = {0};
    Profile profile =
        Profile.of("late", 20 * MS)
            .withBudgetNs(MS)
            .in(AuthenticationClass.DEFAULT.withOnOverrun(OverrunPolicy.COUNT).withGraceNs(0));
    ManagedTask task =
        manager.register(
            profile,
            () -> {
              untilNs[0] = System.nanoTime() + 4 * MS;
              while (System.nanoTime() < untilNs[0]) {
                Thread.onSpinWait();
              }
            });

    await("late", Kind.OVERRUN);
    await("late", Kind.OVERRUN);

    assertThat(task.state()).isEqualTo(State.ADMITTED);
    assertThat(task.overruns()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void shouldReportWhatEscapesFromAReleaseAndGoOn() throws InterruptedException {
    manager.register(
        Profile.of("task", MS).withBudgetNs(MS / 4),
        () -> {
          throw new IllegalStateException("boom");
        });

    assertThat(await("task", Kind.FAILED).detail()).contains("boom");
    await("task", Kind.FAILED);
  }

  @Test
  void shouldGoOnWhenTheReceiverOfEventsThrows() throws InterruptedException {
    BlockingQueue<ManagerEvent.Kind> seen = new LinkedBlockingQueue<>();
    BlockingQueue<Throwable> uncaught = new LinkedBlockingQueue<>();
    ManagerSettings throwing =
        settings.withEvents(
            event -> {
              seen.add(event.kind());
              throw new IllegalStateException("thrown by a test");
            });
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((_, thrown) -> uncaught.add(thrown));
    try (CpuManager other = CpuManager.start(throwing)) {
      other.register(Profile.of("task", MS), () -> {});
      for (Kind each : List.of(Kind.TRIAL, Kind.MEASURED, Kind.ADMITTED)) {
        Kind next;
        do {
          next = seen.poll(20, TimeUnit.SECONDS); // an overrun may come between
          assertThat(next).as("%s", each).isNotNull();
        } while (next != each);
      }
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertThat(uncaught)
        .isNotEmpty()
        .allSatisfy(each -> assertThat(each).hasMessageContaining("by a test"));
  }

  @Test
  void shouldAdmitTheTasksOfARuntimeUntilTheyEnd() {
    Admission admission = manager.admission(AuthenticationClass.DEFAULT);
    Periodic half = Periodic.ofNs(10 * MS).withBudgetNs(5 * MS);

    AdmissionAnswer first = admission.decide(request("a", half));
    assertThat(first.refusal()).isNull();
    assertThat(admission.decide(request("b", half)).refusal()).contains("the limit is 70.0 %");
    first.ended();
    first.ended();
    assertThat(admission.decide(request("b", half)).refusal()).isNull();
    assertThat(admission.decide(request("b", half)).refusal()).as("once").isNotNull();
    assertThat(manager.tasks()).extracting(ManagedTask::name).containsExactly("b");
  }

  @Test
  void shouldReportNobodyAsRejectedWhoHasNotAskedForAServer() {
    for (String each : List.of("half", "most of the rest")) {
      long budgetNs = each.equals("half") ? 5 * MS : MS;
      manager.register(Profile.of(each, 10 * MS).withBudgetNs(budgetNs), () -> {});
    }
    Admission admission = manager.admission(AuthenticationClass.DEFAULT);
    AdmissionRequest passive = request("passive", Periodic.ofNs(10 * MS));

    assertThat(admission.server(passive, null).isBestEffort()).isTrue();
    assertThat(events).extracting(ManagerEvent::kind).contains(Kind.BEST_EFFORT);
    assertThat(events).extracting(ManagerEvent::kind).doesNotContain(Kind.REJECTED);
    assertThat(admission.server(passive, PassiveServer.DEFAULT).refusal()).isNotNull();
    assertThat(events).extracting(ManagerEvent::kind).contains(Kind.REJECTED);
  }

  @Test
  void shouldKeepATaskWhoseCodeRenamesItsThread() throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(3);
    ManagedTask task =
        manager.register(
            Profile.of("task", MS).withBudgetNs(MS / 4),
            () -> {
              Thread.currentThread().setName("io");
              ran.countDown();
            });
    assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(task.subject().name()).isEqualTo("task");
  }

  @Test
  void shouldNotRemoveATaskOfAnotherManagerForItsName() {
    Profile half = Profile.of("task", 10 * MS).withBudgetNs(5 * MS);
    ManagedTask mine = manager.register(half, () -> {});
    try (CpuManager other = CpuManager.start(settings.withEvents(_ -> {}))) {
      ManagedTask its = other.register(half, () -> {});
      assertThatThrownBy(() -> manager.remove(its))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("task task is not one of this CPU manager");
      assertThat(its.state()).isEqualTo(State.ADMITTED);
    }
    assertThat(mine.state()).isEqualTo(State.ADMITTED);
    while (!manager.remove(mine)) {
      Thread.onSpinWait(); // its release ends by itself
    }
    assertThat(manager.remove(mine)).isTrue();
    assertThat(mine.state()).isEqualTo(State.ENDED);
  }

  @Test
  void shouldStartNothingWhenTheReceiverOfItsAdmissionClosesTheManager() {
    AtomicReference<CpuManager> closing = new AtomicReference<>();
    ManagerSettings closes =
        settings.withEvents(
            event -> {
              if (event.kind() != Kind.SHORTFALL) { // it comes before the manager is known
                closing.get().close();
              }
            });
    try (CpuManager other = CpuManager.start(closes)) {
      closing.set(other);
      assertThatThrownBy(() -> other.register(Profile.of("task", MS), () -> {}))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
      assertThat(other.tasks()).isEmpty();
    }
  }

  @Test
  void shouldNameTheBudgetThatIsOutOfRange() {
    assertThatThrownBy(() -> Profile.of("task", MS).withBudgetNs(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("budgetNs=-1");
  }

  private static AdmissionRequest request(String name, ReleaseParameters parameters) {
    return new AdmissionRequest(name, CpuManagerTest.class, parameters, 1);
  }

  @Test
  void shouldRefuseEverythingWhenItIsClosed() {
    manager.close();
    manager.close();

    assertThatThrownBy(() -> manager.register(Profile.of("task", MS), () -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThat(List.copyOf(manager.tasks())).isEmpty();
  }

  @Test
  void shouldInterruptAReleaseThatDoesNotEndWhenItIsClosed() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    Profile hourly = Profile.of("waits", 3_600_000 * MS).withBudgetNs(MS);
    ManagedTask task =
        manager.register(
            hourly,
            () -> {
              begun.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                interrupted.countDown();
              }
            });
    assertThat(task.state()).isEqualTo(State.ADMITTED);
    assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
    manager.close();

    assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
  }

  /** Else a task could give itself back what it has lost, and end those of others. */
  @Test
  void shouldGiveATaskNothingToSuperviseItselfOrOthersBy() throws InterruptedException {
    CompletableFuture<Thread> thread = new CompletableFuture<>();
    try (CpuManager manager = CpuManager.start(ManagerSettings.defaults())) {
      manager.register(
          Profile.of("task", 10_000_000).withBudgetNs(1_000_000),
          () -> thread.complete(Thread.currentThread()));
      assertThat(thread.join()).isNotInstanceOf(Supervised.class);
    }
    assertThat(ManagedTask.class.getMethods())
        .noneMatch(each -> Supervised.class.isAssignableFrom(each.getReturnType()));
  }

  /** A log or a terminal would obey them. */
  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a\nWARNING: task b: dropped", "a\u001b[31m", "a\u202eb"})
  void shouldRefuseANameThatIsNotShownAsItIs(String name) {
    assertThatThrownBy(() -> Profile.of(name, 10_000_000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected: not blank, without control characters")
        .message()
        .doesNotContain("\n", "\u001b", "\u202e");
  }
}
