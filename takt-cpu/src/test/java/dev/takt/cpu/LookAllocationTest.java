package dev.takt.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cpu.admission.Decision;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.Periodic;
import dev.takt.realtime.ReleaseEngine;
import dev.takt.realtime.ThreadMeter;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.ThreadScheduling;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A look with real tasks, threads and system calls: it must not wait for the JVM for memory. */
class LookAllocationTest {
  private static final long COST = 2_000_000;
  private static final int LOOKS = 20_000;

  /** The JVM links method handles at their first call, and makes code of their own at the 127th. */
  private static final int LINKED = 200;

  /** What the JVM may take once to link code: less than a byte for each call. */
  private static final long ONCE_BYTES = LOOKS;

  /**
   * Where the JVM is asked for the times of threads, because the system cannot be: there are no
   * real-time priorities then, so nothing that keeps the JVM's own threads from running.
   */
  private static final long WITHOUT_SYSTEM_BYTES = LOOKS * 400L;

  private final ManagerSettings settings = ManagerSettings.defaults();
  private final ProcessorsApart places = new ProcessorsApart(settings);
  private final Containment containment =
      new Containment(new ManagedTasks(settings, places, () -> {}), settings, places);
  private final ThreadMeter meter = ThreadMeter.system();
  private final OperatingSystem system = settings.system();
  private final Supervisor.ThreadTimes times = settings.threadTimes();
  private long usedNs;

  private final Supervisor supervisor =
      new Supervisor(
          thread -> {
            times.usedNs(thread);
            return usedNs;
          },
          settings.lookPeriodNs(),
          new SpareTime(),
          containment.cold(),
          containment);

  @AfterEach
  void close() {
    places.close();
  }

  private ManagedTask task(String name, boolean runs) {
    AuthenticationClass drops = AuthenticationClass.DEFAULT.withOnOverrun(OverrunPolicy.DROP);
    ManagedTask task =
        new ManagedTask(
            Profile.of(name, 10_000_000).withBudgetNs(COST).in(drops),
            new Decision(0, List.of(), "", OptionalLong.empty(), OptionalLong.empty()),
            ManagedTask.State.ADMITTED,
            new CostSamples(1, ThreadMeter.system(), true));
    IdleSubject subject = new IdleSubject();
    subject.engine =
        new ReleaseEngine(
            subject,
            Periodic.ofNs(10_000_000),
            null,
            ThreadMeter.of(NanoClock.system()),
            List.of(),
            _ -> {});
    if (runs) {
      subject.engine.begin(0);
      task.onBegin(Thread.currentThread(), settings.threadNumbers(), 0);
    }
    task.subject(subject);
    task.schedule(ThreadScheduling.fifo(1), task.model(), 0);
    return task;
  }

  /** The number of looks says that code that is interpreted and such that is compiled is met. */
  @Test
  void shouldAllocateNothingInALookAtTasksThatAreIdleRunOrHaveUsedUpTheirCost() {
    ManagedTask running = task("running", true);
    ManagedTask spent = task("spent", true);
    spent.admittedWith(COST / 2);
    List<ManagedTask> tasks =
        new CopyOnWriteArrayList<>(List.of(task("idle", false), running, spent));
    supervisor.look(tasks, 0);
    usedNs = COST;
    supervisor.look(tasks, COST); // reports one overrun

    allocatedBytes(tasks, spent, LINKED);
    assertThat(allocatedBytes(tasks, spent, LOOKS))
        .isLessThan(system.isNative() ? ONCE_BYTES : WITHOUT_SYSTEM_BYTES);
    assertThat(running.overruns()).isZero();
    assertThat(spent.overruns()).isEqualTo(1);
    assertThat(spent.mayLosePriority()).isFalse();
  }

  private long allocatedBytes(List<ManagedTask> tasks, ManagedTask spent, int looks) {
    long before = meter.allocatedBytes();
    for (int i = 0; i < looks; i++) {
      spent.losesPriority(false); // so that it is taken in each look
      supervisor.look(tasks, COST + i % 1_000);
    }
    return meter.allocatedBytes() - before;
  }

  @Test
  void shouldAllocateNothingToMoveAThreadToOtherProcessors() {
    CpuSet known = system.processCpus();
    CpuSet cpus = known == null ? CpuSet.of(0) : known;
    int thread = system.threadId();
    for (int i = 0; i < LINKED; i++) {
      system.bind(thread, cpus);
    }
    long before = meter.allocatedBytes();
    for (int i = 0; i < LOOKS / 10; i++) {
      system.bind(thread, cpus);
    }
    assertThat(meter.allocatedBytes() - before)
        .isLessThan(system.isNative() ? ONCE_BYTES : WITHOUT_SYSTEM_BYTES);
  }

  /** A release is visible before its thread has said which one it is. */
  @Test
  void shouldMeasureNothingOfNoThread() {
    assertThat(ThreadMeter.usedNs(0)).isEqualTo(ThreadMeter.UNKNOWN);
    assertThat(times.usedNs(0)).isEqualTo(ThreadMeter.UNKNOWN);
  }
}
