package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.scripted.Scripted;
import dev.takt.space.Event;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When passive tasks are queued, step by step: one thread plays the worker and all others. */
class PassiveRunnerTest extends StepByStep {
  @Test
  void shouldLookOnceAtTheBeginningAndThenRest() {
    onTaskThread(
        () -> {
          PassiveRunner runner = add(task -> {});
          assertThat(runner.isAtRest()).isFalse();
          assertThat(pool.isEmpty()).isFalse();
          runQueued(runner);
          assertThat(runner.isAtRest()).isTrue();
          assertThat(pool.isEmpty()).isTrue();
          assertThat(runner.stats().releases()).isZero();
          assertThat(runner.stats().spunNs()).isZero();
        });
  }

  @Test
  void shouldBeQueuedOnceHoweverOftenItIsTold() {
    onTaskThread(
        () -> {
          PassiveRunner runner = addResting(task -> task.handle.next(task.into()));
          for (int i = 0; i < 3; i++) {
            write();
            assertThat(runner.isAtRest()).isFalse();
          }
          assertThat(pool.poll()).isSameAs(runner);
          assertThat(pool.poll()).isNull();
        });
  }

  @Test
  void shouldBeQueuedAgainWhileCommittedReleasesLeaveMatches() {
    onTaskThread(
        () -> {
          PassiveRunner runner = addResting(task -> task.handle.next(task.into()));
          for (int i = 0; i < 3; i++) {
            write();
          }
          for (int i = 0; i < 3; i++) {
            assertThat(runner.isAtRest()).isFalse();
            runQueued(runner);
          }
          assertThat(runner.isAtRest()).isTrue();
          assertThat(pool.poll()).isNull();
          assertThat(runner.stats().commits()).isEqualTo(3);
        });
  }

  @Test
  void shouldLookAgainWhenToldDuringReleaseThoughNothingIsLeft() {
    onTaskThread(
        () -> {
          PassiveRunner runner =
              addResting(
                  task -> {
                    task.handle.next(task.into());
                    for (int i = 0; i < 2; i++) {
                      space.write(new Event("a", 2));
                      space.take(new Event("a", 2));
                    }
                  });
          write();
          runQueued(runner);
          assertThat(runner.isAtRest()).isFalse();
          runQueued(runner);
          assertThat(runner.isAtRest()).isTrue();
          assertThat(pool.poll()).isNull();
          assertThat(runner.stats().releases()).isEqualTo(1);
        });
  }

  @Test
  void shouldRestAfterAbortUntilItIsToldOrSwept() {
    onTaskThread(
        () -> {
          PassiveRunner runner = addResting(Scripted::doAbort);
          write();
          runQueued(runner);
          assertThat(runner.isAtRest()).isTrue();
          assertThat(pool.poll()).isNull();
          for (int i = 0; i < 2; i++) {
            assertThat(pool.sweep(0)).isEqualTo(1);
            assertThat(runner.isAtRest()).isFalse();
          }
          write();
          assertThat(pool.poll()).isSameAs(runner);
          assertThat(pool.poll()).isNull();
        });
  }

  @Test
  void shouldNotSweepIntoTheQueueWhatHasNoMatch() {
    onTaskThread(
        () -> {
          PassiveRunner runner = addResting(task -> {});
          pool.sweep(0);
          assertThat(pool.isEmpty()).isTrue();
          assertThat(runner.isAtRest()).isTrue();
        });
  }

  @Test
  void shouldNeverBeQueuedAgainWhenItHasFailedTooOften() {
    onTaskThread(
        () -> {
          PassiveRunner runner =
              addResting(
                  task -> {
                    throw new IllegalStateException("wrong");
                  });
          for (int i = 0; i < MAX_FAILURES; i++) {
            assertThat(runner.isStopped()).isFalse();
            write();
            runQueued(runner);
            assertThat(runner.isAtRest()).isTrue();
          }
          assertThat(runner.isStopped()).isTrue();
          assertThat(runner.subscriptions.count()).isZero();
          write();
          runner.wakeIfDue();
          assertThat(pool.poll()).isNull();
        });
  }

  @Test
  void shouldTakeTheHighestPriorityFirstAndEachInTheOrderOfItsQueue() {
    onTaskThread(
        () -> {
          List<PassiveRunner> runners = new ArrayList<>();
          for (int priority : new int[] {5, 50, 1, 50, 5}) {
            runners.add(add(priority, new Scripted(ANY, task -> {})));
          }
          assertThat(pool.hasAbove(49)).isTrue();
          assertThat(pool.hasAbove(50)).isFalse();
          for (int index : new int[] {1, 3, 0, 4, 2}) {
            assertThat(pool.isEmpty()).isFalse();
            assertThat(pool.poll()).isSameAs(runners.get(index));
          }
          assertThat(pool.isEmpty()).isTrue();
          assertThat(pool.hasAbove(0)).isFalse();
          assertThat(pool.queue(50)).isSameAs(pool.queue(50)).isNotSameAs(pool.queue(5));
        });
  }

  @Test
  void shouldSweepSoManySubscriptionsAtATimeAndThenBeginAnew() {
    onTaskThread(
        () -> {
          int tasks = 300;
          for (int i = 0; i < tasks; i++) {
            addResting(Scripted::doAbort);
          }
          space.write(new Event("a", 1));
          while (true) {
            PassiveRunner next = pool.poll();
            if (next == null) {
              break;
            }
            next.run(context); // aborts, and rests
          }
          assertThat(pool.sweep(0)).isEqualTo(256);
          assertThat(polled()).isEqualTo(256);
          assertThat(pool.sweep(256)).isEqualTo(212);
          assertThat(polled()).isEqualTo(44); // those from the beginning have been polled, not run
        });
  }

  private int polled() {
    int count = 0;
    while (pool.poll() != null) {
      count++;
    }
    return count;
  }

  @Test
  void shouldCountEachSubscriptionOfATaskThatIsSwept() {
    onTaskThread(
        () -> {
          for (int i = 0; i < 4; i++) {
            PassiveRunner runner =
                add(
                    10,
                    new Scripted(
                        task -> {
                          for (int key = 0; key < 128; key++) {
                            task.doSubscribe(new Event("k", key));
                          }
                        },
                        task -> {}));
            runQueued(runner);
          }
          assertThat(pool.sweep(0)).isEqualTo(2);
          assertThat(pool.sweep(3)).isEqualTo(1);
        });
  }

  @Test
  void shouldBeAtRestOnlyWhenNothingIsQueuedAndNoMatchIsLeft() {
    onTaskThread(
        () -> {
          PassiveRunner runner = add(task -> task.doAbort());
          assertThat(pool.isAtRest()).isFalse();
          runQueued(runner);
          assertThat(pool.isAtRest()).isTrue();
          write();
          assertThat(pool.isAtRest()).isFalse();
          runQueued(runner);
          assertThat(pool.isAtRest()).isFalse(); // its event still lies there
          space.take(ANY);
          assertThat(pool.isAtRest()).isTrue();
        });
  }
}
