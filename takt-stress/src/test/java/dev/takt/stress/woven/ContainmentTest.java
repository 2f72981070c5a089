package dev.takt.stress.woven;

import static dev.takt.cpu.OverrunPolicy.COUNT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cpu.AuthenticationClass;
import dev.takt.cpu.CpuManager;
import dev.takt.cpu.CpuScheduler;
import dev.takt.cpu.ManagedTask;
import dev.takt.cpu.ManagerEvent;
import dev.takt.cpu.ManagerSettings;
import dev.takt.cpu.OverrunPolicy;
import dev.takt.cpu.Profile;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeScheduling;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.testkit.LeakCheck;
import dev.takt.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Woven tasks that do not end are dropped and undone; the others go on. */
@ExtendWith(LeakCheck.class)
class ContainmentTest {
  private static final AuthenticationClass DROPS =
      AuthenticationClass.DEFAULT.withOnOverrun(OverrunPolicy.DROP);

  private static final Schedule EACH_10_MS = Schedule.periodic(10_000_000).budgetNs(1_000_000);

  private final EventSpace space = EventSpace.create();
  private final BlockingQueue<ManagerEvent> events = new LinkedBlockingQueue<>();

  private ReflexRuntime runtime(CpuManager manager) {
    return ReflexRuntime.create(
        space,
        RuntimeSettings.DEFAULTS
            .withWorkers(1)
            .withWarmUpNs(0)
            .withScheduling(RuntimeScheduling.NONE)
            .withAdmission(manager.admission(DROPS)));
  }

  private void awaitDropped(int count) throws InterruptedException {
    for (int dropped = 0; dropped < count; ) {
      ManagerEvent event = events.poll(20, TimeUnit.SECONDS);
      assertThat(event).as("%s of %s dropped", dropped, count).isNotNull();
      assertThat(event.kind()).as("%s", event).isNotEqualTo(ManagerEvent.Kind.UNSTOPPABLE);
      dropped += event.kind() == ManagerEvent.Kind.DROPPED ? 1 : 0;
    }
  }

  private void assertOthersGoOn() throws InterruptedException {
    Event steady = new Event("steady", null);
    space.takeAll(steady, 1_000, each -> {});
    for (int i = 0; i < 5; i++) {
      assertThat(space.take(steady, Duration.ofSeconds(20))).isNotNull();
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldDropAndUndoAReleaseThatDoesNotEnd(RunawayTask.Form form) throws InterruptedException {
    try (CpuManager manager = CpuManager.start(ManagerSettings.defaults().withEvents(events::add));
        ReflexRuntime runtime = runtime(manager)) {
      runtime.active("steady", new SteadyTask(), EACH_10_MS);
      RunawayTask task = new RunawayTask(form);
      TaskControl control = runtime.active("runaway", task, EACH_10_MS);
      runtime.start();

      awaitDropped(1);

      assertThat(control.isStopped()).isTrue();
      assertThat(control.running()).isNull();
      assertThat(space.test(new Event("runaway", null))).as("undone").isFalse();
      assertThat(task.releases()).as("undone").isEqualTo(RunawayTask.GOOD_RELEASES);
      assertOthersGoOn();
      assertThat(manager.tasks())
          .filteredOn(each -> each.state().isAdmitted())
          .extracting(ManagedTask::name)
          .containsExactly("steady");
    }
  }

  @Test
  void shouldDropThreeAtOnceAgainAndAgain() throws InterruptedException {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    RunawayTask.Form[] forms = RunawayTask.Form.values();
    for (int round = 0; round < Seeds.size(20, 500); round++) {
      events.clear();
      List<RunawayTask> tasks = new ArrayList<>();
      try (CpuManager manager =
              CpuManager.start(ManagerSettings.defaults().withEvents(events::add));
          ReflexRuntime runtime = runtime(manager)) {
        runtime.active("steady", new SteadyTask(), EACH_10_MS);
        for (int i = 0; i < 3; i++) {
          RunawayTask task = new RunawayTask(forms[random.nextInt(forms.length)]);
          tasks.add(task);
          runtime.active("runaway " + i, task, EACH_10_MS);
        }
        runtime.start();

        awaitDropped(3);

        assertThat(space.test(new Event("runaway", null))).as(Seeds.replay(seed)).isFalse();
        assertThat(tasks)
            .as(Seeds.replay(seed))
            .extracting(RunawayTask::releases)
            .containsOnly((long) RunawayTask.GOOD_RELEASES);
        assertOthersGoOn();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldDropPlainCodeThatDoesNotEnd(RunawayPlain.Form form) throws InterruptedException {
    try (CpuManager manager = CpuManager.start(plainSettings())) {
      Others others = new Others(manager);
      ManagedTask task = manager.register(plain("runaway"), new RunawayPlain(form, 3));

      awaitDropped(1);

      assertThat(task.state()).isEqualTo(ManagedTask.State.DROPPED);
      others.assertGoOn();
    }
  }

  /** Rounds of one or three, in each scheduler that there is for this user. */
  @ParameterizedTest
  @ValueSource(strings = {"best", "portable"})
  void shouldDropPlainCodeAgainAndAgain(String scheduler) throws InterruptedException {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    RunawayPlain.Form[] forms = RunawayPlain.Form.values();
    ManagerSettings settings =
        scheduler.equals("best")
            ? plainSettings()
            : plainSettings().withScheduler(CpuScheduler.portable());
    try (CpuManager manager = CpuManager.start(settings)) {
      Others others = new Others(manager);
      for (int round = 0; round < Seeds.size(50, 2_000); round++) {
        int count = random.nextBoolean() ? 1 : 3;
        List<ManagedTask> tasks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          RunawayPlain.Form form;
          do {
            form = forms[random.nextInt(forms.length)];
            // These have the heap collected, in which all threads stand still: by themselves,
            // above.
          } while (form == RunawayPlain.Form.GROWING || form == RunawayPlain.Form.MONSTER);
          tasks.add(
              manager.register(
                  plain("runaway " + round + " " + i), new RunawayPlain(form, random.nextInt(25))));
        }
        awaitDropped(count);
        assertThat(tasks)
            .as("round %s, %s", round, Seeds.replay(seed))
            .extracting(ManagedTask::state)
            .containsOnly(ManagedTask.State.DROPPED);
      }
      others.assertGoOn();
    }
  }

  private ManagerSettings plainSettings() {
    return ManagerSettings.defaults().withEvents(events::add);
  }

  private static Profile plain(String name) {
    return Profile.of(name, 10_000_000).withBudgetNs(1_000_000).in(DROPS);
  }

  /** Two tasks that share a class with runaways, and are not to be ended with them. */
  private static final class Others {
    private final BlockingQueue<Integer> releases = new ArrayBlockingQueue<>(1_000);

    Others(CpuManager manager) {
      RunawayPlain shared = new RunawayPlain(RunawayPlain.Form.LOOP, Integer.MAX_VALUE);
      for (int i = 0; i < 2; i++) {
        int task = i;
        ManagedTask steady =
            manager.register(
                plain("steady " + i).in(AuthenticationClass.DEFAULT.withOnOverrun(COUNT)),
                () -> {
                  shared.run();
                  releases.offer(task);
                });
        assertThat(steady.state().isAdmitted()).isTrue();
      }
    }

    void assertGoOn() throws InterruptedException {
      releases.clear();
      for (int seen = 0; seen != 3; ) {
        Integer task = releases.poll(20, TimeUnit.SECONDS);
        assertThat(task).isNotNull();
        seen |= 1 << task;
      }
    }
  }
}
