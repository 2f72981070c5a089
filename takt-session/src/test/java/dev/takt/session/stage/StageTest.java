package dev.takt.session.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.session.SessionSettings;
import dev.takt.session.Sessions;
import dev.takt.testkit.Seeds;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.logging.Filter;
import java.util.logging.Logger;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StageTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final StageSettings SETTINGS =
      StageSettings.named("test").withCounters(false).withCloseTimeout(Duration.ofSeconds(10));

  /** Lets handlers go on. */
  private final CountDownLatch gate = new CountDownLatch(1);

  private final BlockingQueue<List<String>> batches = new LinkedBlockingQueue<>();
  private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
  private final List<String> reported = new ArrayList<>();

  /** Notes its batches, and waits for the gate in each. */
  private final StageHandler<String> gated =
      new StageHandler<>() {
        @Override
        public void handle(List<String> items) throws Exception {
          batches.add(List.copyOf(items));
          if (items.contains("broken")) {
            throw new IllegalArgumentException("broken item");
          }
          if (!gate.await(30, TimeUnit.SECONDS)) {
            throw new AssertionError("nobody opens the gate");
          }
        }

        @Override
        public void failed(List<String> items, Throwable cause) {
          reported.addAll(items);
          failures.add(cause);
        }
      };

  @AfterEach
  void shouldLeaveNoThread() {
    gate.countDown();
    until(
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(each -> each.getName().startsWith("takt-stage-test")));
  }

  /** Waits for what another thread does, and fails if it does not happen. */
  private static void until(BooleanSupplier condition) {
    long beginNs = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - beginNs > LONG.toNanos()) {
        throw new AssertionError("did not happen within " + LONG);
      }
      Thread.yield();
    }
  }

  private static <T> FutureTask<T> start(Callable<T> code) {
    FutureTask<T> task = new FutureTask<>(code);
    Thread.ofPlatform().daemon().name("of the test").start(task);
    return task;
  }

  @Test
  void shouldRefuseWhatTheQueueHasNoPlaceForAndHandleTheRest() throws Exception {
    try (Stage<String> stage = Stage.open(SETTINGS.withCapacity(2), gated)) {
      assertThat(stage.offer("a")).isEqualTo(StageAnswer.ACCEPTED);
      assertThat(batches.take()).containsExactly("a");
      assertThat(stage.offer("b")).isEqualTo(StageAnswer.ACCEPTED);
      assertThat(stage.offer("c")).isEqualTo(StageAnswer.ACCEPTED);
      assertThat(stage.offer("d")).isEqualTo(StageAnswer.FULL);
      StageStats stats = stage.stats();
      assertThat(List.of(stats.queued(), stats.handling(), stats.busy())).containsExactly(2, 1, 1);
      assertThat(List.of(stats.accepted(), stats.full(), stats.shed())).containsExactly(3L, 1L, 0L);
      gate.countDown();
      assertThat(stage.stop(LONG)).isEmpty();
      assertThat(batches).containsExactly(List.of("b"), List.of("c"));
      assertThat(stage.stats().handled()).isEqualTo(3);
    }
  }

  @Test
  void shouldHandBatchesOfWhatIsThere() throws Exception {
    try (Stage<String> stage = Stage.open(SETTINGS.withBatch(3), gated)) {
      stage.offer("a");
      assertThat(batches.take()).containsExactly("a");
      List.of("b", "c", "d", "e").forEach(stage::offer);
      gate.countDown();
      assertThat(stage.stop(LONG)).isEmpty();
      assertThat(batches).containsExactly(List.of("b", "c", "d"), List.of("e"));
    }
  }

  @Test
  void shouldGoOnAfterAHandlerHasThrownAndReportItsItems() throws Exception {
    gate.countDown();
    try (Stage<String> stage = Stage.open(SETTINGS, gated)) {
      stage.offer("broken");
      stage.offer("good");
      assertThat(stage.stop(LONG)).isEmpty();
      assertThat(reported).containsExactly("broken");
      assertThat(failures.take()).hasMessage("broken item");
      assertThat(stage.stats().failed()).isEqualTo(1);
      assertThat(stage.stats().handled()).isEqualTo(1);
    }
  }

  @Test
  void shouldGoOnAndReportTheItemsOfAHandlerWhoseFailureCannotBeLogged() throws Exception {
    gate.countDown();
    Logger log = Logger.getLogger("dev.takt.session");
    Filter broken =
        _ -> {
          throw new OutOfMemoryError("of the log");
        };
    log.setFilter(broken);
    try (Stage<String> stage = Stage.open(SETTINGS, gated)) {
      stage.offer("broken");
      stage.offer("good");
      assertThat(stage.stop(LONG)).isEmpty();
      assertThat(reported).containsExactly("broken");
      assertThat(stage.stats().failed()).isEqualTo(1);
      assertThat(stage.stats().handled()).isEqualTo(1);
    } finally {
      log.setFilter(null);
    }
  }

  @Test
  void shouldSuspendAPutUntilThereIsRoomAndLetItGoBeforeLaterOffers() throws Exception {
    try (Stage<String> stage = Stage.open(SETTINGS.withCapacity(1), gated)) {
      stage.offer("a");
      batches.take();
      stage.offer("b");
      FutureTask<StageAnswer> first = start(() -> stage.put("first", LONG));
      until(() -> stage.stats().waiting() == 1);
      FutureTask<StageAnswer> second = start(() -> stage.put("second", LONG));
      until(() -> stage.stats().waiting() == 2);
      assertThat(stage.offer("later")).isEqualTo(StageAnswer.FULL);
      gate.countDown();
      assertThat(first.get()).isEqualTo(StageAnswer.ACCEPTED);
      assertThat(second.get()).isEqualTo(StageAnswer.ACCEPTED);
      assertThat(stage.stop(LONG)).isEmpty();
      assertThat(batches).containsExactly(List.of("b"), List.of("first"), List.of("second"));
    }
  }

  @Test
  void shouldAnswerAPutWhoseTimeIsOver() throws Exception {
    try (Stage<String> stage = Stage.open(SETTINGS.withCapacity(1), gated)) {
      stage.offer("a");
      batches.take();
      stage.offer("b");
      assertThat(stage.put("c", Duration.ofMillis(1))).isEqualTo(StageAnswer.FULL);
      assertThat(stage.put("c", Duration.ZERO)).isEqualTo(StageAnswer.FULL);
      assertThat(stage.stats().waiting()).isZero();
      assertThat(stage.stats().full()).isEqualTo(2);
      gate.countDown();
    }
  }

  @Test
  void shouldTakeNothingFromAPutThatIsInterrupted() throws Exception {
    try (Stage<String> stage = Stage.open(SETTINGS.withCapacity(1), gated)) {
      stage.offer("a");
      batches.take();
      stage.offer("b");
      CountDownLatch interrupted = new CountDownLatch(1);
      Thread putter =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    try {
                      stage.put("c", LONG);
                    } catch (InterruptedException e) {
                      interrupted.countDown();
                    }
                  });
      until(() -> stage.stats().waiting() == 1);
      putter.interrupt();
      assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(stage.stats().full()).as("it was not refused").isZero();
      gate.countDown();
      stage.stop(LONG);
      assertThat(batches).containsExactly(List.of("b"));
    }
  }

  @Test
  void shouldGiveBackWhatNoHandlerHasGotWhenTheTimeToStopIsOver() throws Exception {
    try (Stage<String> stage = Stage.open(SETTINGS, gated)) {
      stage.offer("a");
      batches.take();
      stage.offer("b");
      stage.offer("c");
      assertThat(stage.stop(Duration.ZERO)).containsExactly("b", "c");
      assertThat(failures.take()).isInstanceOf(InterruptedException.class);
      assertThat(reported).containsExactly("a");
      assertThat(stage.offer("d")).isEqualTo(StageAnswer.STOPPED);
      assertThat(stage.put("d", LONG)).isEqualTo(StageAnswer.STOPPED);
      assertThat(stage.stop(LONG)).isEmpty();
      assertThat(stage.stats().givenBack()).isEqualTo(2);
    }
  }

  @Test
  void shouldAnswerPutsThatWaitWhenItStops() throws Exception {
    try (Stage<String> stage = Stage.open(SETTINGS.withCapacity(1), gated)) {
      stage.offer("a");
      batches.take();
      stage.offer("b");
      FutureTask<StageAnswer> waiting = start(() -> stage.put("c", LONG));
      until(() -> stage.stats().waiting() == 1);
      stage.stop(Duration.ZERO);
      assertThat(waiting.get()).isEqualTo(StageAnswer.STOPPED);
    }
  }

  @Test
  void shouldReportWhatIsLeftWhenItIsClosed() throws Exception {
    Stage<String> stage =
        Stage.open(SETTINGS.withCloseTimeout(Duration.ofMillis(1)).withCapacity(9), gated);
    stage.offer("a");
    batches.take();
    stage.offer("b");
    stage.close();
    assertThat(reported).containsExactlyInAnyOrder("a", "b");
    assertThat(failures).anyMatch(each -> each instanceof StageClosedException);
    assertThat(stage.stats().failed()).isEqualTo(2);
    assertThat(stage.stats().givenBack()).isZero();
  }

  @Test
  void shouldCloseAnIdleStageWithoutTimeForIt() {
    for (int i = 0; i < Seeds.size(50, 5_000); i++) {
      Stage.open(SETTINGS.withCloseTimeout(Duration.ZERO), items -> {}).close();
    }
  }

  @Test
  void shouldTellWhichHandlersDoNotEndWhenItIsClosed() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    Stage<String> stage =
        Stage.open(
            SETTINGS.withCloseTimeout(Duration.ofMillis(1)),
            items -> {
              began.countDown();
              while (gate.getCount() > 0) {
                Thread.onSpinWait();
              }
            });
    stage.offer("a");
    began.await();
    assertThatThrownBy(stage::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("1 of its handlers have not ended PT1S after they were interrupted")
        .hasMessageContaining("closeTimeout");
    gate.countDown();
    until(() -> stage.stats().workers() == 0);
    assertThat(stage.stats().handled()).isEqualTo(1);
  }

  @Test
  void shouldRunBlockingHandlersAsSessionsAsManyAsItHasWorkers() throws Exception {
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
        Stage<String> stage = Stage.open(SETTINGS.withWorkers(100), sessions, gated)) {
      for (int i = 0; i < 150; i++) {
        assertThat(stage.offer("item " + i)).isEqualTo(StageAnswer.ACCEPTED);
      }
      until(() -> stage.stats().busy() == 100);
      assertThat(stage.stats().queued()).isEqualTo(50);
      gate.countDown();
      assertThat(stage.stop(LONG)).isEmpty();
      assertThat(stage.stats().handled()).isEqualTo(150);
      assertThat(sessions.drain(LONG)).isEmpty();
    }
  }

  @Test
  void shouldStartNoWorkerIfThereIsNoRoomForAllOfThem() throws Exception {
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS.withMaxSessions(2))) {
      assertThatThrownBy(() -> Stage.open(SETTINGS.withWorkers(3), sessions, gated))
          .isInstanceOf(RejectedExecutionException.class)
          .hasMessageContaining("maxSessions=2");
      assertThat(sessions.drain(LONG)).isEmpty();
    }
  }

  @Test
  void shouldRefuseItemsWhenOthersHaveEndedItsSessionsAndGiveBackWhatItHas() throws Exception {
    Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
    try (Stage<String> stage = Stage.open(SETTINGS.withWorkers(2), sessions, gated)) {
      stage.offer("a");
      stage.offer("b");
      batches.take();
      batches.take();
      stage.offer("c");
      assertThat(sessions.stop(LONG)).isEmpty();
      assertThat(stage.offer("d")).isEqualTo(StageAnswer.STOPPED);
      assertThat(stage.stop(LONG)).containsExactly("c");
      assertThat(reported).containsExactlyInAnyOrder("a", "b");
    }
  }

  @Test
  void shouldNotLetAnInterruptOfOneItemReachTheNext() throws Exception {
    BlockingQueue<Boolean> interrupts = new LinkedBlockingQueue<>();
    try (Stage<String> stage =
        Stage.open(
            SETTINGS,
            items -> {
              interrupts.add(Thread.currentThread().isInterrupted());
              Thread.currentThread().interrupt();
            })) {
      stage.offer("a");
      stage.offer("b");
      stage.stop(LONG);
    }
    assertThat(interrupts).containsExactly(false, false);
  }

  @Test
  void shouldShowItselfAsAnMBeanUntilItStops() throws Exception {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    ObjectName names = new ObjectName("dev.takt:type=Stage,name=\"test\",*");
    try (Stage<String> stage = Stage.open(SETTINGS.withCapacity(1).withCounters(true), gated)) {
      stage.offer("a");
      batches.take();
      stage.offer("b");
      stage.offer("c");
      until(() -> beans.queryNames(names, null).size() == 1);
      ObjectName bean = beans.queryNames(names, null).iterator().next();
      until(() -> Long.valueOf(1).equals(valueOf(beans, bean, "Full")));
      assertThat(valueOf(beans, bean, "Queued")).isEqualTo(1L);
      assertThat(valueOf(beans, bean, "Busy")).isEqualTo(1L);
      assertThat(valueOf(beans, bean, "State")).isEqualTo("open");
      gate.countDown();
    }
    assertThat(beans.queryNames(names, null)).isEmpty();
  }

  private static Object valueOf(MBeanServer beans, ObjectName bean, String attribute) {
    try {
      return beans.getAttribute(bean, attribute);
    } catch (JMException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldTellValueAndLimitOfASettingThatIsWrong() {
    assertThatThrownBy(() -> SETTINGS.withCapacity(0))
        .hasMessage("capacity=0 (expected: 1 to 16777216)");
    assertThatThrownBy(() -> SETTINGS.withBatch(65_537))
        .hasMessage("batch=65537 (expected: 1 to 65536)");
    assertThatThrownBy(() -> SETTINGS.withWorkers(-1))
        .hasMessage("workers=-1 (expected: 1 to 65536)");
    assertThatThrownBy(() -> SETTINGS.withTargetP90(Duration.ofMillis(-1)))
        .hasMessageContaining("targetP90=PT-0.001S");
    assertThatThrownBy(() -> StageSettings.named(" ")).hasMessageContaining("not blank");
  }
}
