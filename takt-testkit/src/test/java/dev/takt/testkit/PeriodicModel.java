package dev.takt.testkit;

import dev.takt.realtime.LatePolicy;
import dev.takt.realtime.Periodic;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What a periodic thread must do, tick by tick: each period begins at its tick and joins those that
 * wait; the thread, when idle, takes the oldest; when a release ends, the periods that are to be
 * skipped leave. It knows no formula for the next release.
 */
final class PeriodicModel {
  /** A release, and how many periods were skipped when it ended. */
  record Release(long releaseNs, long beginNs, long endNs, boolean missed, long skipped) {}

  private PeriodicModel() {}

  /**
   * Runs the thread for a number of releases.
   *
   * @param readyNs when the thread is there; its origin is 0
   * @param lateNs how much later than the release time a thread that sleeps begins
   * @param durationsNs how long the releases take
   */
  static List<Release> run(Periodic parameters, long readyNs, long[] lateNs, long[] durationsNs) {
    List<Release> releases = new ArrayList<>();
    Deque<Long> waiting = new ArrayDeque<>();
    boolean idle = true;
    boolean slept = false;
    long releaseNs = 0;
    long beginNs = 0;
    for (long tick = 0; releases.size() < durationsNs.length; tick++) {
      if (tick >= parameters.phaseNs()
          && (tick - parameters.phaseNs()) % parameters.periodNs() == 0) {
        waiting.add(tick);
      }
      for (boolean changed = tick >= readyNs; changed && releases.size() < durationsNs.length; ) {
        changed = false;
        if (!idle && tick >= beginNs + durationsNs[releases.size()]) {
          long before = waiting.size();
          if (parameters.latePolicy() == LatePolicy.SKIP) {
            long now = tick;
            waiting.removeIf(each -> each + parameters.deadlineNs() <= now);
          }
          boolean missed = tick > releaseNs + parameters.deadlineNs();
          releases.add(new Release(releaseNs, beginNs, tick, missed, before - waiting.size()));
          idle = true;
          slept = waiting.isEmpty();
          changed = true;
        } else if (idle && tick == readyNs && waiting.isEmpty()) {
          slept = true;
        } else if (idle && !waiting.isEmpty()) {
          long wakeNs = waiting.peek() + (slept ? lateNs[releases.size()] : 0);
          if (tick >= wakeNs) {
            releaseNs = waiting.poll();
            beginNs = tick;
            idle = false;
            slept = false;
            changed = true;
          }
        }
      }
    }
    return releases;
  }
}
