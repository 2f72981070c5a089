package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.stress.ready.Schedules;
import dev.takt.stress.ready.Schedules.Mutant;
import dev.takt.stress.woven.TakingTask;
import dev.takt.testkit.LeakCheck;
import dev.takt.testkit.Seeds;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Passive tasks and their runtime lose no event in every schedule that is tried. */
@ExtendWith(LeakCheck.class)
class RuntimeScheduleTest {
  private static Schedules.Found search(Class<? extends RuntimeRun> run, Mutant mutant) {
    return Schedules.search(
        run,
        name -> name.startsWith("dev.takt.reflex.") || name.startsWith(TakingTask.class.getName()),
        mutant == null ? null : mutant.fault());
  }

  static Stream<Mutant> passiveMutants() {
    return Stream.of(
        new Mutant("ReadyState.finish", "compareAndSet", true),
        new Mutant("ReadyState.makeReady", "compareAndSet", true),
        new Mutant("ReadyState.claim", "compareAndSet", null),
        new Mutant("PassiveRunner.run", "finish", false));
  }

  static Stream<Mutant> lifeCycleMutants() {
    return Stream.of(
        // A phase is entered from any other one.
        new Mutant("RuntimePhase.enter", "mayFollow", true),
        // The last release that ends does not end what the runtime holds.
        new Mutant("ReflexRuntime.onThreadEnd", "finish", null),
        // A release begins although the runtime stops.
        new Mutant("ReflexRuntime.doWork", "mayRelease", true));
  }

  @Test
  void shouldReleaseForEachEventWhateverTheSchedule() {
    Schedules.Found found = search(PassiveRun.class, null);
    assertThat(found.violation()).as(Seeds.replay(found.seed())).isNull();
  }

  @Test
  void shouldStopAndDrainWhateverTheSchedule() {
    Schedules.Found found = search(LifeCycleRun.class, null);
    assertThat(found.violation()).as(Seeds.replay(found.seed())).isNull();
  }

  @ParameterizedTest
  @MethodSource("passiveMutants")
  void shouldCatchFaultInPassiveTasks(Mutant mutant) {
    shouldCatch(PassiveRun.class, mutant);
  }

  @ParameterizedTest
  @MethodSource("lifeCycleMutants")
  void shouldCatchFaultInLifeCycle(Mutant mutant) {
    shouldCatch(LifeCycleRun.class, mutant);
  }

  private static void shouldCatch(Class<? extends RuntimeRun> run, Mutant mutant) {
    Schedules.Found found = search(run, mutant);
    assertThat(mutant.places()).as("places for: %s", mutant).hasPositiveValue();
    assertThat(found.violation()).as("survived: %s", mutant).isNotNull();
  }
}
