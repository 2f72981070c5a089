package dev.takt.cli.doctor;

import dev.takt.realtime.TimeText;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.Shortfall;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.realtime.os.WakeLatencyLimit;
import java.util.List;

/**
 * What the operating system grants when it is asked, which is more than files can tell.
 *
 * @param system the services to ask
 */
record GrantProbe(OperatingSystem system) implements Probe {
  /** In the middle, as users choose it, and below the kernel's own threads for interrupts. */
  static final int PRIORITY = 50;

  /** The priority that a thread gets with the policy FIFO here; 0: it does not get that policy. */
  static int fifoPriority(OperatingSystem system) {
    ThreadScheduling granted = ask(system, ThreadScheduling.fifo(PRIORITY)).scheduling();
    return granted.policy() == Policy.FIFO ? granted.priority() : 0;
  }

  @Override
  public List<DoctorFinding> examine(FileSystemRoot root) {
    return List.of(
        granted("real-time policy", "FIFO " + PRIORITY, ThreadScheduling.fifo(PRIORITY)),
        granted("own time slice", "100 us", ThreadScheduling.OTHER.withSliceNs(100_000)),
        granted(
            "own timer slack", "1 ns" + usualSlack(), ThreadScheduling.OTHER.withTimerSlackNs(1)),
        memoryLock(),
        wakeLatencyLimit());
  }

  private DoctorFinding granted(String probe, String asked, ThreadScheduling scheduling) {
    return finding(probe, asked, ask(system, scheduling).shortfalls());
  }

  /** Its file is not readable for every user. */
  private String usualSlack() {
    long[] slackNs = new long[1];
    Threads.runAndWait(
        "doctor-asks",
        () -> slackNs[0] = system.granted(system.threadId()).scheduling().timerSlackNs());
    return slackNs[0] > 0 ? " instead of " + TimeText.of(slackNs[0]) : "";
  }

  private DoctorFinding memoryLock() {
    boolean before = system.memoryLock().locked();
    List<Shortfall> shortfalls = system.lockMemory(true).shortfalls();
    if (!before) {
      system.unlockMemory();
    }
    return finding("memory lock", "all memory", shortfalls);
  }

  /** Asks for a limit that limits nothing: whether it may is all that there is to know. */
  private DoctorFinding wakeLatencyLimit() {
    try (WakeLatencyLimit limit = system.limitWakeLatency(WakeLatencyLimit.UNLIMITED_US)) {
      return finding("wake-up limit", "quick wake-ups of idle processors", limit.shortfalls());
    }
  }

  static DoctorFinding finding(String probe, String asked, List<Shortfall> shortfalls) {
    if (shortfalls.isEmpty()) {
      return DoctorFinding.good(probe, asked + " granted");
    }
    Shortfall shortfall = shortfalls.getFirst();
    return DoctorFinding.bad(
        probe,
        asked + " not granted: " + shortfall.reason(),
        "tasks run all the same, with less to rely on",
        shortfall.remedy());
  }

  /** Asks on a thread of its own, whose scheduling ends with it. */
  private static Grant ask(OperatingSystem system, ThreadScheduling scheduling) {
    Grant[] grant = new Grant[1];
    Threads.runAndWait("doctor-asks", () -> grant[0] = system.schedule(scheduling));
    return grant[0];
  }
}
