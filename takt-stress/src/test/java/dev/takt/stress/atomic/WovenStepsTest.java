package dev.takt.stress.atomic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.space.EventSpace;
import dev.takt.testkit.LeakCheck;
import dev.takt.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Millions of atomic calls of a task that the weaver has woven, while it is released every 50 us
 * and often aborts: each of them must fit into the one order that the numbers of the steps give, so
 * none is lost, made twice or seen by half.
 */
@ExtendWith(LeakCheck.class)
class WovenStepsTest {
  private static final int CALLERS = 3;
  private static final int CALLS_A_ROUND = 20_000;
  private static final int ROUNDS = Seeds.size(5, 167);
  private static final long NUMBER = (1L << Stepping.NUMBER_BITS) - 1;

  /** One thread that calls. */
  private static final class Caller implements Runnable {
    private final Stepping task;
    private final SplittableRandom random;
    private final int[] inputs = new int[CALLS_A_ROUND];
    private final long[] results = new long[CALLS_A_ROUND];
    private Throwable failure;

    Caller(Stepping task, SplittableRandom random) {
      this.task = task;
      this.random = random;
    }

    @Override
    public void run() {
      try {
        for (int i = 0; i < CALLS_A_ROUND; i++) {
          call(i);
        }
      } catch (Throwable e) {
        failure = e;
      }
    }

    /** What is no step has the input -1. */
    private void call(int i) {
      int input = random.nextInt(1_000);
      inputs[i] = input;
      switch (random.nextInt(8)) {
        case 0 -> {
          inputs[i] = -1;
          results[i] = task.look();
        }
        case 1 -> {
          inputs[i] = -1;
          try {
            task.failedStep(input);
            throw new AssertionError("an exception was lost");
          } catch (ArithmeticException e) {
            results[i] = task.look();
          }
        }
        case 2 -> {
          long[] result = new long[1];
          task.stepInto(input, result);
          results[i] = result[0];
        }
        default -> results[i] = task.step(input);
      }
    }
  }

  @Test
  void shouldFindEveryCallInOneOrder() throws Exception {
    long seed = Seeds.seed();
    SplittableRandom random = new SplittableRandom(seed);
    try (WovenTasks programs = WovenTasks.open("dev.takt.stress.programs")) {
      ReflexTask task = programs.task("StepTask");
      Stepping serial = (Stepping) programs.task("StepTask");
      TaskControl control;
      try (ReflexRuntime runtime =
          ReflexRuntime.create(
              EventSpace.create(), RuntimeSettings.DEFAULTS.withMaxFailures(1_000_000))) {
        control = runtime.active("steps", task, Schedule.periodic(50_000));
        runtime.start();
        for (int i = 0; i < ROUNDS; i++) {
          round((Stepping) task, serial, random);
        }
        assertThat(runtime.stop(Duration.ofSeconds(10))).isTrue();
      }
      check(List.of(), ((Stepping) task).look(), serial);
      assertThat(control.failure()).isNull();
      assertThat(control.stats().aborts()).isPositive();
      assertThat(control.stats().commits()).isPositive();
      assertThat(control.atomicStats().rejected()).isZero();
      System.out.printf(
          "%s%n%s%nfrom %s%n", control.atomicStats(), control.stats(), Seeds.replay(seed));
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(Seeds.replay(seed), e);
    }
  }

  private static void round(Stepping task, Stepping serial, SplittableRandom random)
      throws InterruptedException {
    List<Caller> callers = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      Caller caller = new Caller(task, random.split());
      callers.add(caller);
      threads.add(Thread.ofPlatform().name("caller-" + i).start(caller));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    for (Caller caller : callers) {
      if (caller.failure != null) {
        throw new AssertionError("a call failed", caller.failure);
      }
    }
    check(callers, task.look(), serial);
  }

  /** Brings a task that nobody releases to the same step, one step after the other. */
  private static void check(List<Caller> callers, long last, Stepping serial) {
    int from = (int) (serial.look() & NUMBER);
    int to = (int) (last & NUMBER);
    int[] inputs = new int[to - from + 1];
    long[] results = new long[to - from + 1];
    for (Caller caller : callers) {
      int latest = from;
      for (int i = 0; i < CALLS_A_ROUND; i++) {
        int number = (int) (caller.results[i] & NUMBER);
        boolean isStep = caller.inputs[i] >= 0;
        assertThat(number).isBetween(isStep ? latest + 1 : latest, to);
        latest = number;
        if (isStep) {
          assertThat(inputs[number - from]).as("step %d made twice", number).isZero();
          inputs[number - from] = caller.inputs[i] + 1;
        }
        long known = results[number - from];
        assertThat(known == 0 || known == caller.results[i]).as("at step %d", number).isTrue();
        results[number - from] = caller.results[i];
      }
    }
    checkOne(results[0], serial.look());
    for (int i = 1; i < inputs.length; i++) {
      int input = inputs[i] == 0 ? Stepping.releaseInput(from + i) : inputs[i] - 1;
      checkOne(results[i], serial.step(input));
    }
    checkOne(last, serial.look());
  }

  private static void checkOne(long seen, long wanted) {
    if (seen != 0 && seen != wanted) {
      throw new AssertionError(
          String.format(
              "after step %d a call saw %x, and a serial run %x", seen & NUMBER, seen, wanted));
    }
  }
}
