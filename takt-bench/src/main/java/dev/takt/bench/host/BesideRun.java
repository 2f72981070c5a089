package dev.takt.bench.host;

import static dev.takt.realtime.os.Errno.NONE;

import dev.takt.bench.measure.Helper;
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

  @Override
  public Map<String, Found> call() throws Exception {
    List<Helper> processes = new ArrayList<>();
    try {
      Helper host = start(processes, HOST_FLAGS);
      List<CasesInTurns.Case<Double>> cases = new ArrayList<>();
      cases.add(ofTask(ALONE, host, null));
      for (Map.Entry<String, String> each : COLLECTORS.entrySet()) {
        String name = each.getKey();
        List<String> flags = List.of("-Xmx512m", each.getValue());
        Helper application = start(processes, flags);
        cases.add(ofTask("host-" + name, host, application));
        cases.add(ofTask("inside-" + name, application, application));
        if (name.equals("g1")) {
          cases.add(ofTask("plain-g1", "plain", application, application));
        }
        cases.add(ofFloor(FLOOR + "-" + name, application));
        Helper apart = startApart(processes, flags);
        if (apart != null) {
          cases.add(ofTask("host-" + name + APART, host, apart));
        }
      }
      cases.add(ofFloor(FLOOR, null));
      return measure(cases);
    } finally {
      for (Helper each : processes) {
        each.close();
      }
    }
  }

  private static CasesInTurns.Case<Double> ofTask(String name, Helper task, Helper application) {
    return ofTask(name, "realtime", task, application);
  }

  private static CasesInTurns.Case<Double> ofTask(
      String name, String program, Helper task, Helper application) {
    String turn = name + " " + program;
    return new CasesInTurns.Case<>(name, task, turn, new Application(application));
  }

  private static CasesInTurns.Case<Double> ofFloor(String name, Helper application) {
    return new CasesInTurns.Case<>(name, null, "", new Application(application));
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

  private Map<String, Found> measure(List<CasesInTurns.Case<Double>> cases) throws Exception {
    Map<String, Found> found = new LinkedHashMap<>();
    new CasesInTurns(PacedRun.PERIOD_NS, measureMs, floor)
        .measure(turns, cases, Double::sum)
        .forEach((name, each) -> found.put(name, new Found(each.pace(), each.beside() / turns)));
    return found;
  }

  /**
   * An application that makes garbage; it tells how many bytes a second it has managed.
   *
   * @param process null: there is none
   */
  private record Application(Helper process) implements CasesInTurns.Beside<Double> {
    @Override
    public void begin() throws Exception {
      if (process != null) {
        garbage(GARBAGE);
      }
    }

    @Override
    public Double end() throws Exception {
      return process == null ? 0.0 : garbage(0);
    }

    private double garbage(long bytesPerSecond) throws Exception {
      return process.ask("garbage " + bytesPerSecond, PacedRole.Made.class).bytesPerSecond();
    }
  }
}
