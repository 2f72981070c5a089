package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.kept.AllocationMeter;
import dev.takt.kept.Busy;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.space.EventSpace;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** In steady state a task allocates nothing while its memory is stored. */
class AllocationTest {
  @ParameterizedTest
  @EnumSource
  void shouldAllocateNothingInTheTasksTime(Scheme scheme) throws IOException {
    MemoryStorage storage = new MemoryStorage();
    Persistence persistence =
        Persistence.open(storage, PersistSettings.DEFAULTS.withScheme(scheme).withGenerations(1));
    AllocationMeter meter = new AllocationMeter();
    long saves = 0;
    try (ReflexRuntime runtime =
        ReflexRuntime.create(
            EventSpace.create(), RuntimeSettings.DEFAULTS.withWarmUpNs(0).withWorkers(1))) {
      runtime.active("busy", new Busy(meter), Schedule.continuous());
      runtime.start();
      while (!meter.isDone()) {
        saves += persistence.begin(runtime).run().barrierSaves();
      }
      assertThat(runtime.tasks().getFirst().failure()).isNull();
    }
    assertThat(saves).as("objects saved by the barrier").isPositive();
    assertThat(meter.leastBytes()).as("bytes in %d releases", AllocationMeter.ROUND).isZero();
  }
}
