package dev.takt.stress.ready;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.LeakCheck;
import dev.takt.testkit.Seeds;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is ready to run is run, by one thread at a time, in every interleaving that is tried; and a
 * fault in its state is noticed.
 */
@ExtendWith(LeakCheck.class)
class ReadyHistoryTest {
  static Stream<Schedules.Mutant> mutants() {
    return Stream.of(
        // It comes to rest although another run was ordered.
        new Schedules.Mutant("ReadyState.finish", "compareAndSet", true),
        // Two threads may queue it.
        new Schedules.Mutant("ReadyState.makeReady", "compareAndSet", true),
        // It never reports that another thread was quicker.
        new Schedules.Mutant("ReadyState.claimIdle", "compareAndSet", true),
        // It stays queued while it runs, and a run that is ordered meanwhile is forgotten.
        new Schedules.Mutant("ReadyState.claim", "compareAndSet", null),
        // A place of the queue is filled although another thread was quicker.
        new Schedules.Mutant("ReadyQueue.push", "compareAndSet", true));
  }

  @Test
  void shouldRunEverythingThatIsReadyWhateverTheInterleaving() {
    Schedules.Found found = Schedules.search(ReadyRun.class, name -> false, null);
    assertThat(found.violation()).as(Seeds.replay(found.seed())).isNull();
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void shouldCatchFaultInState(Schedules.Mutant mutant) {
    Schedules.Found found = Schedules.search(ReadyRun.class, name -> false, mutant.fault());
    assertThat(mutant.places()).as("places for: %s", mutant).hasPositiveValue();
    assertThat(found.violation()).as("survived: %s", mutant).isNotNull();
  }
}
