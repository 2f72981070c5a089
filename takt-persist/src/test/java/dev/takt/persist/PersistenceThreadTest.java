package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.AdmissionAnswer;
import dev.takt.realtime.Supervised;
import dev.takt.testkit.Seeds;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a supervisor makes of the thread of the increments. */
class PersistenceThreadTest {
  private final AtomicReference<Supervised> bound = new AtomicReference<>();

  private AdmissionAnswer answer() {
    return new AdmissionAnswer() {
      @Override
      public void bind(Supervised subject) {
        bound.set(subject);
      }
    };
  }

  @Test
  void shouldHaveTheLowestPriorityAndGoOnFromItsDemotionUntilItIsRestored() throws Exception {
    Persistence persistence = Persistence.open(new MemoryStorage(), PersistSettings.DEFAULTS);
    try (GrowerRuntime grower = new GrowerRuntime(Seeds.seed()).start();
        PersistenceTask task =
            PersistenceTask.of(
                persistence,
                grower.runtime,
                PersistenceTaskSettings.DEFAULTS
                    .withCyclePeriodNs(0)
                    .withScheduling(50, PersistenceTaskSettings.DEFAULTS.scheduling())
                    .withAdmission(request -> answer()))) {
      task.start();
      Supervised subject = bound.get();
      int priority = subject.priority();
      assertThat(priority).isEqualTo(50);
      for (int i = 0; i < 2; i++) {
        subject.demote();
        assertThat(subject.priority()).isEqualTo(1);
        task.request().get(60, TimeUnit.SECONDS);
        assertThat(subject.restore()).isTrue();
        assertThat(subject.priority()).isEqualTo(priority);
        task.request().get(60, TimeUnit.SECONDS);
      }
    }
  }
}
