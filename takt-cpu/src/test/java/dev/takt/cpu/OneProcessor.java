package dev.takt.cpu;

import dev.takt.realtime.os.CpuSet;

/** Settings for tests of what does not fit, which must not depend on the machine. */
final class OneProcessor {
  private OneProcessor() {}

  /** Returns settings that admit all tasks to the last processor of this process. */
  static ManagerSettings of(ManagerSettings settings) {
    CpuSet all = settings.system().processCpus();
    int last = all == null ? 0 : all.toArray()[all.size() - 1]; // unknown: nothing is bound to it
    return settings.withCpus(CpuSet.of(last));
  }
}
