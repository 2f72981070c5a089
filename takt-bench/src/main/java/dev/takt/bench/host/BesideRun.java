package dev.takt.bench.host;

import static dev.takt.realtime.os.Errno.NONE;

import dev.takt.bench.measure.Helper;
import dev.takt.bench.measure.LatenessRecorder;
import dev.takt.bench.measure.WovenPrograms;
import dev.takt.bench.pace.PacedRole;
import dev.takt.bench.pace.PacedRun;
import dev.takt.bench.rtj.BaselineProgram;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.CpuPartition;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.OperatingSystem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * A task of 100 us in a process where nothing else runs, while an application in its own JVM makes
 * garbage, beside the same task inside of the application's JVM, in turns.
 *
 * @param turns how many turns each case has
 * @param measureMs how long a turn counts, in milliseconds
 * @param forked whether there are such processes; only tests go without
 * @param floor the compiled floor; {@link BaselineProgram#NONE}: without
 */
public record BesideRun(int turns, int measureMs, boolean forked, String floor)
    implements Callable<Map<String, BesideRun.Found>> {
  /** What an application makes of garbage, in bytes a second. */
  private static final long GARBAGE = 500_000_000;

  private static final int PRIORITY = 80;
  private static final int WARMUP_MS = 100;
  private static final int FLOOR_MORE = 3;

  /** As a host has it: there at once, and more than it ever needs. */
  private static final List<String> HOST_FLAGS =
      List.of("-Xms128m", "-Xmx128m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC");

  private static final Map<String, String> COLLECTORS =
      new TreeMap<>(
          Map.of("g1", "-XX:+UseG1GC", "zgc", "-XX:+UseZGC", "parallel", "-XX:+UseParallelGC"));

  /** The name of a case without an application, and that of one without a task. */
  static final String ALONE = "host-alone";

  static final String FLOOR = "floor";

  /** Behind the collector's name: the application has the processors that tasks leave. */
  private static final String APART = "-apart";

  /**
   * What was found of a case.
   *
   * @param pace of the task
   * @param otherBytesPerSecond what the application has managed
   */
  public record Found(PacedRole.Found pace, double otherBytesPerSecond) {}

  /**
   * A process that runs the task, one that makes garbage, or one that does both.
   *
   * @param task null: the floor
   * @param application null: none
   */
  private record Case(String name, Helper task, Helper application, String program) {}

  @Override
  public Map<String, Found> call() throws Exception {
    List<Helper> processes = new ArrayList<>();
    try {
      Helper host = start(processes, HOST_FLAGS);
      List<Case> cases = new ArrayList<>();
      cases.add(new Case(ALONE, host, null, "realtime"));
      for (Map.Entry<String, String> each : COLLECTORS.entrySet()) {
        String name = each.getKey();
        List<String> flags = List.of("-Xmx512m", each.getValue());
        Helper application = start(processes, flags);
        cases.add(new Case("host-" + name, host, application, "realtime"));
        cases.add(new Case("inside-" + name, application, application, "realtime"));
        if (name.equals("g1")) {
          cases.add(new Case("plain-g1", application, application, "plain"));
        }
        cases.add(new Case(FLOOR + "-" + name, null, application, ""));
        Helper apart = startApart(processes, flags);
        if (apart != null) {
          cases.add(new Case("host-" + name + APART, host, apart, "realtime"));
        }
      }
      cases.add(new Case(FLOOR, null, null, ""));
      if (floor.equals(BaselineProgram.NONE)) {
        cases.removeIf(each -> each.task == null);
      }
      return measure(cases);
    } finally {
      for (Helper each : processes) {
        each.close();
      }
    }
  }

  private Helper start(List<Helper> all, List<String> flags) throws Exception {
    List<String> woven =
        forked ? Stream.concat(flags.stream(), Stream.of(WovenPrograms.flag())).toList() : flags;
    Helper started = Helper.start(forked, woven, new PacedRole());
    all.add(started);
    return started;
  }

  /**
   * Starts an application on the processors that real-time tasks leave to others: a process has
   * those of the thread that starts it. Returns null where there are no such.
   */
  private Helper startApart(List<Helper> all, List<String> flags) throws Exception {
    OperatingSystem system = OperatingSystems.current();
    CpuSet present = system.processCpus();
    CpuPartition partition = forked ? CpuPartition.usual(system).orElse(null) : null;
    if (partition == null || system.bind(system.threadId(), partition.housekeeping()) != NONE) {
      return null;
    }
    try {
      return start(all, flags);
    } finally {
      system.bind(system.threadId(), present);
    }
  }

  private Map<String, Found> measure(List<Case> cases) throws Exception {
    Map<String, Double> managed = new TreeMap<>();
    Map<String, LatenessRecorder> floors = new TreeMap<>();
    for (int turn = 0; turn < turns; turn++) {
      for (Case each : cases) {
        managed.merge(each.name, turn(each, floors), Double::sum);
      }
    }
    Map<String, Found> found = new LinkedHashMap<>();
    for (Case each : cases) {
      PacedRole.Found pace =
          each.task == null
              ? new PacedRole.Found(floors.get(each.name).gaps(), 0, "")
              : each.task.ask("found " + each.name, PacedRole.Found.class);
      found.put(each.name, new Found(pace, managed.get(each.name) / turns));
    }
    return found;
  }

  /** Returns how many bytes a second the application has managed. */
  private double turn(Case of, Map<String, LatenessRecorder> floors) throws Exception {
    if (of.application != null) {
      garbage(of.application, GARBAGE);
    }
    if (of.task == null) {
      floorTurn(floors.computeIfAbsent(of.name, _ -> new LatenessRecorder(PacedRun.PERIOD_NS)));
    } else {
      String turn = "turn %s %s %s %s".formatted(of.name, of.program, WARMUP_MS, measureMs);
      of.task.ask(turn, Helper.Done.class);
    }
    return of.application == null ? 0 : garbage(of.application, 0);
  }

  private void floorTurn(LatenessRecorder pace) throws Exception {
    int count = Math.toIntExact(measureMs * 1_000_000L / PacedRun.PERIOD_NS);
    pace.begin(1, count);
    BaselineProgram.wakeUps(floor, PacedRun.PERIOD_NS, count + FLOOR_MORE, PRIORITY, pace);
  }

  private static double garbage(Helper application, long bytesPerSecond) throws Exception {
    return application.ask("garbage " + bytesPerSecond, PacedRole.Made.class).bytesPerSecond();
  }
}
