package dev.takt.bench.tasks;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Measurement;
import dev.takt.cpu.AuthenticationClass;
import dev.takt.cpu.CpuManager;
import dev.takt.cpu.ManagerSettings;
import dev.takt.realtime.EndedRelease;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.PassiveServer;
import dev.takt.realtime.ReleaseListener;
import dev.takt.realtime.os.CpuPartition;
import dev.takt.realtime.os.CpuSet;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeScheduling;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.reflex.TaskStats;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * A periodic task of 1 ms beside a passive task, on one processor, both admitted by a CPU manager:
 * with and without a flood of events for the passive one, in turns.
 *
 * @param rounds how many turns of each kind
 * @param roundMs how long each lasts, in milliseconds
 * @param eventsPerSecond how many events the flood has
 * @param budgetNs the budget of the passive tasks in each {@code serverPeriodNs}; 0: the usual
 *     server
 * @param serverPeriodNs the period of that; where it is shorter than 1 ms, the server goes before
 *     the periodic task
 */
public record FloodRun(
    int rounds, int roundMs, long eventsPerSecond, long budgetNs, long serverPeriodNs)
    implements ChildRun.Body<FloodRun.Figures> {
  private static final long PERIOD_NS = 1_000_000;
  private static final long CONTROL_BUDGET_NS = 200_000;

  /** The flood is written in so many parts a second. */
  private static final long PARTS_PER_S = 10_000;

  /** So many events wait at most; what comes then is refused. */
  private static final int CAPACITY = 100_000;

  /**
   * What was measured; each pair without and with the flood.
   *
   * @param quietLateNs how late the releases of the periodic task began
   * @param quietMisses how many of these missed their deadline, or were skipped
   * @param served how many releases the passive task had in the flood
   * @param written how many events were written in the flood
   * @param refused how many were not, because the space was full: what the server could not serve
   * @param floodNs how long the flood was, in all
   * @param granted what the operating system has granted
   */
  public record Figures(
      Histogram quietLateNs,
      Histogram floodLateNs,
      long quietMisses,
      long floodMisses,
      long served,
      long written,
      long refused,
      long floodNs,
      String granted) {
    /** Returns how many events came each second, whether they found room or not. */
    public double eventsPerSecond() {
      return (written + refused) * 1e9 / floodNs;
    }
  }

  /** Tries it: 5 turns of 2 s each, then the same with a server above the periodic task. */
  public static void main(String[] arguments) throws Exception {
    show("the usual server", new FloodRun(5, 2_000, 1_000_000, 0, 0).run());
    show("0.1 ms in each 0.5 ms, above", new FloodRun(5, 2_000, 1_000_000, 100_000, 500_000).run());
  }

  private static void show(String what, Figures figures) {
    System.out.printf(
        "%s: misses %s without, %s with %.0f events/s (%s served, %s refused);"
            + " late p99.9 %s ns without, %s with, max %s and %s; %s%n",
        what,
        figures.quietMisses(),
        figures.floodMisses(),
        figures.eventsPerSecond(),
        figures.served(),
        figures.refused(),
        figures.quietLateNs().getValueAtPercentile(99.9),
        figures.floodLateNs().getValueAtPercentile(99.9),
        figures.quietLateNs().getMaxValue(),
        figures.floodLateNs().getMaxValue(),
        figures.granted());
  }

  @Override
  public Figures run() throws InterruptedException {
    CpuSet cpus =
        CpuPartition.usual(OperatingSystems.current())
            .map(each -> CpuSet.of(each.realtime().toArray()[0]))
            .orElse(null);
    Lateness lateness = new Lateness();
    EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(CAPACITY));
    try (CpuManager manager = CpuManager.start(ManagerSettings.defaults().withCpus(cpus));
        ReflexRuntime runtime =
            ReflexRuntime.create(
                space,
                RuntimeSettings.DEFAULTS
                    .withScheduling(RuntimeScheduling.REALTIME)
                    .withPassiveServer(
                        budgetNs == 0 ? null : new PassiveServer(budgetNs, serverPeriodNs))
                    .withListeners(lateness)
                    .withAdmission(manager.admission(AuthenticationClass.DEFAULT)))) {
      TaskControl control =
          runtime.active(
              "control",
              new ControlTask(),
              Schedule.periodic(PERIOD_NS).budgetNs(CONTROL_BUDGET_NS));
      TaskControl flooded = runtime.passive("flooded", new FloodedTask(), Schedule.onMatch());
      lateness.subject = control;
      runtime.start();
      return turns(space, control, flooded, lateness, runtime.grants().toString());
    }
  }

  private Figures turns(
      EventSpace space, TaskControl control, TaskControl flooded, Lateness lateness, String granted)
      throws InterruptedException {
    Histogram quiet = Measurement.histogram();
    Histogram flood = Measurement.histogram();
    long[] misses = new long[2];
    Flood all = new Flood(space);
    turn(all, true); // warms up
    for (int round = 0; round < rounds; round++) {
      long before = misses(control);
      lateness.into = quiet;
      turn(all, false);
      lateness.into = null;
      long between = misses(control);
      misses[0] += between - before;
      long served = flooded.stats().releases();
      all.counts = true;
      lateness.into = flood;
      turn(all, true);
      lateness.into = null;
      all.counts = false;
      misses[1] += misses(control) - between;
      all.served += flooded.stats().releases() - served;
      drain(space);
    }
    return new Figures(
        quiet,
        flood,
        misses[0],
        misses[1],
        all.served,
        all.written,
        all.refused,
        all.floodNs,
        granted);
  }

  /** So that nothing of a flood is left in the next turn. */
  private static void drain(EventSpace space) {
    Event into = new Event();
    while (space.take(new Event(FloodedTask.KEY, null), into)) {
      // gone
    }
  }

  private static long misses(TaskControl control) {
    TaskStats stats = control.stats();
    return stats.misses() + stats.skipped();
  }

  private void turn(Flood flood, boolean writes) throws InterruptedException {
    if (writes) {
      Thread writer = Thread.ofPlatform().daemon().name("flood").unstarted(flood);
      writer.start();
      writer.join();
    } else {
      new CountDownLatch(1).await(roundMs, TimeUnit.MILLISECONDS);
    }
  }

  /** How late one task begins; called on its thread. */
  private static final class Lateness implements ReleaseListener {
    volatile TaskControl subject;

    /** Null: nothing counts. */
    volatile Histogram into;

    @Override
    public void onEnd(EndedRelease release) {
      Histogram into = this.into;
      if (into != null && release.subject() == subject) {
        into.recordValue(
            Math.clamp(release.beginNs() - release.dueNs(), 0, into.getHighestTrackableValue()));
      }
    }
  }

  /** An ordinary thread that writes for the time of one turn. */
  private final class Flood implements Runnable {
    private final EventSpace space;
    private final Event event = new Event(FloodedTask.KEY, 0L);
    boolean counts;
    long written;
    long refused;
    long served;
    long floodNs;

    Flood(EventSpace space) {
      this.space = space;
    }

    @Override
    public void run() {
      long beginNs = System.nanoTime();
      long done = 0;
      long room = 0;
      long passedNs = 0;
      while (passedNs < TimeUnit.MILLISECONDS.toNanos(roundMs)) {
        long due = Math.min(passedNs * eventsPerSecond / 1_000_000_000L, done + CAPACITY);
        for (; done < due; done++) {
          event.clear().add(FloodedTask.KEY, done);
          room += space.offer(event) ? 1 : 0;
        }
        long nextNs = beginNs + passedNs + 1_000_000_000L / PARTS_PER_S;
        LockSupport.parkNanos(nextNs - System.nanoTime());
        passedNs = System.nanoTime() - beginNs;
      }
      if (counts) {
        written += room;
        refused += done - room;
        floodNs += passedNs;
      }
    }
  }
}
