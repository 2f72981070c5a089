package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.ReleaseOutcome;
import dev.takt.reflex.woven.TaskMemory;
import dev.takt.scripted.Node;
import dev.takt.scripted.Scripted;
import dev.takt.space.Event;
import dev.takt.space.Handle;
import dev.takt.space.Subscriber;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a release leaves behind, whatever its attempts have done. */
class TaskRunnerTest extends StepByStep {
  private static final Event ANY_B = new Event("b", null);

  private int maxRetries() {
    return space.settings().maxRetries();
  }

  /** Makes a release lose that has looked for such an event in vain. */
  private void disturb() {
    space.transact(
        1_000,
        transaction -> {
          transaction.write(new Event("b", 1));
          return null;
        });
    space.take(ANY_B);
  }

  private void lose(Scripted task) {
    task.doTest(ANY_B);
    disturb();
    task.doWrite(new Event("b", 7));
  }

  private static TaskState state(TaskRunner runner) {
    return runner.state;
  }

  @Test
  void shouldTryOnceMoreThanItMayTryAgain() {
    onTaskThread(
        () -> {
          AtomicInteger attempts = new AtomicInteger();
          PassiveRunner runner =
              addResting(
                  task -> {
                    attempts.incrementAndGet();
                    lose(task);
                  });
          write();
          runQueued(runner);
          assertThat(attempts.get()).isEqualTo(maxRetries() + 1);
          assertThat(runner.stats().conflicts()).isEqualTo(1);
          assertThat(space.count(ANY_B)).isZero();
        });
  }

  @Test
  void shouldTryToInitializeAHundredTimesAndThenGiveUp() {
    onTaskThread(
        () -> {
          AtomicInteger attempts = new AtomicInteger();
          assertThatThrownBy(
                  () ->
                      add(
                          10,
                          new Scripted(
                              task -> {
                                attempts.incrementAndGet();
                                lose(task);
                              },
                              task -> {})))
              .hasMessageContaining("task task0 failed to initialize: it has lost conflicts")
              .hasMessageContaining("tries=100");
          assertThat(attempts.get()).isEqualTo(100 * (maxRetries() + 1));
        });
  }

  @Test
  void shouldForgetEventThatFoundNothingWithItsAttempt() {
    onTaskThread(
        () -> {
          List<Long> found = new ArrayList<>();
          AtomicInteger attempts = new AtomicInteger();
          PassiveRunner runner =
              addResting(
                  task -> {
                    Event event = task.doTakeNow(ANY_B);
                    if (attempts.incrementAndGet() == 1) {
                      task.doTest(ANY_B);
                      disturb();
                      space.write(new Event("b", 5));
                      task.doWrite(new Event("b", 7));
                    } else if (event != null) {
                      found.add(event.getLong("b"));
                    }
                    task.handle.next(task.into());
                  });
          write();
          runQueued(runner);
          assertThat(runner.failure()).isNull();
          assertThat(found).containsExactly(5L);
        });
  }

  @Test
  void shouldCountFailuresAnewAfterACommit() {
    onTaskThread(
        () -> {
          PassiveRunner runner =
              addResting(
                  task -> {
                    if (task.doTake(ANY).getLong("a") == 1) {
                      throw new IllegalStateException("wrong");
                    }
                  });
          for (int i = 0; i < 3; i++) {
            for (long value : new long[] {1, 2}) {
              space.write(new Event("a", value));
              runQueued(runner);
              space.take(new Event("a", 1));
            }
          }
          assertThat(runner.stats().failures()).isEqualTo(3);
          assertThat(runner.isStopped()).isFalse();
        });
  }

  @Test
  void shouldBeOutOfItsMemoryWhenReleaseOrRehearsalHasEnded() {
    onTaskThread(
        () -> {
          PassiveRunner runner = addResting(task -> task.handle.next(task.into()));
          write();
          runQueued(runner);
          assertThat(TaskMemory.current()).isNull();
          assertThat(state(runner).memory().isEntered()).isFalse();
          assertThat(context.committing).isFalse();
          write();
          assertThat(runner.rehearse(context)).isTrue();
          assertThat(TaskMemory.current()).isNull();
          assertThat(state(runner).memory().isEntered()).isFalse();
          assertThat(context.committing).isFalse();
          assertThat(space.count(ANY)).isEqualTo(1);
          assertThatThrownBy(() -> runner.transaction())
              .hasMessageContaining("is not in a release");
        });
  }

  @Test
  void shouldTellOutsideOfItsMemoryWhatItGivesBack() {
    onTaskThread(
        () -> {
          List<Boolean> inMemory = new ArrayList<>();
          space.subscribe(
              ANY,
              new Subscriber() {
                @Override
                public void onMatch(Handle handle) {}

                @Override
                public void onGivenBack(Handle handle) {
                  inMemory.add(TaskMemory.current() != null);
                }
              });
          PassiveRunner runner =
              addResting(
                  task -> {
                    task.handle.next(task.into());
                    task.doAbort();
                  });
          write();
          runQueued(runner);
          assertThat(inMemory).isNotEmpty().containsOnly(false);
        });
  }

  @Test
  void shouldPutOneSubscriptionInThePlaceOfAnother() {
    onTaskThread(
        () -> {
          PassiveRunner runner =
              addResting(
                  task -> {
                    task.handle.next(task.into());
                    task.doUnsubscribe(task.handle);
                    task.handle(task.doSubscribe(ANY_B));
                  });
          write();
          runQueued(runner);
          assertThat(runner.failure()).isNull();
          assertThat(runner.subscriptions.count()).isEqualTo(1);
          assertThat(space.stats().subscriptions()).isEqualTo(1);
          write();
          assertThat(pool.poll()).isNull();
          space.write(new Event("b", 1));
          assertThat(pool.poll()).isSameAs(runner);
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void shouldKeepTheOtherSubscriptionsWhenOneEnds(int ended) {
    onTaskThread(
        () -> {
          Handle[] handles = new Handle[3];
          PassiveRunner runner =
              add(
                  10,
                  new Scripted(
                      task -> {
                        for (int i = 0; i < 3; i++) {
                          handles[i] = task.doSubscribe(new Event("a", i));
                        }
                      },
                      task -> {
                        task.doTake(ANY);
                        task.doUnsubscribe(handles[ended]);
                      }));
          runQueued(runner);
          space.write(new Event("a", ended));
          runQueued(runner);
          assertThat(runner.failure()).isNull();
          assertThat(runner.subscriptions.count()).isEqualTo(2);
          for (int i = 0; i < 3; i++) {
            space.write(new Event("a", i));
            assertThat(runner.subscriptions.hasMatch())
                .as("subscription %d", i)
                .isEqualTo(i != ended);
            space.take(ANY);
          }
        });
  }

  @Test
  void shouldMakeWhatReleasesNeedBeforeTheyBegin() {
    onTaskThread(
        () -> {
          PassiveRunner runner =
              add(10, new Scripted(1_000, 1_000, task -> {}, task -> {}, task -> Node.of(1, null)));
          assertThat(runner.release(context)).isEqualTo(ReleaseOutcome.COMPLETED);
          assertThat(context.area.isPrepared(state(runner).plan())).isTrue();
          assertThat(runner.stats().memory().poolGrowths()).isZero();
        });
  }
}
