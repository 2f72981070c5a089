package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.Admission;
import dev.takt.realtime.AdmissionAnswer;
import dev.takt.reflex.woven.TaskThread;
import dev.takt.scripted.Scripted;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;

/** Passive tasks without a running runtime: one thread plays the worker and all others. */
abstract class StepByStep {
  static final int MAX_FAILURES = 2;
  static final Event ANY = new Event("a", null);

  final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(1_000));
  final RuntimeSettings settings =
      Settings.FOR_TESTS.withMaxFailures(MAX_FAILURES).withFailureHandler((task, failure) -> {});
  final ReflexRuntime runtime = ReflexRuntime.withoutSweep(space, settings);
  final Registrar registrar = new Registrar(settings);
  final WorkerPool pool = new WorkerPool(runtime, Admission.ALL, true);
  final ReleaseContext context = new ReleaseContext(space, settings);

  /** A test's steps, on a thread that may run releases. */
  final void onTaskThread(Runnable steps) {
    Throwable[] thrown = new Throwable[1];
    TaskThread thread =
        new TaskThread(
            () -> {
              try (context) {
                steps.run();
              } catch (Throwable e) {
                thrown[0] = e;
              }
            },
            "steps");
    thread.start();
    Await.until("the steps", () -> !thread.isAlive());
    if (thrown[0] != null) {
      throw new AssertionError(thrown[0]);
    }
  }

  PassiveRunner add(int priority, ReflexTask task) {
    return add(Schedule.onMatch().priority(priority), task);
  }

  PassiveRunner add(Schedule schedule, ReflexTask task) {
    String name = "task" + pool.size();
    PassiveRunner runner =
        new PassiveRunner(
            runtime,
            name,
            task,
            schedule,
            registrar.admit(name, task, AdmissionAnswer.FREE),
            pool,
            pool.size());
    pool.add(runner);
    task.bind(runner);
    runner.initialize(context);
    runner.activate();
    return runner;
  }

  PassiveRunner add(Scripted.Script execute) {
    return add(10, new Scripted(ANY, execute));
  }

  /** Adds a task that is at rest. */
  PassiveRunner addResting(Scripted.Script execute) {
    PassiveRunner runner = add(execute);
    runQueued(runner);
    return runner;
  }

  void runQueued(PassiveRunner runner) {
    assertThat(pool.poll()).isSameAs(runner);
    runner.run(context);
  }

  void write() {
    space.write(new Event("a", 1));
  }
}
