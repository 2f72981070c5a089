package dev.takt.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cpu.ManagedTask.State;
import dev.takt.cpu.ManagerEvent.Kind;
import dev.takt.realtime.os.OperatingSystem;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks that are removed within a release, and those that hold their own thread's monitor. */
@ParameterizedClass
@ValueSource(strings = {"best", "portable", "none"})
class RemovalTest {
  private static final long MS = 1_000_000;

  private static final AuthenticationClass COUNTS =
      AuthenticationClass.DEFAULT.withOnOverrun(OverrunPolicy.COUNT);

  private final BlockingQueue<ManagerEvent> events = new LinkedBlockingQueue<>();
  private final AtomicBoolean over = new AtomicBoolean();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final AtomicInteger threadId = new AtomicInteger();
  private final OperatingSystem system;
  private final CpuManager manager;

  RemovalTest(String scheduler) {
    ManagerSettings defaults = OneProcessor.of(ManagerSettings.defaults());
    ManagerSettings settings =
        switch (scheduler) {
          case "portable" -> defaults.withScheduler(CpuScheduler.portable());
          case "none" -> defaults.withScheduler(CpuScheduler.none());
          default -> defaults;
        };
    system = settings.system();
    manager = CpuManager.start(settings.withEvents(events::add));
  }

  @AfterEach
  void close() {
    over.set(true);
    manager.close();
  }

  private void await(Kind kind) throws InterruptedException {
    ManagerEvent event;
    do {
      event = events.poll(20, TimeUnit.SECONDS);
      assertThat(event).as("%s", kind).isNotNull();
    } while (event.kind() != kind);
  }

  private void runs() {
    threadId.set(system.threadId());
    begun.countDown();
    while (!over.get()) {
      Thread.onSpinWait();
    }
  }

  private static Profile half(String name) {
    return Profile.of(name, 1_000 * MS).withBudgetNs(400 * MS).in(COUNTS);
  }

  @Test
  void shouldGiveTheShareOfARemovedTaskToOthersWhenItsReleaseHasEnded() throws Exception {
    ManagedTask task = manager.register(half("task"), this::runs);
    assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();

    assertThat(manager.remove(task)).isFalse();

    assertThat(task.state().isSupervised()).isTrue();
    assertThat(manager.register(half("other"), () -> {}).state()).isEqualTo(State.REJECTED);
    over.set(true);
    await(Kind.ENDED);
    assertThat(task.state()).isEqualTo(State.ENDED);
    assertThat(manager.register(half("other"), () -> {}).state()).isEqualTo(State.ADMITTED);
  }

  @Test
  void shouldDemoteARemovedTaskThatDoesNotEndThoughItsClassOnlyCounts() throws Exception {
    Profile profile = Profile.of("task", 100 * MS).withBudgetNs(5 * MS).in(COUNTS);
    ManagedTask task = manager.register(profile, this::runs);
    assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();

    assertThat(manager.remove(task)).isFalse();

    await(Kind.DEMOTED);
    assertThat(system.policy(threadId.get()).isRealtime()).isFalse();
    assertThat(manager.register(half("other"), () -> {}).state()).isEqualTo(State.ADMITTED);
  }

  @Test
  void shouldServeOthersWhileATaskHoldsTheMonitorOfItsThreadAndCloseAllTheSame() throws Exception {
    manager.register(
        half("holder"),
        () -> {
          synchronized (Thread.currentThread()) {
            runs();
          }
        });
    assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
    Profile first = Profile.of("first", 1_000 * MS).withDeadlineNs(900 * MS).withBudgetNs(MS);

    CompletableFuture<State> other =
        CompletableFuture.supplyAsync(() -> manager.register(first, () -> {}).state());
    assertThat(other.get(20, TimeUnit.SECONDS)).isEqualTo(State.ADMITTED);
    CompletableFuture.runAsync(manager::close).get(20, TimeUnit.SECONDS);
  }
}
