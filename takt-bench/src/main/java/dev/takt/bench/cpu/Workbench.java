package dev.takt.bench.cpu;

import dev.takt.cpu.ManagedTask;
import dev.takt.cpu.ManagerEvent;
import dev.takt.cpu.Profile;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.CpuPartition;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.OperatingSystem;
import java.util.List;
import java.util.Optional;

/**
 * Runs the periodic work of one contestant, until it is closed.
 *
 * <p><b>Thread rule:</b> one thread.
 */
interface Workbench extends AutoCloseable {
  /** The priority of those that have a real-time one and no manager. */
  int PRIORITY = 80;

  /** What a release does. */
  @FunctionalInterface
  interface Work {
    /** Does it; on the thread that runs the releases. */
    void release(long dueNs);
  }

  /** Opens that of a contestant. */
  static Workbench of(Contestant contestant) {
    return contestant.isManaged() ? new ManagedBench(contestant) : new PlainBench(contestant);
  }

  /** Starts some work, each with a thread of its own. */
  void start(Profile profile, Work work);

  /** Returns the task of a name; empty: the work is not managed. */
  Optional<ManagedTask> task(String name);

  /** Returns what the manager has reported so far; nothing without one. */
  List<ManagerEvent> events();

  @Override
  void close();

  /** Returns the processor of those that are bound to one; null: there is only one. */
  static CpuSet processor() {
    return CpuPartition.usual(OperatingSystems.current())
        .map(each -> CpuSet.of(each.realtime().toArray()[0]))
        .orElse(null);
  }

  /** Returns how the calling thread is scheduled, for people. */
  static String granted() {
    OperatingSystem system = OperatingSystems.current();
    return system.granted(system.threadId()).scheduling().toString();
  }
}
