package dev.takt.rtsj.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.stress.ready.Schedules;
import dev.takt.stress.ready.Schedules.Mutant;
import dev.takt.testkit.LeakCheck;
import dev.takt.testkit.Seeds;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each fire is accounted for, once, in every schedule that is tried; and a fault is noticed. */
@ExtendWith(LeakCheck.class)
class HandlerScheduleTest {
  private static Schedules.Found search(Mutant mutant) {
    return Schedules.search(
        HandlerRun.class,
        name -> name.startsWith("dev.takt.rtsj.event.") && !name.equals(Schedules.class.getName()),
        mutant == null ? null : mutant.fault());
  }

  static Stream<Mutant> mutants() {
    return Stream.of(
        // It comes to rest although another run was ordered.
        new Mutant("ReadyState.finish", "compareAndSet", true),
        // A fire is forgotten when the state changes at the same time.
        new Mutant("ReadyState.makeReady", "compareAndSet", true),
        // Two threads run it.
        new Mutant("ReadyState.claim", "compareAndSet", true),
        // One of two fires at the same time is not counted.
        new Mutant("AsyncEventHandler.count", "compareAndSet", true),
        // The thread that runs the handler does not see that it was closed.
        new Mutant("AsyncEventHandler.beginClose", "makeReady", null));
  }

  @Test
  void shouldAccountForEachFireWhateverTheSchedule() {
    Schedules.Found found = search(null);
    assertThat(found.violation()).as(Seeds.replay(found.seed())).isNull();
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void shouldCatchFaultInStateOfHandler(Mutant mutant) {
    Schedules.Found found = search(mutant);
    assertThat(mutant.places()).as("places for: %s", mutant).hasPositiveValue();
    assertThat(found.violation()).as("survived: %s", mutant).isNotNull();
  }
}
