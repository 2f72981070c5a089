package dev.takt.bench.cpu;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Measurement;
import dev.takt.bench.rtj.BaselineProgram;
import dev.takt.bench.tasks.EndlessCode;
import dev.takt.bench.tasks.EndlessTask;
import dev.takt.cpu.AuthenticationClass;
import dev.takt.cpu.CpuManager;
import dev.takt.cpu.CpuScheduler;
import dev.takt.cpu.ManagerEvent;
import dev.takt.cpu.ManagerSettings;
import dev.takt.cpu.OverrunPolicy;
import dev.takt.cpu.Profile;
import dev.takt.realtime.EndedRelease;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.ReleaseListener;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeScheduling;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Tasks that run away beside tasks that keep to their budgets: how long it takes until they are
 * dropped and undone, and which deadlines the others miss. Each run has a counterpart without a
 * runaway, in turns, so that what the machine does by itself is known. A third of the runs has
 * three runaways at once; each run has one of the ways not to end, as a task and as plain code.
 *
 * @param runs how many runs with runaways
 * @param scheduler {@code fixed}, {@code deadline} or {@code portable}; anything else: the best
 *     that is granted
 * @param floor the compiled program in C that looks when the machine stands still; {@code -}: none
 */
public record RunawayRun(int runs, String scheduler, String floor)
    implements ChildRun.Body<RunawayRun.Dropped> {
  private static final long MS = 1_000_000;
  private static final long PERIOD_NS = 5 * MS;
  private static final long BUDGET_NS = MS / 4;

  /** Enough for the grace that cold releases have, and for the others to have been compiled. */
  private static final long SETTLE_NS = 150 * MS;

  /** For how long an ordinary thread keeps each processor busy: about as long as runaways last. */
  private static final long BUSY_NS = 17 * MS;

  /** How long others are watched from the moment at which the tasks run away. */
  private static final long WATCH_NS = 100 * MS;

  private static final long LIMIT_S = 20;

  /**
   * What was measured.
   *
   * @param scheduler which one it was, and why
   * @param runs how many runs with runaways
   * @param runaways how many tasks ran away
   * @param dropped how many of them were dropped
   * @param undone whether nothing is left in the space of what they have written
   * @param ns from the begin of the release to its end, in nanoseconds: by {@code all}, {@code
   *     three} at once, {@code task}, {@code plain}, and by the ways that go on working; {@code
   *     sleeping}, which takes no processor and has time until long after its deadline, is not in
   *     {@code all}
   * @param others the tasks beside them
   * @param missedBeside beside which runaway: its way, or {@code three} at once
   * @param control the others in the runs without runaways
   * @param busy the others in the runs with ordinary threads that are busy
   */
  public record Dropped(
      String scheduler,
      int runs,
      int runaways,
      int dropped,
      boolean undone,
      Map<String, Histogram> ns,
      Others others,
      Map<String, Long> missedBeside,
      Others control,
      Others busy) {}

  /**
   * The tasks beside.
   *
   * @param releases how many releases they had
   * @param missed how many of them ended past their deadline, or were skipped
   * @param stalled how many of these would have been in time if the machine had not stood still
   */
  public record Others(long releases, long missed, long stalled) {
    /** Returns how many were late by what ran. */
    public long missedByLoad() {
      return missed - stalled;
    }

    @Override
    public String toString() {
      return missed + " (by the machine " + stalled + ") of " + releases;
    }
  }

  /** What the others run beside. */
  private enum Beside {
    RUNAWAYS,
    BUSY_THREADS,
    NOTHING
  }

  /** To try it. */
  public static void main(String[] arguments) throws Exception {
    int runs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20;
    Dropped found;
    try (BaselineProgram floor = BaselineProgram.compile()) {
      found =
          new RunawayRun(runs, arguments.length > 1 ? arguments[1] : "best", floor.path()).run();
    }
    System.out.printf(
        "%s%n%s runs, %s of %s dropped, undone=%s; others missed %s, beside busy threads %s, alone %s%n",
        found.scheduler,
        found.runs,
        found.dropped,
        found.runaways,
        found.undone,
        found.others,
        found.busy,
        found.control);
    System.out.println("missed beside: " + found.missedBeside);
    found.ns.forEach(
        (name, times) ->
            System.out.printf(
                "%-12s n=%-4s p50 %.1f ms  max %.1f ms (budget: %.2f ms)%n",
                name,
                times.getTotalCount(),
                times.getValueAtPercentile(50) / 1e6,
                times.getMaxValue() / 1e6,
                BUDGET_NS / 1e6));
    System.exit(0);
  }

  @Override
  public Dropped run() throws IOException, InterruptedException {
    Map<Beside, Tally> tallies = new EnumMap<>(Beside.class);
    MachineStalls stalls = MachineStalls.watch(floor);
    try (stalls) {
      for (int i = -2; i < runs; i++) {
        for (Beside beside : Beside.values()) {
          Tally tally = tallies.computeIfAbsent(beside, _ -> new Tally());
          // the first ones load classes
          new Once(i < 0 ? new Tally() : tally, i & Integer.MAX_VALUE, beside).go();
        }
      }
    }
    Tally with = tallies.get(Beside.RUNAWAYS);
    return new Dropped(
        with.scheduler,
        runs,
        with.runaways,
        with.dropped,
        with.undone,
        with.ns,
        with.others(stalls),
        with.missedBeside,
        tallies.get(Beside.NOTHING).others(stalls),
        tallies.get(Beside.BUSY_THREADS).others(stalls));
  }

  private ManagerSettings settings() {
    ManagerSettings defaults = ManagerSettings.defaults();
    return switch (scheduler) {
      case "fixed" -> defaults.withScheduler(CpuScheduler.fixedPriority());
      case "deadline" -> defaults.withScheduler(CpuScheduler.deadline());
      case "portable" -> defaults.withScheduler(CpuScheduler.portable());
      default -> defaults;
    };
  }

  /** What many runs have found. */
  private static final class Tally {
    final Map<String, Histogram> ns = new LinkedHashMap<>();
    final List<OtherTasks.Missed> missed = new ArrayList<>();
    final Map<String, Long> missedBeside = new TreeMap<>();
    String scheduler = "";
    long releases;
    int runaways;
    int dropped;
    boolean undone = true;

    Others others(MachineStalls stalls) {
      long stalled = missed.stream().filter(each -> each.isBy(stalls)).count();
      return new Others(releases, missed.size(), stalled);
    }

    void addOthers(String beside, OtherTasks others) {
      releases += others.releases();
      missed.addAll(others.missed());
      if (!others.missed().isEmpty()) {
        missedBeside.merge(beside, (long) others.missed().size(), Long::sum);
      }
    }

    void add(String name, long tookNs) {
      ns.computeIfAbsent(name, _ -> Measurement.histogram()).recordValue(tookNs);
    }
  }

  /** Returns in which way a runaway of a name does not end. */
  private static String way(String name) {
    return name.substring(name.lastIndexOf(' ') + 1);
  }

  /** One runaway of a run. */
  private record Ended(String name, long tookNs) {
    String way() {
      return RunawayRun.way(name);
    }

    boolean task() {
      return name.startsWith("task");
    }
  }

  /** One run, or a counterpart. */
  private final class Once implements ReleaseListener {
    private final Tally tally;
    private final int number;
    private final Beside beside;
    private final boolean runsAway;
    private final int count;
    private final AtomicBoolean away = new AtomicBoolean();
    private final AtomicBoolean watched = new AtomicBoolean();
    private final OtherTasks others = new OtherTasks();
    private final BlockingQueue<ManagerEvent> events = new LinkedBlockingQueue<>();
    private final BlockingQueue<Ended> ended = new LinkedBlockingQueue<>();

    Once(Tally tally, int number, Beside beside) {
      this.tally = tally;
      this.number = number;
      this.beside = beside;
      runsAway = beside == Beside.RUNAWAYS;
      count = number % 3 == 2 ? 3 : 1;
    }

    void go() throws InterruptedException {
      AuthenticationClass drops = AuthenticationClass.DEFAULT.withOnOverrun(OverrunPolicy.DROP);
      EventSpace space = EventSpace.create();
      try (CpuManager manager = CpuManager.start(settings().withEvents(events::add));
          ReflexRuntime runtime =
              ReflexRuntime.create(
                  space,
                  RuntimeSettings.DEFAULTS
                      .withWorkers(1)
                      .withScheduling(RuntimeScheduling.NONE)
                      .withListeners(this)
                      .withAdmission(manager.admission(drops)))) {
        tally.scheduler = manager.scheduler().scheduler() + ": " + manager.scheduler().reason();
        for (long periodMs : new long[] {2, 5, 10}) {
          others.start(manager, periodMs * MS);
        }
        List<String> runaways = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          runaways.add(startRunaway(manager, runtime, drops, i));
        }
        runtime.start();
        LockSupport.parkNanos(SETTLE_NS);
        watched.set(true);
        others.watch();
        away.set(runsAway);
        List<Thread> busy = beside == Beside.BUSY_THREADS ? startBusyThreads() : List.of();
        LockSupport.parkNanos(WATCH_NS);
        for (Thread each : busy) {
          each.join();
        }
        if (runsAway) {
          await(runaways.size());
        }
        watched.set(false);
        others.endWatch();
        away.set(false);
        tally.addOthers(count == 1 ? way(runaways.getFirst()) : "three", others);
        tally.undone &= !space.test(new Event("runaway", null));
      }
    }

    /** Keeps each processor busy for a while, by threads that the manager does not know. */
    private List<Thread> startBusyThreads() {
      OperatingSystem system = OperatingSystems.current();
      CpuSet cpus = system.processCpus();
      List<Thread> threads = new ArrayList<>();
      for (int cpu : cpus == null ? new int[] {-1} : cpus.toArray()) {
        threads.add(Thread.ofPlatform().start(() -> keepBusy(system, cpu)));
      }
      return threads;
    }

    private static void keepBusy(OperatingSystem system, int cpu) {
      if (cpu >= 0) {
        system.bind(system.threadId(), CpuSet.of(cpu));
      }
      long untilNs = System.nanoTime() + BUSY_NS;
      while (System.nanoTime() - untilNs < 0) {
        Thread.onSpinWait();
      }
    }

    private String startRunaway(
        CpuManager manager, ReflexRuntime runtime, AuthenticationClass drops, int i) {
      boolean task = (number / 3 + i) % 2 == 0;
      int way = (number + i) % (task ? EndlessCode.taskWays() : EndlessCode.ways());
      String name = (task ? "task" : "plain") + " " + i + " " + EndlessCode.way(way);
      if (task) {
        runtime.active(
            name, new EndlessTask(away, way), Schedule.periodic(PERIOD_NS).budgetNs(BUDGET_NS));
      } else {
        EndlessCode code = new EndlessCode(away, way);
        Profile profile = Profile.of(name, PERIOD_NS).withBudgetNs(BUDGET_NS).in(drops);
        OtherTasks.requireAdmitted(
            manager.register(
                profile,
                () -> {
                  long beginNs = System.nanoTime();
                  boolean goesAway = away.get();
                  try {
                    code.run();
                  } finally {
                    if (goesAway) {
                      end(name, System.nanoTime() - beginNs);
                    }
                  }
                }));
      }
      return name;
    }

    @Override
    public void onEnd(EndedRelease release) {
      if (release.endNs() - release.beginNs() > BUDGET_NS && watched.get() && runsAway) {
        end(release.subject().name(), release.endNs() - release.beginNs());
      }
    }

    private void end(String name, long tookNs) {
      ended.add(new Ended(name, tookNs));
    }

    private void await(int runaways) throws InterruptedException {
      tally.runaways += runaways;
      Set<String> dropped = new HashSet<>();
      for (int i = 0; i < runaways; ) {
        ManagerEvent event = events.poll(LIMIT_S, TimeUnit.SECONDS);
        if (event == null) {
          return;
        }
        if (event.kind() == ManagerEvent.Kind.DROPPED) {
          dropped.add(event.task());
          tally.dropped++;
          i++;
        } else if (event.kind() == ManagerEvent.Kind.UNSTOPPABLE) {
          i++;
        }
      }
      Map<String, Ended> last = new LinkedHashMap<>(); // releases before were only long
      ended.forEach(each -> last.put(each.name, each));
      last.keySet().retainAll(dropped);
      for (Ended each : last.values()) {
        tally.add(each.way(), each.tookNs);
        if (!each.way().equals("sleeping")) {
          tally.add("all", each.tookNs);
          tally.add(each.task() ? "task" : "plain", each.tookNs);
          if (count == 3) {
            tally.add("three", each.tookNs);
          }
        }
      }
    }
  }
}
