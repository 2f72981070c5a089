package dev.takt.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cpu.ManagerEvent.Kind;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a release throws is code of the task, too. */
class ReleaseFailureTest {
  private static final long MS = 1_000_000;

  private final BlockingQueue<ManagerEvent> events = new LinkedBlockingQueue<>();

  private static final class Speechless extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String toString() {
      throw this;
    }
  }

  private static final class Silent extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String toString() {
      return null;
    }
  }

  private void shouldGoOnAfter(RuntimeException failure) throws InterruptedException {
    try (CpuManager manager =
        CpuManager.start(ManagerSettings.defaults().withEvents(events::add))) {
      ManagedTask task =
          manager.register(
              Profile.of("task", 100 * MS).withBudgetNs(40 * MS),
              () -> {
                throw failure;
              });
      for (int i = 0; i < 2; ) {
        ManagerEvent event = events.poll(20, TimeUnit.SECONDS);
        assertThat(event).isNotNull();
        if (event.kind() == Kind.FAILED) {
          assertThat(event.detail()).isEqualTo(failure.getClass().getName());
          i++;
        }
      }
      assertThat(task.state().isAdmitted()).isTrue();
    }
  }

  @Test
  void shouldGoOnWhenWhatAReleaseHasThrownCannotSayWhatItIs() throws InterruptedException {
    shouldGoOnAfter(new Speechless());
  }

  @Test
  void shouldCutWhatAReleaseHasThrownIfItSaysVeryMuch() {
    String text = FailureText.of(new IllegalStateException("x".repeat(1_000_000)));
    assertThat(text).hasSize(FailureText.MAX_CHARACTERS + 3).endsWith("x...");
  }

  @Test
  void shouldGoOnWhenWhatAReleaseHasThrownSaysNothing() throws InterruptedException {
    shouldGoOnAfter(new Silent());
  }
}
