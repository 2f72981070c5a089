package dev.takt.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cpu.AuthenticationClass;
import dev.takt.cpu.CpuManager;
import dev.takt.cpu.CpuScheduler;
import dev.takt.cpu.ManagedTask;
import dev.takt.cpu.ManagerSettings;
import dev.takt.cpu.OverrunPolicy;
import dev.takt.cpu.Profile;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Plain tasks in the portable scheduler, whole, by a clock that stands still while they run. */
class PortableSchedulerTest {
  private static final long MS = 1_000_000;

  private static final AuthenticationClass COUNTED =
      new AuthenticationClass(
          "counted", 0, 1_000 * MS, 1_000 * MS, 1, false, OverrunPolicy.COUNT, 0);

  private final VirtualClock clock = new VirtualClock();
  private final List<String> log = new CopyOnWriteArrayList<>();

  private final CpuManager manager =
      CpuManager.start(
          ManagerSettings.defaults()
              .withClock(clock)
              .withScheduler(CpuScheduler.portable())
              .withFactors(1, 1));

  @AfterEach
  void close() {
    manager.close();
  }

  /** Each release takes so long by the clock. */
  private ManagedTask register(String name, int periodMs, int budgetMs, int tookMs) {
    return register(name, periodMs, budgetMs, COUNTED, () -> clock.advance(tookMs * MS));
  }

  private ManagedTask register(
      String name, int periodMs, int budgetMs, AuthenticationClass authentication, Runnable work) {
    return manager.register(
        new Profile(name, periodMs * MS, periodMs * MS, budgetMs * MS, authentication),
        () -> {
          long nowMs = clock.nanoTime() / MS;
          log.add(nowMs + " " + name);
          if (nowMs > 0) {
            work.run(); // at 0 nothing takes time, so that all have the same origin
          }
        });
  }

  /** What has begun from a time on; the first releases come in the order of the threads. */
  private List<String> begunFrom(int fromMs) {
    return log.stream()
        .filter(each -> Integer.parseInt(each.substring(0, each.indexOf(' '))) >= fromMs)
        .toList();
  }

  @Test
  void shouldLetTasksRunOneAfterTheOtherTheShortestDeadlineFirst() throws InterruptedException {
    register("slow", 20, 5, 5);
    register("fast", 10, 3, 3);

    clock.runUntil(45 * MS, 6); // two tasks, and four threads of the manager

    assertThat(begunFrom(10))
        .containsExactly("10 fast", "20 fast", "23 slow", "30 fast", "40 fast", "43 slow");
  }

  @Test
  void shouldNotInterruptWhatHasBegun() throws InterruptedException {
    register("slow", 30, 8, 8);
    register("fast", 11, 3, 3);

    clock.runUntil(100 * MS, 6);

    assertThat(begunFrom(60)).startsWith("60 slow", "68 fast", "77 fast");
  }

  @Test
  void shouldCountTheLongestOneBelowInTheAdmission() {
    register("slow", 30, 8, 8);

    assertThat(register("fast", 10, 3, 3).decision().reason())
        .contains("fast would end 11 ms after its arrival at the worst");
    assertThat(register("fast", 11, 3, 3).state().isAdmitted()).isTrue();
  }

  @Test
  void shouldGoOnWithOthersWhenATaskKeepsTheProcessorBeyondItsSlot() throws InterruptedException {
    register(
        "runaway", 10, 2, COUNTED, () -> clock.parkNanos(clock.nanoTime() < 66 * MS ? 24 * MS : 0));
    register("slow", 20, 5, 5);

    clock.runUntil(66 * MS, 6);
    clock.advance(30 * MS); // so that its last release ends

    assertThat(begunFrom(20))
        .startsWith("20 slow", "34 runaway", "40 slow", "58 runaway", "60 slow");
  }

  @Test
  void shouldReleaseATaskThatHasLeftAsAnyThread() throws InterruptedException {
    ManagedTask task = register("demoted", 10, 2, 1);
    clock.runUntil(15 * MS, 5);

    AuthenticationClass higher =
        new AuthenticationClass(
            "higher",
            COUNTED.rank() + 1,
            1_000 * MS,
            1_000 * MS,
            1,
            true,
            OverrunPolicy.COUNT,
            1_000 * MS);
    register("winner", 1_000, 900, higher, () -> {});
    assertThat(task.state()).isEqualTo(ManagedTask.State.DISPLACED);
    clock.runUntil(45 * MS, 6);

    assertThat(begunFrom(10))
        .filteredOn(each -> each.endsWith("demoted"))
        .containsExactly("10 demoted", "20 demoted", "30 demoted", "40 demoted");
  }

  @Test
  void shouldEndATaskThatIsRemoved() throws InterruptedException {
    ManagedTask task = register("removed", 10, 2, 1);
    register("stays", 10, 2, 1);
    clock.runUntil(5 * MS, 6);

    manager.remove(task);
    clock.runUntil(35 * MS, 5);

    assertThat(begunFrom(10)).containsExactly("10 stays", "20 stays", "30 stays");
  }
}
