package dev.takt.bench.session;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Measurement;
import java.util.ArrayList;
import java.util.List;

/**
 * The turns of {@link SwitchRun} deep in calls: what suspends by rewritten code keeps each of them
 * and makes it again, what suspends by the JVM copies only those that it returns to.
 *
 * @param peer what suspends
 * @param depths how many calls there are; several numbers, one after the other
 * @param warmup how many turns do not count at first, for each, and once more at the very first
 * @param turns how many count
 */
public record DepthRun(SwitchPeer peer, List<Integer> depths, int warmup, int turns)
    implements ChildRun.Body<DepthRun.Found> {
  /**
   * What was found, for each of the depths.
   *
   * @param staying a turn of what stays where it waits
   * @param returning a turn of what returns from all calls after it, and makes them again
   */
  public record Found(List<Measurement> staying, List<Measurement> returning) {}

  @Override
  public Found run() throws Exception {
    for (int depth : depths) { // all of them before any counts: they share their compiled code
      new SwitchRun(peer, depth, false, 0, warmup).run();
      new SwitchRun(peer, depth, true, 0, warmup).run();
    }
    List<Measurement> staying = new ArrayList<>();
    List<Measurement> returning = new ArrayList<>();
    for (int depth : depths) {
      staying.add(new SwitchRun(peer, depth, false, warmup, turns).run());
      returning.add(new SwitchRun(peer, depth, true, warmup, turns).run());
    }
    return new Found(staying, returning);
  }
}
