package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.kept.Chain;
import dev.takt.kept.Grower;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.reflex.TaskRecovery;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Some tasks run already while others are recovered in increments. */
class LazyRecoveryTest {
  private static final int LENGTH = 20_000;
  private static final Schedule NOW_AND_THEN = Schedule.periodic(1_000_000_000);

  private final MemoryStorage storage = new MemoryStorage();
  private final Persistence persistence = Persistence.open(storage, PersistSettings.DEFAULTS);
  private final AtomicLong limit = new AtomicLong();

  private static ReflexRuntime runtime(TaskRecovery recovery) {
    return ReflexRuntime.create(
        EventSpace.create(),
        RuntimeSettings.DEFAULTS.withWarmUpNs(0).withWorkers(1).withRecovery(recovery));
  }

  private Grower grower() {
    return new Grower(7, limit);
  }

  @BeforeEach
  void store() throws IOException {
    try (ReflexRuntime runtime = runtime(TaskRecovery.NONE)) {
      runtime.active("small", grower(), NOW_AND_THEN);
      runtime.active("large", new Chain(LENGTH), NOW_AND_THEN);
      persistence.begin(runtime).run();
    }
  }

  private static int length(Chain chain) {
    int length = 0;
    for (var node = chain.first(); node != null; node = node.left()) {
      length++;
    }
    return length;
  }

  @Test
  void shouldReleaseOneTaskWhileAnotherIsRecoveredInIncrements() throws IOException {
    try (Recovery recovery = persistence.recover();
        ReflexRuntime runtime = runtime(recovery)) {
      TaskControl small = runtime.active("small", grower(), Schedule.continuous());
      runtime.start();
      Chain large = new Chain(2);
      RootRecovery later = recovery.recoverLazily("large", large);
      int increments = 0;
      while (!later.step(0)) {
        increments++;
        assertThat(later.isDone()).isFalse();
        assertThat(later.objects()).isLessThanOrEqualTo(64 * increments);
        long seen = small.commits();
        while (increments % 100 == 0 && small.commits() == seen) {
          Thread.onSpinWait(); // the other one goes on
        }
      }
      assertThat(increments).isGreaterThan(LENGTH / 64);
      assertThat(later.objects()).isEqualTo(LENGTH + 1);
      TaskControl control = runtime.active("large", large, NOW_AND_THEN);
      assertThat(length(large)).isEqualTo(LENGTH);
      assertThat(recovery.unclaimed()).isEmpty();
      assertThat(persistence.begin(runtime).run().objects()).isGreaterThan(LENGTH);
      assertThat(control.failure()).isNull();
    }
    try (Recovery again = persistence.recover()) {
      assertThat(again.generation()).isEqualTo(2);
      assertThat(again.roots()).containsExactlyInAnyOrder("small", "large");
    }
  }

  @Test
  void shouldRefuseASnapshotThatWouldLoseWhatIsStillRecovered() throws IOException {
    try (Recovery recovery = persistence.recover();
        ReflexRuntime runtime = runtime(recovery)) {
      runtime.active("small", grower(), NOW_AND_THEN);
      RootRecovery later = recovery.recoverLazily("large", new Chain(2));
      later.step(0);
      assertThatThrownBy(() -> persistence.begin(runtime))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("root large is being recovered");
      later.close();
      assertThat(persistence.begin(runtime).run().generation()).isEqualTo(2);
    }
  }

  @Test
  void shouldLetThePersistenceTaskWaitForWhatIsStillRecovered() throws Exception {
    try (Recovery recovery = persistence.recover();
        ReflexRuntime runtime = runtime(recovery);
        PersistenceTask task =
            PersistenceTask.of(
                persistence,
                runtime,
                PersistenceTaskSettings.DEFAULTS.withCyclePeriodNs(0).withCounters(false))) {
      runtime.active("small", grower(), NOW_AND_THEN);
      runtime.start();
      Chain large = new Chain(2);
      RootRecovery later = recovery.recoverLazily("large", large);
      CompletableFuture<CycleStats> answer = task.request();
      assertThat(task.write()).as("no cycle begins").isFalse();
      task.start();
      while (!later.step(0)) {
        assertThat(answer).isNotDone();
      }
      runtime.active("large", large, NOW_AND_THEN);
      assertThat(answer.get(60, TimeUnit.SECONDS).objects()).isGreaterThan(LENGTH);
      assertThat(task.progress().failures()).isZero();
    }
  }

  @Test
  void shouldRefuseATaskThatIsRecoveredInPart() throws IOException {
    try (Recovery recovery = persistence.recover();
        ReflexRuntime runtime = runtime(recovery)) {
      Chain large = new Chain(2);
      RootRecovery later = recovery.recoverLazily("large", large);
      later.step(0);
      assertThatThrownBy(() -> runtime.active("large", large, NOW_AND_THEN))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("task large is recovered in part");
      while (!later.step(0)) {
        assertThat(later.isDone()).isFalse();
      }
      runtime.active("large", large, NOW_AND_THEN);
      assertThat(length(large)).isEqualTo(LENGTH);
    }
  }

  @Test
  void shouldRefuseWhatIsNotStoredOrRecoveredAlready() throws IOException {
    try (Recovery recovery = persistence.recover()) {
      assertThatThrownBy(() -> recovery.recoverLazily("other", new Chain(2)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("name=other")
          .hasMessageContaining("large");
      RootRecovery first = recovery.recoverLazily("large", new Chain(2));
      assertThatThrownBy(() -> recovery.recoverLazily("large", new Chain(2)))
          .isInstanceOf(IllegalStateException.class);
      first.close();
      assertThatThrownBy(() -> recovery.recoverLazily("small", new Chain(2)).step(0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("task small cannot be recovered from generation 1");
    }
  }
}
