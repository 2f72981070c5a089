package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.kept.AllocationMeter;
import dev.takt.kept.Busy;
import dev.takt.kept.Everything;
import dev.takt.persist.journal.FsyncPolicy;
import dev.takt.persist.journal.JournalSettings;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.space.EventSpace;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * In steady state neither a task allocates anything while its memory is stored, nor what stores.
 */
class AllocationTest {
  private static final int CYCLES = Seeds.size(400, 4_000);

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

  @ParameterizedTest
  @EnumSource
  void shouldAllocateNothingInTheTasksTimeWhenTheJournalKeepsItsChanges(FsyncPolicy policy)
      throws IOException {
    AllocationMeter meter = new AllocationMeter();
    JournalSettings settings =
        JournalSettings.DEFAULTS.withPolicy(policy).withSizes(1 << 22, 1 << 18, 1 << 20);
    try (KeptProgram program =
        KeptProgram.open(
            new MemoryStorage(), PersistSettings.DEFAULTS.withGenerations(1), settings)) {
      ReflexRuntime runtime = program.runtime;
      runtime.active("busy", new Busy(meter), Schedule.continuous());
      runtime.start();
      while (!meter.isDone()) {
        program.persistence.begin(runtime).run();
      }
      assertThat(program.journal.failure()).isNull();
    }
    assertThat(meter.leastBytes()).as("bytes in %d releases", AllocationMeter.ROUND).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void shouldAllocateNothingInIncrements(Scheme scheme) throws IOException {
    Persistence persistence =
        Persistence.open(
            new MemoryStorage(),
            PersistSettings.DEFAULTS.withScheme(scheme).withGenerations(1).withBlockBytes(8_192));
    long least = Long.MAX_VALUE;
    long saves = 0;
    try (ReflexRuntime runtime =
        ReflexRuntime.create(
            EventSpace.create(), RuntimeSettings.DEFAULTS.withWarmUpNs(0).withWorkers(1))) {
      runtime.active("busy", new Busy(new AllocationMeter()), Schedule.continuous());
      Everything everything = new Everything();
      runtime.active("everything", everything, Schedule.continuous());
      everything.fill(); // it has constants that no release of it could have
      runtime.start();
      for (int i = 0; i < CYCLES; i++) {
        try (Cycle cycle = persistence.begin(runtime)) {
          long bytes = incrementBytes(cycle);
          least = i < CYCLES / 2 ? least : Math.min(least, bytes);
          saves += cycle.stats().barrierSaves();
          assertThat(cycle.failure()).isNull();
        }
      }
    }
    assertThat(saves).as("objects saved by the barrier").isPositive();
    assertThat(least).as("bytes in the increments of a cycle").isZero();
  }

  /** Returns what the increments of a cycle allocate. */
  private static long incrementBytes(Cycle cycle) throws IOException {
    long bytes = 0;
    CycleState state = CycleState.RUNNING;
    while (state == CycleState.RUNNING || state == CycleState.WAITING) {
      long before = AllocationMeter.bytes();
      state = cycle.step(0);
      bytes += AllocationMeter.bytes() - before;
      cycle.write();
    }
    return bytes;
  }
}
