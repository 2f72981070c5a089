package dev.takt.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cpu.ManagedTask.State;
import dev.takt.cpu.ManagerEvent.Kind;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.ThreadMeter;
import dev.takt.realtime.TimeText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a manager makes of what it measures: of costs, of periods, of the machine. */
class CpuLearningTest {
  private static final long MS = 1_000_000;

  /** What a cold or busy machine makes of a release is not meant here. */
  private static final long GRACE_NS = 5_000 * MS;

  private static final AuthenticationClass PATIENT =
      AuthenticationClass.DEFAULT.withGraceNs(GRACE_NS);

  private final BlockingQueue<ManagerEvent> events = new LinkedBlockingQueue<>();

  private final ManagerSettings settings =
      ManagerSettings.defaults().withTrialReleases(100).withEvents(events::add);

  private ManagerEvent await(String task, Kind kind) throws InterruptedException {
    List<ManagerEvent> seen = new ArrayList<>();
    ManagerEvent event;
    do {
      event = events.poll(60, TimeUnit.SECONDS);
      assertThat(event).as("%s of %s after %s", kind, task, seen).isNotNull();
      seen.add(event);
    } while (!event.task().equals(task) || event.kind() != kind);
    return event;
  }

  private static AuthenticationClass withCost(long maxCostNs, OverrunPolicy policy) {
    return new AuthenticationClass("class", 0, maxCostNs, 100 * MS, 0.5, false, policy, GRACE_NS);
  }

  private static void use(long processorNs) {
    long untilNs = ThreadMeter.system().usedNs() + processorNs;
    while (ThreadMeter.system().usedNs() < untilNs) {
      Thread.onSpinWait();
    }
  }

  private static State expected(OverrunPolicy policy) {
    return switch (policy) {
      case COUNT -> State.ADMITTED;
      case DEMOTE -> State.DEMOTED;
      case DROP -> State.DROPPED;
    };
  }

  private void awaitPolicy(String task, OverrunPolicy policy) throws InterruptedException {
    await(
        task,
        switch (policy) {
          case COUNT -> Kind.ADMITTED;
          case DEMOTE -> Kind.DEMOTED;
          case DROP -> Kind.DROPPED;
        });
  }

  @ParameterizedTest
  @EnumSource(OverrunPolicy.class)
  void shouldTreatATaskByItsClassThatExceedsItsCostInItsTrial(OverrunPolicy policy)
      throws InterruptedException {
    try (CpuManager manager = CpuManager.start(settings)) {
      ManagedTask task =
          manager.register(
              Profile.of("greedy", 3 * MS).in(withCost(MS / 5, policy)), () -> use(MS));

      assertThat(await("greedy", Kind.NONCONFORMING).detail())
          .contains("it does not keep to its cost", "took more than the cost (limit: 5 %)");
      awaitPolicy("greedy", policy);
      assertThat(task.state()).isEqualTo(expected(policy));
      assertThat(task.costNs()).as("its class's").isEqualTo(MS / 5);
    }
  }

  @ParameterizedTest
  @EnumSource(OverrunPolicy.class)
  void shouldTreatATaskByItsClassThatSleepsPastItsDeadlineInItsTrial(OverrunPolicy policy)
      throws InterruptedException {
    try (CpuManager manager = CpuManager.start(settings)) {
      NanoClock clock = settings.clock();
      ManagedTask task =
          manager.register(
              Profile.of("sleeper", 2 * MS).in(withCost(MS, policy)),
              () -> {
                long untilNs = clock.nanoTime() + 3 * MS;
                while (clock.nanoTime() < untilNs) {
                  clock.parkNanos(untilNs - clock.nanoTime());
                }
              });

      assertThat(await("sleeper", Kind.NONCONFORMING).detail())
          // not to its cost, which a stall of the machine may let few of them exceed
          .contains("it does not keep to its period", "(limit: 5 %), 100 ended past");
      awaitPolicy("sleeper", policy);
      assertThat(task.state()).isEqualTo(expected(policy));
      assertThat(task.measuredWall().averageNs()).isGreaterThan(3 * MS);
      assertThat(task.measured().averageNs()).as("processor time").isLessThan(2 * MS);
    }
  }

