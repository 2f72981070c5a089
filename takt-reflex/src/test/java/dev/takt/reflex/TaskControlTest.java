package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.Admission;
import dev.takt.realtime.AdmissionAnswer;
import dev.takt.realtime.AdmissionRequest;
import dev.takt.realtime.Aperiodic;
import dev.takt.realtime.Periodic;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.scripted.Scripted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a supervisor can do to a task, and what admission can refuse. */
class TaskControlTest extends StepByStep {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @Test
  void shouldReleasePassiveTaskOnlyAfterItsQuarantine() {
    onTaskThread(
        () -> {
          AtomicInteger releases = new AtomicInteger();
          PassiveRunner runner =
              addResting(
                  task -> {
                    task.handle.next(task.into());
                    releases.incrementAndGet();
                  });
          runner.quarantine(true);
          write();
          runQueued(runner);
          assertThat(releases.get()).isZero();
          assertThat(runner.isAtRest()).isTrue();
          assertThat(pool.isAtRest()).isTrue();
          pool.sweep(0);
          assertThat(pool.poll()).isNull();
          runner.quarantine(false);
          runQueued(runner);
          assertThat(releases.get()).isEqualTo(1);
          assertThat(space.stats().events()).isZero();
        });
  }

  @Test
  void shouldReleaseActiveTaskOnlyAfterItsQuarantine() {
    AtomicInteger releases = new AtomicInteger();
    TaskControl control =
        runtime.active(
            "task", new Scripted(task -> releases.incrementAndGet()), Schedule.continuous());
    control.quarantine(true);
    runtime.start();
    assertThat(control.isQuarantined()).isTrue();
    assertThat(releases.get()).isZero();
    control.quarantine(false);
    Await.until("releases", () -> releases.get() > 2);
    runtime.close();
  }

  @Test
  void shouldRetireStoppedPassiveTaskThatIsIdle() {
    onTaskThread(
        () -> {
          PassiveRunner runner = addResting(task -> {});
          runner.stop("too greedy");
          assertThat(runner.isStopped()).isTrue();
          assertThat(runner.stopReason()).isEqualTo("too greedy");
          assertThat(runner.failure()).isNull();
          runQueued(runner);
          assertThat(space.stats().subscriptions()).isZero();
          assertThat(pool.isAtRest()).isTrue();
          runner.stop("once more");
          assertThat(runner.stopReason()).isEqualTo("too greedy");
          assertThat(pool.poll()).isNull();
        });
  }

  @Test
  void shouldEndThreadOfStoppedActiveTasks() {
    TaskControl slow =
        runtime.active("slow", new Scripted(task -> {}), Schedule.periodic(3_600_000_000_000L));
    TaskControl quick = runtime.active("quick", new Scripted(task -> {}), Schedule.continuous());
    runtime.start();
    slow.stop("too slow");
    quick.stop("too quick");
    Await.until("the ends", () -> Await.runtimeThreads().isEmpty());
    assertThat(List.of(slow, quick)).allMatch(TaskControl::isStopped);
    assertThat(runtime.stop(LIMIT)).isTrue();
  }

  @Test
  void shouldQueueDemotedTaskAfterAllOthers() {
    onTaskThread(
        () -> {
          PassiveRunner high = addResting(task -> task.handle.next(task.into()));
          PassiveRunner low = add(1, new Scripted(ANY, task -> task.handle.next(task.into())));
          runQueued(low);
          high.demote();
          assertThat(high.priority()).isEqualTo(ReflexRuntime.MIN_PRIORITY);
          write();
          assertThat(pool.poll()).isSameAs(low);
          assertThat(pool.poll()).isSameAs(high);
          low.run(context);
          high.run(context);
        });
  }

  @Test
  void shouldNotAbortWhatDoesNotRun() {
    onTaskThread(
        () -> {
          List<Boolean> aborted = new ArrayList<>();
          List<PassiveRunner> self = new ArrayList<>();
          self.add(
              add(
                  task -> {
                    task.handle.next(task.into());
                    aborted.add(self.getFirst().abortRelease(LIMIT));
                  }));
          PassiveRunner runner = self.getFirst();
          assertThat(runner.abortRelease(LIMIT)).isFalse();
          write();
          runQueued(runner);
          assertThat(aborted).containsExactly(false);
          assertThat(runner.commits()).isEqualTo(1);
        });
  }

  @Test
  void shouldRegisterOnlyWhatIsAdmittedAndReportItsEnd() {
    List<String> asked = new ArrayList<>();
    Admission busy =
        new Admission() {
          @Override
          public AdmissionAnswer decide(AdmissionRequest request) {
            assertThat(request.code()).isEqualTo(Scripted.class);
            asked.add(
                request.name() + " " + request.parameters().budgetNs() + " " + request.priority());
            return request.parameters().budgetNs() == 0
                ? AdmissionAnswer.refused("it has no budget")
                : new AdmissionAnswer() {
                  @Override
                  public void ended() {
                    asked.add(request.name() + " ended");
                  }
                };
          }
        };
    Scripted task = new Scripted(t -> {});
    try (ReflexRuntime picky = ReflexRuntime.create(space, settings.withAdmission(busy))) {
      Schedule schedule = Schedule.periodic(1_000_000).priority(7);
      assertThatThrownBy(() -> picky.active("t", task, schedule))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("task t is not admitted: it has no budget");
      assertThat(picky.tasks()).isEmpty();
      assertThat(picky.active("t", task, schedule.budgetNs(5)).name()).isEqualTo("t");
    }
    assertThat(asked).containsExactly("t 0 7", "t 5 7", "t ended");
  }

  @Test
  void shouldRefuseReleaseParametersOfTheOtherKindOfTask() {
    assertThatThrownBy(() -> runtime.active("t", new Scripted(t -> {}), Schedule.onMatch()))
        .hasMessageContaining("register the task as passive");
    assertThatThrownBy(() -> runtime.passive("t", new Scripted(t -> {}), Schedule.continuous()))
        .hasMessageContaining("register the task as active");
  }

  @Test
  void shouldReserveTheBudgetOfPeriodicTasksWithPolicyDeadline() {
    RuntimeScheduling asked = RuntimeScheduling.fifo(1, 90).withPolicy(Policy.DEADLINE);
    Schedule budgeted =
        Schedule.of(Periodic.ofNs(100_000).withDeadlineNs(50_000).withBudgetNs(20_000));
    assertThat(asked.forActive(budgeted))
        .isEqualTo(ThreadScheduling.deadline(20_000, 50_000, 100_000));
    assertThat(asked.forActive(budgeted.budgetNs(1_024)).policy()).isEqualTo(Policy.DEADLINE);
    assertThat(asked.forActive(budgeted.budgetNs(1_023)).policy()).isEqualTo(Policy.FIFO);
    assertThat(asked.forActive(budgeted.budgetNs(50_001)).policy()).isEqualTo(Policy.FIFO);
    assertThat(asked.forActive(budgeted.deadlineNs(100_001)).policy()).isEqualTo(Policy.FIFO);
    assertThat(asked.forActive(Schedule.continuous().budgetNs(5_000)).policy())
        .isEqualTo(Policy.OTHER);
    assertThat(asked.forWorker(20).policy()).isEqualTo(Policy.FIFO);
    assertThat(Schedule.of(Aperiodic.ofCapacity(1)).release().budgetNs()).isZero();
  }
}
