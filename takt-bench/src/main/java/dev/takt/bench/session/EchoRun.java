package dev.takt.bench.session;

import dev.takt.bench.measure.Helper;
import dev.takt.bench.measure.Measurement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * All echo servers with the same number of clients, in turns, so that a machine whose speed changes
 * is as fast for all. Another one begins each round. A server has one process for all of its turns,
 * in which its code gets compiled; the clients have a new one for each turn.
 *
 * @param connections how many clients there are to be
 * @param turns how many turns each server has; odd, so that one of them is the median
 * @param warmupMs how long nothing counts in its first turn, in milliseconds
 * @param measureMs how long everything counts in each turn; in all turns but the first nothing
 *     counts for half as long before
 * @param flags of the servers' JVMs
 * @param forked whether there are such processes; only tests go without
 */
public record EchoRun(
    int connections, int turns, int warmupMs, int measureMs, List<String> flags, boolean forked)
    implements Callable<EchoRun.Found> {
  /** Checks the number of turns. */
  public EchoRun {
    if (turns < 1 || turns % 2 == 0) {
      throw new IllegalArgumentException("turns=" + turns + " (expected: an odd number above 0)");
    }
  }

  /**
   * What was found.
   *
   * @param turns of those servers that had all of their turns
   * @param failures why one had not
   */
  public record Found(Map<EchoPeer, Turns> turns, Map<EchoPeer, String> failures) {
    /** Whether there were fewer clients than there were to be. */
    public boolean isLowered(EchoRun run) {
      return turns.values().stream().anyMatch(each -> each.connections() < run.connections);
    }
  }

  /**
   * What was found of a server.
   *
   * @param all its turns, as many as there were rounds
   */
  public record Turns(List<EchoRole.Turn> all) {
    /** Returns the turn with the median of the requests a second. */
    EchoRole.Turn median() {
      return all.stream()
          .sorted(Comparator.comparingDouble(EchoRole.Turn::requestsPerS))
          .toList()
          .get(all.size() / 2);
    }

    /** Returns how many times the requests of another one it served in the median round. */
    double ratio(Turns other) {
      return IntStream.range(0, all.size())
          .mapToDouble(i -> all.get(i).requestsPerS() / other.all.get(i).requestsPerS())
          .sorted()
          .toArray()[all.size() / 2];
    }

    /** Returns the times of the requests of all turns. */
    Histogram ns() {
      Histogram ns = Measurement.histogram();
      all.forEach(each -> ns.add(each.load().ns()));
      return ns;
    }

    /** Returns what a request took of the processors in the server's process. */
    double cpuNs() {
      double cpuNs = all.stream().mapToLong(EchoRole.Turn::cpuNs).sum();
      return cpuNs / all.stream().mapToLong(each -> each.load().answers()).sum();
    }

    int connections() {
      return all.getFirst().connections();
    }
  }

  /** Starts the processes of the servers. */
  @FunctionalInterface
  interface Processes {
    Helper start(EchoPeer peer) throws Exception;
  }

  @Override
  public Found call() throws Exception {
    return measure(peer -> Helper.start(forked, flags, new EchoRole(peer, connections, forked)));
  }

  /** Measures all; one that fails has no further turns, and those that it had do not count. */
  Found measure(Processes processes) throws Exception {
    Map<EchoPeer, Helper> started = new EnumMap<>(EchoPeer.class);
    Map<EchoPeer, Turns> found = new EnumMap<>(EchoPeer.class);
    Map<EchoPeer, String> failures = new EnumMap<>(EchoPeer.class);
    List<EchoPeer> order = new ArrayList<>(List.of(EchoPeer.values()));
    try {
      for (int round = 0; round < turns; round++) {
        for (EchoPeer each : order) {
          if (failures.containsKey(each)) {
            continue;
          }
          try {
            EchoRole.Turn turn = turn(each, processes, started);
            found.computeIfAbsent(each, _ -> new Turns(new ArrayList<>())).all.add(turn);
          } catch (InterruptedException e) {
            throw e;
          } catch (Exception e) {
            failures.put(each, String.valueOf(e));
            found.remove(each);
          }
        }
        Collections.rotate(order, -1);
      }
    } finally {
      for (Helper each : started.values()) {
        each.close();
      }
    }
    return new Found(found, failures);
  }

  private EchoRole.Turn turn(EchoPeer peer, Processes processes, Map<EchoPeer, Helper> started)
      throws Exception {
    int uncountedMs = measureMs / 2;
    if (!started.containsKey(peer)) {
      started.put(peer, processes.start(peer));
      uncountedMs = warmupMs;
    }
    String command = "turn %d %d".formatted(uncountedMs, measureMs);
    return started.get(peer).ask(command, EchoRole.Turn.class);
  }
}