  @Test
  void shouldAdmitWithoutATrialWhatWasLearnedBefore(@TempDir Path folder)
      throws InterruptedException {
    ManagerSettings kept = settings.withLearnedCosts(folder.resolve("learned"));
    Runnable work = () -> use(MS / 100);
    long costNs;
    try (CpuManager manager = CpuManager.start(kept)) {
      ManagedTask task = manager.register(Profile.of("task", MS).in(PATIENT), work);
      assertThat(task.state()).isEqualTo(State.TRIAL);
      await("task", Kind.TRIAL);
      await("task", Kind.ADMITTED);
      costNs = task.costNs();
    }
    try (CpuManager manager = CpuManager.start(kept)) {
      ManagedTask again = manager.register(Profile.of("task", MS).in(PATIENT), work);
      assertThat(again.state()).isEqualTo(State.ADMITTED);
      assertThat(again.costNs()).isEqualTo(costNs);
      assertThat(await("task", Kind.ADMITTED).detail())
          .isEqualTo("with a cost of " + TimeText.of(costNs) + ", as learned before");
      assertThat(manager.register(Profile.of("task 2", MS).in(PATIENT), work).state())
          .as("another task")
          .isEqualTo(State.TRIAL);
    }
    try (CpuManager manager = CpuManager.start(kept)) {
      assertThat(
              manager
                  .register(Profile.of("task", MS).in(PATIENT), new CountDownLatch(1)::countDown)
                  .state())
          .as("the same class of another lambda")
          .isEqualTo(State.ADMITTED);
    }
    try (CpuManager manager = CpuManager.start(kept)) {
      assertThat(manager.register(Profile.of("task", MS).in(PATIENT), new OtherCode()).state())
          .as("other code")
          .isEqualTo(State.TRIAL);
    }
  }

  private static final class OtherCode implements Runnable {
    @Override
    public void run() {
      // costs nothing
    }
  }

  @Test
  void shouldReportAFileThatIsDamagedAndMakeTheTrial(@TempDir Path folder)
      throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("learned"), "nonsense");
    try (CpuManager manager = CpuManager.start(settings.withLearnedCosts(file))) {
      assertThat(await("", Kind.UNLEARNED).detail()).contains("line 1 is not", "delete it");
      assertThat(manager.register(Profile.of("task", MS).in(PATIENT), () -> {}).state())
          .isEqualTo(State.TRIAL);
      await("task", Kind.MEASURED);
    }
    assertThat(Files.readString(file)).startsWith("takt learned costs 1\n");
  }

  @Test
  void shouldReportOnceThatWhatWasLearnedCannotBeKept(@TempDir Path folder)
      throws InterruptedException {
    Path file = folder.resolve("not there").resolve("learned");
    try (CpuManager manager = CpuManager.start(settings.withLearnedCosts(file))) {
      manager.register(Profile.of("task", MS).in(PATIENT), () -> {});
      assertThat(await("", Kind.UNLEARNED).detail()).contains("not there is no folder");
    }
  }

  /** Half of the time of the processors is stolen from the second reading on. */
  private static String busy(String file, long[] readings) {
    if (!file.equals("stat")) {
      return "";
    }
    readings[0]++;
    return "cpu  %s 0 0 0 0 0 0 %s 0 0".formatted(50 * readings[0], 50 * readings[0]);
  }

  @Test
  void shouldKeepTasksAndAdmitNoOtherWhenTheMachineGetsBusy() throws InterruptedException {
    long[] readings = {0};
    AtomicReference<CountDownLatch> ran = new AtomicReference<>(new CountDownLatch(1));
    ManagerSettings busy =
        OneProcessor.of(settings)
            .withMeasuredExtensum(1.8)
            .withSystemFiles(file -> busy(file, readings));
    try (CpuManager manager = CpuManager.start(busy)) {
      ManagedTask task =
          manager.register(
              Profile.of("half", 10 * MS).withBudgetNs(5 * MS), () -> ran.get().countDown());
      assertThat(task.state()).isEqualTo(State.ADMITTED);
      ManagerEvent event;
      do {
        event = await("", Kind.EXTENSUM);
      } while (!event.detail().contains("would not pass"));
      assertThat(event.detail())
          .contains("extensum=1.", "50.0 % stolen", "the tasks of the processors [0]");

      assertThat(task.state()).isEqualTo(State.ADMITTED);
      assertThat(manager.register(Profile.of("new", 10 * MS).withBudgetNs(1), () -> {}).state())
          .isEqualTo(State.REJECTED);
      ran.set(new CountDownLatch(3));
      assertThat(ran.get().await(20, TimeUnit.SECONDS)).isTrue();
    }
  }
}
