package dev.takt.bench.host;

import dev.takt.bench.measure.Helper;
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
    Map<String, Found> found = new LinkedHashMap<>();
    new CasesInTurns(ServingRole.PERIOD_NS, measureMs, floor)
        .measure(turns, cases(host, hostile), HostileRole.Sent::plus)
        .forEach((name, each) -> found.put(name, new Found(each.pace(), each.beside())));
    return found;
  }

  private static List<CasesInTurns.Case<HostileRole.Sent>> cases(Helper host, Helper hostile) {
    Attack none = new Attack(hostile, NOBODY);
    Attack all = new Attack(hostile, "attack all");
    Attack memory = new Attack(hostile, "attack memory");
    return List.of(
        of(QUIET, host, none),
        of("task-1khz-hostile", host, all),
        of("task-1khz-hostile-shm", host, memory),
        of(FLOOR + "-quiet", null, none),
        of(FLOOR + "-hostile", null, all));
  }

  private static CasesInTurns.Case<HostileRole.Sent> of(String name, Helper task, Attack attack) {
    return new CasesInTurns.Case<>(name, task, name, attack);
  }

  /** What the hostile process does; it tells what it has sent. */
  private record Attack(Helper hostile, String command)
      implements CasesInTurns.Beside<HostileRole.Sent> {
    @Override
    public void begin() throws Exception {
      if (!command.equals(NOBODY)) {
        hostile.ask(command, Helper.Done.class);
      }
    }

    @Override
    public HostileRole.Sent end() throws Exception {
      return command.equals(NOBODY)
          ? HostileRole.Sent.NOTHING
          : hostile.ask("rest", HostileRole.Sent.class);
    }
  }
}
