package dev.takt.stress.woven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.takt.cpu.AuthenticationClass;
import dev.takt.cpu.CodeClass;
import dev.takt.cpu.CpuManager;
import dev.takt.cpu.CpuScheduler;
import dev.takt.cpu.InstalledManager;
import dev.takt.cpu.ManagedTask;
import dev.takt.cpu.ManagedTask.State;
import dev.takt.cpu.ManagerEvent;
import dev.takt.cpu.ManagerSettings;
import dev.takt.cpu.OverrunPolicy;
import dev.takt.cpu.Profile;
import dev.takt.realtime.Admission;
import dev.takt.realtime.PassiveServer;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.RuntimeScheduling;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.stress.PlainTask;
import dev.takt.testkit.LeakCheck;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a CPU manager makes of the tasks of runtimes, and that their shares come back once. */
@ExtendWith(LeakCheck.class)
class AdmittedRuntimeTest {
  private static final long MS = 1_000_000;
  private static final Duration LONG = Duration.ofSeconds(20);

  private static final AuthenticationClass ALL_OF_IT =
      new AuthenticationClass("all", 0, 1_000 * MS, 1_000 * MS, 1, false, OverrunPolicy.COUNT, 0);

  private static final Schedule HALF = Schedule.periodic(100 * MS).budgetNs(50 * MS);

  private final EventSpace space = EventSpace.create();
  private final BlockingQueue<ManagerEvent> events = new LinkedBlockingQueue<>();
  private final CpuManager manager =
      CpuManager.start(
          ManagerSettings.defaults()
              .withScheduler(CpuScheduler.fixedPriority()) // also where it is not granted
              .withEvents(events::add));

  @AfterEach
  void close() {
    manager.close();
    assertThat(Admission.installed()).isSameAs(Admission.ALL);
  }

  private RuntimeSettings settings(AuthenticationClass authentication) {
    return RuntimeSettings.DEFAULTS
        .withWarmUpNs(0)
        .withScheduling(RuntimeScheduling.NONE)
        .withAdmission(manager.admission(authentication));
  }

  private ReflexRuntime runtime() {
    return ReflexRuntime.create(space, settings(ALL_OF_IT));
  }

  private void assertFree() {
    assertThat(manager.tasks()).isEmpty();
    ManagedTask probe =
        manager.register(new Profile("probe", 100 * MS, 100 * MS, 70 * MS, ALL_OF_IT), () -> {});
    assertThat(probe.state()).as("all of it is free").isEqualTo(State.ADMITTED);
    assertThat(manager.register(new Profile("more", MS, MS, MS / 10, ALL_OF_IT), () -> {}).state())
        .as("and not more")
        .isEqualTo(State.REJECTED);
    while (!manager.remove(probe)) {
      Thread.onSpinWait(); // its release ends by itself
    }
  }

  private State state(String name) {
    return manager.tasks().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow()
        .state();
  }

  private ManagerEvent await(ManagerEvent.Kind kind) throws InterruptedException {
    ManagerEvent event;
    do {
      event = events.poll(20, TimeUnit.SECONDS);
      assertThat(event).as("%s", kind).isNotNull();
    } while (event.kind() != kind);
    return event;
  }

