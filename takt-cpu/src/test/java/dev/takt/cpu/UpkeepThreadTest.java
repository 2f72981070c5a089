package dev.takt.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cpu.ManagerEvent.Kind;
import dev.takt.realtime.NanoClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a manager does beside its looks. */
class UpkeepThreadTest {
  private static final long MS = 1_000_000;

  @Test
  void shouldLearnOnAThreadThatDoesNotLook() throws InterruptedException {
    BlockingQueue<String> learnedOn = new LinkedBlockingQueue<>();
    ManagerSettings settings =
        ManagerSettings.defaults()
            .withTrialReleases(100)
            .withEvents(
                event -> {
                  if (event.kind() == Kind.MEASURED) {
                    learnedOn.add(Thread.currentThread().getName());
                  }
                });
    try (CpuManager manager = CpuManager.start(settings)) {
      manager.register(Profile.of("task", MS), () -> {});
      assertThat(learnedOn.poll(60, TimeUnit.SECONDS)).isEqualTo("takt-cpu-upkeep");
    }
  }

  @Test
  void shouldDoTheRestOfItsWorkAndGoOnWhateverIsThrown() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(2);
    List<Throwable> faults = new ArrayList<>();
    RuntimeException thrown = new IllegalStateException("thrown by a test");
    Error error = new StackOverflowError("thrown by a test");
    UpkeepThread upkeep =
        new UpkeepThread(
            NanoClock.system(),
            List.of(
                () -> {
                  throw thrown;
                },
                () -> {
                  throw error;
                },
                done::countDown),
            fault -> {
              faults.add(fault);
              throw new IllegalStateException("thrown by who is told");
            });
    upkeep.start();
    try {
      assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      upkeep.end();
      upkeep.join();
    }
    assertThat(faults).startsWith(thrown, error, thrown, error);
  }

  @Test
  void shouldReportAFaultOfTheFilesOfTheSystemAndSampleOn() throws InterruptedException {
    BlockingQueue<ManagerEvent> events = new LinkedBlockingQueue<>();
    ManagerSettings settings =
        ManagerSettings.defaults()
            .withMeasuredExtensum(2)
            .withEvents(events::add)
            .withSystemFiles(
                _ -> {
                  throw new IllegalStateException("thrown by a test");
                });
    try (CpuManager _ = CpuManager.start(settings)) {
      for (int i = 0; i < 2; i++) {
        ManagerEvent event = events.poll(60, TimeUnit.SECONDS);
        assertThat(event).isNotNull();
        assertThat(event.kind()).isEqualTo(Kind.FAULT);
        assertThat(event.detail()).contains("upkeep", "thrown by a test");
      }
    }
  }
}
