package dev.takt.bench.host;

import dev.takt.bench.measure.Helper;
import dev.takt.bench.measure.LatenessRecorder;
import dev.takt.bench.measure.WovenPrograms;
import dev.takt.bench.pace.PacedRole;
import dev.takt.bench.rtj.BaselineProgram;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * A task of 1 kHz in a host to which another process sends mutated messages by all links, beside
 * the same without that process, in turns.
 *
 * @param turns how many turns each case has
 * @param measureMs how long a turn counts, in milliseconds
 * @param forked whether there are such processes; only tests go without
 * @param floor the compiled floor; {@link BaselineProgram#NONE}: without
 * @param folder where clients find the host by shared memory
 */
public record HostileRun(int turns, int measureMs, boolean forked, String floor, String folder)
    implements Callable<Map<String, HostileRun.Found>> {
  private static final int PRIORITY = 80;
  private static final int WARMUP_MS = 100;
  private static final int FLOOR_MORE = 3;

  /** As a host has it: see {@link BesideRun}; sessions of sockets need some more. */
  private static final List<String> HOST_FLAGS =
      List.of("-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC");

  private static final List<String> HOSTILE_FLAGS = List.of("-Xmx256m");

  /** The name of the case without hostile clients. */
  static final String QUIET = "task-1khz-quiet";

  /** How names of the thread in C begin. */
  static final String FLOOR = "floor-1khz";

  private static final String NOBODY = "";

  /**
   * What was found of a case.
   *
   * @param pace of the task
   * @param sent by the hostile clients
   */
  public record Found(PacedRole.Found pace, HostileRole.Sent sent) {}

  /** What runs, and what the hostile process does meanwhile. */
  private record Case(String name, String attack) {
    boolean isFloor() {
      return name.startsWith(FLOOR);
    }
  }

  private static final List<Case> CASES =
      List.of(
          new Case(QUIET, NOBODY),
          new Case("task-1khz-hostile", "attack all"),
          new Case("task-1khz-hostile-shm", "attack memory"),
          new Case(FLOOR + "-quiet", NOBODY),
          new Case(FLOOR + "-hostile", "attack all"));

  @Override
  public Map<String, Found> call() throws Exception {
    List<String> flags = forked ? List.of(WovenPrograms.flag()) : List.of();
    try (Helper host = Helper.start(forked, join(HOST_FLAGS, flags), new ServingRole(folder))) {
      ServingRole.Places at = host.ask("places", ServingRole.Places.class);
      HostileRole role = new HostileRole(at.memory(), at.tcp(), at.lines(), at.webSocket());
      try (Helper hostile = Helper.start(forked, HOSTILE_FLAGS, role)) {
        return measure(host, hostile);
      }
    }
  }

  private static List<String> join(List<String> some, List<String> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }

  private Map<String, Found> measure(Helper host, Helper hostile) throws Exception {
    List<Case> cases =
        CASES.stream()
            .filter(each -> !each.isFloor() || !floor.equals(BaselineProgram.NONE))
            .toList();
    Map<String, HostileRole.Sent> sent = new LinkedHashMap<>();
    Map<String, LatenessRecorder> floors = new LinkedHashMap<>();
    for (int turn = 0; turn < turns; turn++) {
      for (Case each : cases) {
        sent.merge(each.name, turn(each, host, hostile, floors), HostileRole.Sent::plus);
      }
    }
    Map<String, Found> found = new LinkedHashMap<>();
    for (Case each : cases) {
      PacedRole.Found pace =
          each.isFloor()
              ? new PacedRole.Found(floors.get(each.name).gaps(), 0, "")
              : host.ask("found " + each.name, PacedRole.Found.class);
      found.put(each.name, new Found(pace, sent.get(each.name)));
    }
    return found;
  }

  private HostileRole.Sent turn(
      Case of, Helper host, Helper hostile, Map<String, LatenessRecorder> floors) throws Exception {
    if (!of.attack.equals(NOBODY)) {
      hostile.ask(of.attack, Helper.Done.class);
    }
    if (of.isFloor()) {
      floorTurn(floors.computeIfAbsent(of.name, _ -> new LatenessRecorder(ServingRole.PERIOD_NS)));
    } else {
      String turn = "turn %s %s %s".formatted(of.name, WARMUP_MS, measureMs);
      host.ask(turn, Helper.Done.class);
    }
    return of.attack.equals(NOBODY)
        ? HostileRole.Sent.NOTHING
        : hostile.ask("rest", HostileRole.Sent.class);
  }

  private void floorTurn(LatenessRecorder pace) throws Exception {
    pace.begin(1, measureMs); // a period is a millisecond
    BaselineProgram.wakeUps(floor, ServingRole.PERIOD_NS, measureMs + FLOOR_MORE, PRIORITY, pace);
  }
}