  @Test
  void shouldSayWhyATaskIsNotAdmittedAndWhatWouldBe() {
    try (ReflexRuntime runtime = runtime()) {
      runtime.active("first", new SteadyTask(), HALF);

      assertThatThrownBy(() -> runtime.active("second", new SteadyTask(), HALF))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "task second is not admitted: with it 2 tasks would take 100.0 % of the processor,"
                  + " the limit is 70.0 %; it would fit with a cost of 20 ms at most, or with"
                  + " a period of 250 ms at least");
      assertThat(runtime.tasks()).hasSize(1);
      runtime.active("second", new SteadyTask(), HALF.budgetNs(19 * MS));
    }
    assertFree();
  }

  @Test
  void shouldTryTasksWithoutABudgetWithinTheirClass() throws InterruptedException {
    try (ReflexRuntime runtime =
        ReflexRuntime.create(space, settings(AuthenticationClass.DEFAULT))) {
      runtime.active("first", new SteadyTask(), Schedule.periodic(MS));
      assertThat(state("first")).isEqualTo(State.TRIAL);
      runtime.active("second", new SteadyTask(), Schedule.periodic(MS));
      assertThat(state("second")).as("half of what is left").isEqualTo(State.TRIAL);
      Schedule fifth = Schedule.periodic(MS).budgetNs(MS / 5);
      assertThatThrownBy(() -> runtime.active("third", new SteadyTask(), fifth))
          .hasMessageContaining("task third is not admitted");
      runtime.start();
      await(ManagerEvent.Kind.MEASURED);
    }
    assertFree();
  }

  @Test
  void shouldTellTasksOfOneNameApart() {
    try (ReflexRuntime first = runtime()) {
      first.active("feed", new SteadyTask(), HALF.budgetNs(30 * MS));
      try (ReflexRuntime second = runtime()) {
        second.active("feed", new SteadyTask(), HALF.budgetNs(30 * MS));
        assertThat(manager.tasks()).extracting(ManagedTask::name).containsExactly("feed", "feed-2");
        first.start();
        second.start();
      }
      assertThat(manager.tasks()).extracting(ManagedTask::name).containsExactly("feed");
      try (ReflexRuntime third = runtime()) {
        third.active("feed", new SteadyTask(), HALF.budgetNs(30 * MS));
        assertThat(manager.tasks()).extracting(ManagedTask::name).containsExactly("feed", "feed-2");
      }
    }
    assertFree();
  }

  @Test
  void shouldTakeWhatNothingBoundsAsBestEffort() {
    try (ReflexRuntime runtime = runtime()) {
      TaskControl spins = runtime.active("spins", new SteadyTask(), Schedule.continuous());
      TaskControl large =
          runtime.active("large", new SteadyTask(), HALF.budgetNs(90 * MS).asBestEffort());
      runtime.start();

      assertThat(List.of(spins, large))
          .extracting(TaskControl::priority)
          .containsOnly(ReflexRuntime.MIN_PRIORITY);
      assertThat(manager.tasks())
          .extracting(ManagedTask::state)
          .containsOnly(State.BEST_EFFORT)
          .hasSize(2);
      assertThat(manager.tasks().getFirst().decision().reason())
          .startsWith("best effort, because nothing bounds Continuous");
      assertThat(large.grant().scheduling().policy()).isEqualTo(Policy.OTHER);
    }
    assertThat(events)
        .extracting(ManagerEvent::kind)
        .filteredOn(kind -> kind != ManagerEvent.Kind.SHORTFALL) // where nothing is granted
        .containsOnly(ManagerEvent.Kind.BEST_EFFORT, ManagerEvent.Kind.ENDED);
    assertFree();
  }

  @Test
  void shouldScheduleThreadsInTheOrderThatWasAnalysed() {
    try (ReflexRuntime runtime = runtime()) {
      TaskControl slow = runtime.active("slow", new SteadyTask(), HALF.budgetNs(MS).priority(90));
      TaskControl fast =
          runtime.active(
              "fast", new SteadyTask(), Schedule.periodic(50 * MS).budgetNs(MS).priority(1));
      runtime.start();
      assertThat(asked(runtime, "takt-slow")).isEqualTo("FIFO 79");
      assertThat(asked(runtime, "takt-fast")).isEqualTo("FIFO 80");

      TaskControl faster =
          runtime.active("faster", new SteadyTask(), Schedule.periodic(20 * MS).budgetNs(MS));
      assertThat(asked(runtime, "takt-faster")).isEqualTo("FIFO 80");
      assertThat(asked(runtime, "takt-fast")).isEqualTo("FIFO 79");
      assertThat(asked(runtime, "takt-slow")).isEqualTo("FIFO 78");
      assertThat(List.of(slow, fast, faster))
          .extracting(TaskControl::priority)
          .as("within the runtime")
          .containsExactly(90, 1, Schedule.DEFAULT_PRIORITY);
    }
    assertFree();
  }

  /** What a thread has asked for, without its processors. */
  private static String asked(ReflexRuntime runtime, String thread) {
    ThreadScheduling asked =
        runtime.grants().threads().stream()
            .filter(each -> each.thread().equals(thread))
            .findFirst()
            .orElseThrow()
            .asked();
    return asked.policy() + " " + asked.priority();
  }

  @ParameterizedTest
  @ValueSource(strings = {"close", "abort", "stop task", "not started", "twice"})
  void shouldGiveSharesBackOnceHoweverATaskEnds(String how) throws InterruptedException {
    ReflexRuntime runtime = ReflexRuntime.create(space, settings(AuthenticationClass.DEFAULT));
    TaskControl task = runtime.active("task", new SteadyTask(), Schedule.periodic(MS));
    runtime.passive("passive", new TakingTask(1), Schedule.onMatch());
    if (!how.equals("not started")) {
      runtime.start();
    }
    switch (how) {
      case "abort" -> runtime.abort();
      case "stop task" -> {
        task.stop("enough");
        await(ManagerEvent.Kind.ENDED);
      }
      case "twice" -> runtime.stop(LONG);
      default -> {}
    }
    runtime.close();
    assertFree();
  }

  @Test
  void shouldGiveTheShareBackOfATaskThatCannotBeRegistered() {
    try (ReflexRuntime runtime = runtime()) {
      runtime.start();
      ReflexTask shared = new SteadyTask();
      runtime.active("shared", shared, HALF.budgetNs(MS));
      assertThatThrownBy(() -> runtime.active("fails", new FailingTask(), HALF.budgetNs(60 * MS)))
          .hasMessageContaining("not today");
      assertThatThrownBy(() -> runtime.active("again", shared, HALF.budgetNs(60 * MS)))
          .hasMessageContaining("the same object is registered");
      assertThatThrownBy(() -> runtime.active("plain", new PlainTask(), HALF.budgetNs(60 * MS)))
          .hasMessageContaining("is not woven");
      assertThat(manager.tasks()).extracting(ManagedTask::name).containsExactly("shared");
    }
    assertFree();
  }

  @Test
  void shouldEndTheServerOfAFirstTaskThatIsRefused() {
    RuntimeSettings asked =
        settings(ALL_OF_IT).withPassiveServer(new PassiveServer(2 * MS, 10 * MS));
    try (ReflexRuntime runtime = ReflexRuntime.create(space, asked)) {
      assertThatThrownBy(
              () ->
                  runtime.passive("large", new TakingTask(9), Schedule.onMatch().budgetNs(3 * MS)))
          .hasMessageContaining("task large is not admitted");
      assertThat(manager.tasks()).isEmpty();
      assertThatThrownBy(() -> runtime.passive("plain", new PlainTask(), Schedule.onMatch()))
          .hasMessageContaining("is not woven");

      runtime.passive("small", new TakingTask(1), Schedule.onMatch());

      assertThat(manager.tasks())
          .extracting(ManagedTask::name)
          .containsExactly("server of small", "small");
    }
    assertFree();
  }

  @Test
  void shouldServePassiveTasksTogetherAsOneThatIsAdmitted() throws InterruptedException {
    RuntimeSettings asked =
        settings(ALL_OF_IT).withPassiveServer(new PassiveServer(2 * MS, 10 * MS));
    try (ReflexRuntime runtime = ReflexRuntime.create(space, asked)) {
      for (int i = 0; i < 3; i++) {
        runtime.passive("passive" + i, new TakingTask(i), Schedule.onMatch());
      }
      assertThatThrownBy(
              () ->
                  runtime.passive("large", new TakingTask(9), Schedule.onMatch().budgetNs(3 * MS)))
          .hasMessageContaining(
              "task large is not admitted: a budget of 3 ms (limit: the budget of the server of the"
                  + " passive tasks, 2 ms");
      runtime.start();
      assertThat(runtime.grants().threads()).hasSize(1);
      assertThat(asked(runtime, "takt-worker-0")).isEqualTo("FIFO 80");
      for (int i = 0; i < 3; i++) {
        space.write(new Event("task", (long) i));
        assertThat(space.take(new Event("taken", (long) i), LONG)).isNotNull();
      }
      assertThat(manager.tasks())
          .filteredOn(each -> each.state().isAdmitted())
          .extracting(ManagedTask::name, ManagedTask::costNs)
          .containsExactly(tuple("server of passive0", 2 * MS));
      assertThatThrownBy(() -> runtime.active("active", new SteadyTask(), HALF.budgetNs(60 * MS)))
          .as("the server counts")
          .hasMessageContaining("with it 2 tasks would take 80.0 % of the processor");
    }
    assertFree();
  }

  @Test
  void shouldRefuseAServerThatDoesNotFitUnlessNobodyHasAskedForIt() throws InterruptedException {
    try (ReflexRuntime runtime =
        ReflexRuntime.create(
            space, settings(ALL_OF_IT).withPassiveServer(new PassiveServer(8 * MS, 10 * MS)))) {
      assertThatThrownBy(() -> runtime.passive("passive", new TakingTask(1), Schedule.onMatch()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(
              "task passive is not admitted: the server of the passive tasks: it alone would take"
                  + " 80.0 % of the processor, the limit is 70.0 %");
    }
    try (ReflexRuntime runtime = runtime()) {
      runtime.active("first", new SteadyTask(), HALF.budgetNs(60 * MS));
      runtime.passive("passive", new TakingTask(1), Schedule.onMatch());
      assertThat(state("server of passive")).isEqualTo(State.BEST_EFFORT);
      assertThat(state("passive")).isEqualTo(State.SERVED);
      runtime.start();
      space.write(new Event("task", 1L));
      assertThat(space.take(new Event("taken", 1L), LONG)).isNotNull();
    }
    assertFree();
  }

  @ParameterizedTest
  @EnumSource(names = {"DEMOTE", "DROP"})
  void shouldDropAPassiveTaskThatDoesNotEndAndServeTheOthers(OverrunPolicy policy)
      throws InterruptedException {
    try (ReflexRuntime runtime =
        ReflexRuntime.create(space, settings(AuthenticationClass.DEFAULT.withOnOverrun(policy)))) {
      TaskControl runaway =
          runtime.passive("runaway", new PassiveRunawayTask(), Schedule.onMatch());
      runtime.passive("steady", new TakingTask(1), Schedule.onMatch());
      runtime.start();
      for (long i = 0; i < 30; i++) {
        space.write(new Event("go", i));
        assertThat(space.take(new Event("went", null), LONG)).isNotNull();
      }

      space.write(new Event("go", -1L));
      assertThat(await(ManagerEvent.Kind.DROPPED).task()).isEqualTo("runaway");

      assertThat(runaway.isStopped()).isTrue();
      assertThat(space.test(new Event("went", null))).as("undone").isFalse();
      space.write(new Event("task", 1L));
      assertThat(space.take(new Event("taken", 1L), LONG)).isNotNull();
      assertThat(asked(runtime, "takt-worker-0")).isEqualTo("FIFO 80");
    }
    assertFree();
  }

  @Test
  void shouldNotServeATaskOfALowerClassAsOneOfAHigher() {
    AuthenticationClass vendor =
        new AuthenticationClass("vendor", 2, MS, 100 * MS, 0.5, false, OverrunPolicy.DROP, MS);
    ManagerSettings byCode =
        ManagerSettings.defaults()
            .withClasses(
                code ->
                    CodeClass.of(
                        "", code == TakingTask.class ? vendor : AuthenticationClass.DEFAULT));
    RuntimeSettings settings =
        RuntimeSettings.DEFAULTS.withWarmUpNs(0).withScheduling(RuntimeScheduling.NONE);
    CpuManager installed = CpuManager.start(byCode);
    try (InstalledManager _ = installed.install()) {
      shouldNotServe(installed, settings);
    }
  }

  private void shouldNotServe(CpuManager installed, RuntimeSettings settings) {
    assertThatThrownBy(() -> Admission.install(Admission.ALL))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("binding");
    // An application cannot leave out what is binding.
    try (ReflexRuntime runtime =
        ReflexRuntime.create(space, settings.withAdmission(Admission.ALL))) {
      runtime.passive("vendor's", new TakingTask(1), Schedule.onMatch());
      assertThatThrownBy(
              () -> runtime.passive("mine", new PassiveRunawayTask(), Schedule.onMatch()))
          .hasMessageContaining(
              "its class is default, and the passive tasks of this runtime are served in class"
                  + " vendor; register it in a runtime of its own");
      assertThat(installed.tasks())
          .extracting(ManagedTask::name, ManagedTask::state)
          .contains(tuple("vendor's", State.SERVED));
    }
    assertThat(installed.tasks()).isEmpty();
  }

  @Test
  void shouldAdmitNothingMoreWhenTheManagerIsClosedAndLeaveTheRestAlone()
      throws InterruptedException {
    try (ReflexRuntime runtime = runtime()) {
      runtime.active("steady", new SteadyTask(), Schedule.periodic(MS).budgetNs(MS / 10));
      runtime.start();
      manager.close();
      assertThatThrownBy(() -> runtime.active("late", new SteadyTask(), HALF))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the CPU manager is closed");
      space.takeAll(new Event("steady", null), 1_000, each -> {});
      assertThat(space.take(new Event("steady", null), LONG)).isNotNull();
    }
    assertThat(manager.tasks()).isEmpty();
  }
}
