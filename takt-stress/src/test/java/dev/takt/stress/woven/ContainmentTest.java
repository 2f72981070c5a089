package dev.takt.stress.woven;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cpu.AuthenticationClass;
import dev.takt.cpu.CpuManager;
import dev.takt.cpu.ManagedTask;
import dev.takt.cpu.ManagerEvent;
import dev.takt.cpu.ManagerSettings;
import dev.takt.cpu.OverrunPolicy;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeScheduling;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.testkit.LeakCheck;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
      TaskControl control = runtime.active("runaway", new RunawayTask(form), EACH_10_MS);
      runtime.start();

      awaitDropped(1);

      assertThat(control.isStopped()).isTrue();
      assertThat(control.running()).isNull();
      assertThat(space.test(new Event("runaway", null))).as("undone").isFalse();
      assertOthersGoOn();
      assertThat(manager.tasks())
          .filteredOn(each -> each.state().isAdmitted())
          .extracting(ManagedTask::name)
          .containsExactly("steady");
    }
  }

  @Test
  void shouldDropThreeAtOnce() throws InterruptedException {
    try (CpuManager manager = CpuManager.start(ManagerSettings.defaults().withEvents(events::add));
        ReflexRuntime runtime = runtime(manager)) {
      runtime.active("steady", new SteadyTask(), EACH_10_MS);
      for (RunawayTask.Form form :
          List.of(RunawayTask.Form.LOOP, RunawayTask.Form.RECURSION, RunawayTask.Form.SWALLOWING)) {
        runtime.active("runaway " + form, new RunawayTask(form), EACH_10_MS);
      }
      runtime.start();

      awaitDropped(3);

      assertThat(space.test(new Event("runaway", null))).as("undone").isFalse();
      assertOthersGoOn();
    }
  }
}
