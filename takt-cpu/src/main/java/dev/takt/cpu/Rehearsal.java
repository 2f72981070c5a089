package dev.takt.cpu;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.flight.TaktEvents;
import dev.takt.realtime.internal.Await;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.realtime.stop.StopSwitch;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A task that runs away on purpose, and is dropped, before there is another one.
 *
 * <p>Code that runs for the first time loads and links classes, which takes some ten milliseconds
 * of the processor. A task that has the heap collected again and again leaves less than one of
 * forty to all other threads, so that the first drop took seconds there. After the rehearsal it
 * takes what it takes.
 *
 * <p>Nobody sees it: it has tasks of its own, without events and counters. It is left out where the
 * clock or the operating system is not that of the machine, because they count what uses them.
 *
 * <p><b>Thread rule:</b> any thread; done once in a JVM.
 */
final class Rehearsal {
  private static final AtomicBoolean DONE = new AtomicBoolean();

  /** How long each of its waits takes at most: 0.5 s in nanoseconds. */
  private static final long WAIT_NS = 500_000_000;

  private static final long POLL_NS = 100_000;

  private final ManagerSettings settings;
  private final NanoClock clock;
  private final ManagedTasks tasks;
  private final Containment containment;

  /** A time that passes as fast as it is asked for. */
  private long nowNs;

  private Rehearsal(ManagerSettings settings, ProcessorsApart places) {
    this.settings = settings;
    clock = settings.clock();
    tasks = new ManagedTasks(settings, places, () -> {});
    containment = new Containment(tasks, settings, places);
    nowNs = clock.nanoTime();
  }

  /** Rehearses, if that has not been done in this JVM. */
  static void once(ManagerSettings settings, ProcessorsApart places) {
    if (settings.clock() == NanoClock.system()
        && settings.system() == OperatingSystems.current()
        && DONE.compareAndSet(false, true)) {
      try {
        new Rehearsal(settings.forRehearsal(), places).run();
      } catch (RuntimeException | Error e) {
        tell(e); // an emergency goes without it
      }
    }
  }

  private static void tell(Throwable thrown) {
    Thread caller = Thread.currentThread();
    try {
      caller.getUncaughtExceptionHandler().uncaughtException(caller, thrown);
    } catch (RuntimeException | Error twice) {
      // no other is left to call, and the caller has work to do
    }
  }

  private void run() {
    TaktEvents.load();
    List<Class<?>> code = List.of(Rehearsal.class);
    StopSwitch.flip(code);
    StopSwitch.rearm(code);
    RunnableTask runaway = runaway();
    if (runaway == null) {
      return; // nothing is admitted by these settings
    }
    runaway.start();
    try {
      await(() -> runaway.running() != null);
      Supervisor supervisor =
          new Supervisor(
              threadId -> nowNs,
              settings.lookPeriodNs(),
              tasks.spare(),
              containment.cold(),
              containment);
      for (int looks = 0; looks < 2; looks++) {
        supervisor.look(tasks.all(), nowNs);
        nowNs += WAIT_NS;
      }
      await(() -> !containment.step());
    } finally {
      runaway.end();
      runaway.interrupt();
      Await.orInterrupt(() -> runaway.join(Duration.ofNanos(WAIT_NS)));
      tasks.close();
    }
  }

  private @Nullable RunnableTask runaway() {
    Profile profile =
        Profile.of("takt-rehearsal", 10_000_000)
            .withBudgetNs(1_000_000)
            .in(AuthenticationClass.DEFAULT.withOnOverrun(OverrunPolicy.DROP));
    ManagedTask task = tasks.locked(() -> tasks.decide(profile, null, ""));
    if (!task.state().isAdmitted()) {
      return null;
    }
    RunnableTask runaway =
        new RunnableTask(
            task,
            Rehearsal::waitInVain,
            ThreadScheduling.OTHER,
            null,
            settings,
            tasks.newWatch(task),
            failure -> {},
            grant -> {},
            () -> tasks.ended(task));
    task.subject(runaway.control);
    return runaway;
  }

  /** What does not end, until it is interrupted. */
  private static void waitInVain() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void await(BooleanSupplier isDone) {
    long untilNs = clock.nanoTime() + WAIT_NS;
    while (!isDone.getAsBoolean() && clock.nanoTime() - untilNs < 0) {
      clock.parkNanos(POLL_NS);
    }
  }
}
