package dev.takt.stress.woven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.cpu.AuthenticationClass;
import dev.takt.cpu.CpuManager;
import dev.takt.cpu.CpuScheduler;
import dev.takt.cpu.ManagedTask;
import dev.takt.cpu.ManagedTask.State;
import dev.takt.cpu.ManagerSettings;
import dev.takt.cpu.OverrunPolicy;
import dev.takt.cpu.Profile;
import dev.takt.persist.PersistSettings;
import dev.takt.persist.Persistence;
import dev.takt.persist.PersistenceTask;
import dev.takt.persist.PersistenceTaskSettings;
import dev.takt.persist.store.FolderStorage;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeScheduling;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.space.EventSpace;
import dev.takt.testkit.LeakCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What a CPU manager makes of the persistence task. */
@ExtendWith(LeakCheck.class)
class AdmittedPersistenceTest {
  private static final long MS = 1_000_000;

  /** Overruns, which another load on this machine may bring about, are counted and no more. */
  private static final AuthenticationClass ALL_OF_IT =
      new AuthenticationClass("all", 0, 1_000 * MS, 1_000 * MS, 1, false, OverrunPolicy.COUNT, 0);

  @TempDir private Path folder;

  private PersistenceTask task(CpuManager manager, ReflexRuntime runtime, long targetPauseNs)
      throws IOException {
    return PersistenceTask.of(
        Persistence.open(FolderStorage.open(folder), PersistSettings.DEFAULTS),
        runtime,
        PersistenceTaskSettings.DEFAULTS
            .withIncrements(targetPauseNs, 100 * MS)
            .withCyclePeriodNs(0)
            .withAdmission(manager.admission(ALL_OF_IT)));
  }

  @Test
  void shouldBeAdmittedBesideTheTasksThatItStoresAndGiveItsShareBack() throws Exception {
    try (CpuManager manager =
            CpuManager.start(
                ManagerSettings.defaults().withScheduler(CpuScheduler.fixedPriority()));
        ReflexRuntime runtime =
            ReflexRuntime.create(
                EventSpace.create(),
                RuntimeSettings.DEFAULTS
                    .withWarmUpNs(0)
                    .withScheduling(RuntimeScheduling.NONE)
                    .withAdmission(manager.admission(ALL_OF_IT)))) {
      runtime.active("feed", new SteadyTask(), Schedule.periodic(100 * MS).budgetNs(50 * MS));
      runtime.start();
      try (PersistenceTask tooLarge = task(manager, runtime, 30 * MS)) {
        assertThatThrownBy(tooLarge::start)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("the persistence task is not admitted")
            .hasMessageContaining("the limit is 70.0 %");
      }
      try (PersistenceTask fits = task(manager, runtime, 10 * MS)) {
        fits.start();
        ManagedTask managed =
            manager.tasks().stream()
                .filter(each -> each.name().equals("persistence"))
                .findFirst()
                .orElseThrow();
        assertThat(managed.state()).isEqualTo(State.ADMITTED);
        assertThat(managed.costNs()).isEqualTo(10 * MS);
        assertThat(fits.request().get(60, TimeUnit.SECONDS).objects()).isPositive();
        assertThat(manager.tasks()).hasSize(2);
      }
      assertThat(manager.tasks()).hasSize(1);
    }
  }

  private static AuthenticationClass ranked(int rank) {
    return new AuthenticationClass(
        "rank " + rank, rank, 100 * MS, 100 * MS, 1, true, OverrunPolicy.COUNT, 50 * MS);
  }

  /** It goes on at the lowest priority meanwhile, and each cycle ends. */
  @Test
  void shouldStoreWhileItIsDisplacedAndWhenItIsReadmitted() throws Exception {
    CpuScheduler scheduler = CpuScheduler.fixedPriority();
    try (CpuManager manager =
            CpuManager.start(
                ManagerSettings.defaults().withScheduler(scheduler).withEvents(event -> {}));
        ReflexRuntime runtime =
            ReflexRuntime.create(
                EventSpace.create(),
                RuntimeSettings.DEFAULTS.withWarmUpNs(0).withScheduling(RuntimeScheduling.NONE));
        PersistenceTask task =
            PersistenceTask.of(
                Persistence.open(FolderStorage.open(folder), PersistSettings.DEFAULTS),
                runtime,
                PersistenceTaskSettings.DEFAULTS
                    .withIncrements(60 * MS, 100 * MS)
                    .withCyclePeriodNs(0)
                    .withAdmission(manager.admission(ranked(0))))) {
      runtime.active("feed", new SteadyTask(), Schedule.periodic(100 * MS));
      runtime.start();
      task.start();
      ManagedTask managed = manager.tasks().getFirst();
      assertThat(managed.state()).isEqualTo(State.ADMITTED);
      assertThat(task.request().get(60, TimeUnit.SECONDS).objects()).isPositive();

      ManagedTask high =
          manager.register(
              Profile.of("high", 100 * MS).withBudgetNs(50 * MS).in(ranked(1)), () -> {});
      assertThat(managed.state()).isEqualTo(State.DISPLACED);
      assertThat(task.request().get(60, TimeUnit.SECONDS).objects()).isPositive();

      while (!manager.remove(high)) {
        Thread.onSpinWait(); // its present release ends by itself
      }
      assertThat(managed.state()).isEqualTo(State.ADMITTED);
      assertThat(task.request().get(60, TimeUnit.SECONDS).objects()).isPositive();
      assertThat(task.progress().failures()).isZero();
    }
  }

  @Test
  void shouldFailTheCycleWhenTheManagerRemovesTheTask() throws Exception {
    try (CpuManager manager = CpuManager.start(ManagerSettings.defaults());
        ReflexRuntime runtime =
            ReflexRuntime.create(
                EventSpace.create(),
                RuntimeSettings.DEFAULTS.withWarmUpNs(0).withScheduling(RuntimeScheduling.NONE))) {
      runtime.active("feed", new SteadyTask(), Schedule.periodic(10 * MS));
      runtime.start();
      try (PersistenceTask task = task(manager, runtime, 10 * MS)) {
        task.start();
        task.request().get(60, TimeUnit.SECONDS);
        ManagedTask only = manager.tasks().getFirst();
        while (!manager.remove(only)) {
          Thread.onSpinWait(); // its release ends by itself
        }
        assertThat(manager.tasks()).isEmpty();
        assertThatThrownBy(() -> task.request().get(60, TimeUnit.SECONDS))
            .hasMessageContaining("removed from the CPU manager");
      }
    }
  }
}
