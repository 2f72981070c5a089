package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What cannot be stored fails the cycle, with value, limit and remedy, and no task. */
class LimitsTest {
  private final MemoryStorage storage = new MemoryStorage();

  @Test
  void shouldFailTheCycleAndNoReleaseWhenTheBarrierSavesTooMuch() throws IOException {
    Persistence persistence =
        Persistence.open(
            storage, PersistSettings.DEFAULTS.withScheme(Scheme.MARKING).withMaxSavedBytes(65_536));
    try (GrowerRuntime grower = new GrowerRuntime(5).start()) {
      grower.advance(200);
      try (Cycle cycle = persistence.begin(grower.runtime)) {
        while (!cycle.hasBegun()) {
          cycle.step(0);
        }
        grower.advance(2_000);
        assertThatThrownBy(cycle::run)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("maxSavedBytes=65536");
      }
      assertThat(grower.control.failure()).isNull();
      assertThat(storage.names()).isEmpty();
    }
  }

  @Test
  void shouldCountWhatTheBarrierSavesOfTheRootAndBesideIt() throws IOException {
    Persistence persistence =
        Persistence.open(storage, PersistSettings.DEFAULTS.withScheme(Scheme.MARKING));
    try (GrowerRuntime grower = new GrowerRuntime(5).start()) {
      grower.advance(100);
      try (Cycle cycle = persistence.begin(grower.runtime)) {
        while (!cycle.hasBegun()) {
          cycle.step(0);
        }
        grower.advance(100);
        CycleStats stats = cycle.run();
        assertThat(stats.barrierSaves()).isPositive();
        assertThat(stats.extraObjects()).isBetween(0L, stats.barrierSaves());
        assertThat(stats.barrierCalls()).isGreaterThan(stats.barrierSaves());
        assertThat(stats.increments()).isPositive();
      }
      try (Recovery recovery = persistence.recover()) {
        assertThat(recovery.isWarm()).isTrue();
      }
    }
  }

  @Test
  void shouldFailTheCycleWhenARootHasTooManyObjects() throws IOException {
    Persistence persistence =
        Persistence.open(storage, PersistSettings.DEFAULTS.withMaxObjects(10));
    try (GrowerRuntime grower = new GrowerRuntime(5).start();
        Cycle cycle = persistence.begin(grower.runtime)) {
      assertThatThrownBy(cycle::run).hasMessageContaining("maxObjects=10");
      assertThat(storage.names()).isEmpty();
    }
  }

  @Test
  void shouldRefuseRootsThatHaveOneNameOrAreNone() {
    Persistence persistence = Persistence.open(storage, PersistSettings.DEFAULTS);
    try (GrowerRuntime grower = new GrowerRuntime(5)) {
      assertThatThrownBy(() -> persistence.begin(List.of()))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(
              () ->
                  persistence.begin(
                      List.of(grower.control.stableRoot(), grower.control.stableRoot())))
          .hasMessageContaining("different names=1");
    }
  }

  @Test
  void shouldRefuseSettingsThatAreOutOfRange() {
    assertThatThrownBy(() -> PersistSettings.DEFAULTS.withBlockBytes(100))
        .hasMessageContaining("blockBytes");
    assertThatThrownBy(() -> PersistSettings.DEFAULTS.withGenerations(0))
        .hasMessageContaining("generations");
  }
}
