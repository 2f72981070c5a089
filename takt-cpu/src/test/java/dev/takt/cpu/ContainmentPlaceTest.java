package dev.takt.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.RunningRelease;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.ThreadScheduling;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the thread that contains runs: above tasks only for what ends a release. */
class ContainmentPlaceTest {
  private static final long MS = 1_000_000;
  private static final int PATIENCE_SECONDS = 20;

  /** Notes how the thread that calls is scheduled. */
  private static final class Endless extends IdleSubject {
    private final CappedPriorities system;
    private final CountDownLatch isStopped = new CountDownLatch(1);
    private volatile boolean runs = true;
    private volatile ThreadScheduling whenAborted;
    private volatile ThreadScheduling whenStopped;

    Endless(CappedPriorities system) {
      this.system = system;
    }

    @Override
    public boolean abortRelease(Duration timeout) {
      whenAborted = system.scheduling("takt-cpu-contain");
      runs = false;
      return true;
    }

    @Override
    public void stop(String reason) {
      whenStopped = system.scheduling("takt-cpu-contain");
      isStopped.countDown();
    }

    @Override
    public void quarantine(boolean quarantined) {}

    @Override
    public RunningRelease running() {
      return runs ? new RunningRelease(1, 0, 0, Thread.currentThread()) : null;
    }
  }

  @ParameterizedTest
  @CsvSource({"3, true, OTHER", "3, false, FIFO", "1, true, FIFO"})
  void shouldComeAboveTasksForTheEndOfAReleaseAndBesideThemForWhatFollows(
      int processors, boolean grantsNice, Policy beside) throws Exception {
    CpuSet cpus = processors == 1 ? CpuSet.of(0) : CpuSet.of(0, 1, 2);
    CappedPriorities granted = new CappedPriorities(99, cpus, grantsNice);
    ManagerSettings settings =
        ManagerSettings.defaults()
            .withSystem(granted.system())
            .withScheduler(CpuScheduler.fixedPriority())
            .withCounters(false)
            .withEvents(_ -> {});
    ProcessorsApart places = new ProcessorsApart(settings);
    ManagedTasks tasks = new ManagedTasks(settings, places, () -> {});
    Containment containment = new Containment(tasks, settings, places);
    Endless subject = new Endless(granted);
    try (places) {
      containment.start();
      Profile profile =
          Profile.of("endless", 100 * MS)
              .withBudgetNs(10 * MS)
              .in(AuthenticationClass.DEFAULT.withOnOverrun(OverrunPolicy.DROP));
      ManagedTask task = tasks.locked(() -> tasks.decide(profile, null, ""));
      task.subject(subject);
      containment.exceeded(task, subject, "made up by a test");
      assertThat(subject.isStopped.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    } finally {
      containment.end();
      assertThat(containment.join(Duration.ofSeconds(PATIENCE_SECONDS))).isTrue();
      tasks.close();
    }
    assertThat(subject.whenAborted.priority()).isGreaterThan(CpuScheduler.HIGHEST_PRIORITY);
    assertThat(subject.whenStopped.policy()).isEqualTo(beside);
    assertThat(granted.scheduling("takt-cpu-contain"))
        .as("afterwards")
        .satisfies(each -> assertThat(each.priority()).isEqualTo(subject.whenAborted.priority()));
  }
}
