package dev.takt.cli.doctor;

import java.util.BitSet;
import java.util.Optional;

/**
 * The processors of the machine, and which of them are, or could be, for tasks alone.
 *
 * @param online those that run
 * @param isolated those that the scheduler leaves alone
 * @param proposed those that it should leave alone: the isolated ones, or the upper half of the
 *     cores; empty if there is one core
 */
record CpuLayout(BitSet online, BitSet isolated, BitSet proposed) {
  private static final String CPUS = "sys/devices/system/cpu/";

  /** Absent if the machine does not say which processors it has. */
  static Optional<CpuLayout> of(FileSystemRoot root) {
    Optional<BitSet> online = root.text(CPUS + "online").flatMap(CpuList::parse);
    if (online.isEmpty() || online.get().isEmpty()) {
      return Optional.empty();
    }
    BitSet isolated = set(root, CPUS + "isolated");
    isolated.or(set(root, "sys/fs/cgroup/cpuset.cpus.isolated"));
    isolated.and(online.get());
    return Optional.of(
        new CpuLayout(
            online.get(), isolated, isolated.isEmpty() ? propose(root, online.get()) : isolated));
  }

  /** What is left for everything else. */
  BitSet housekeeping() {
    return CpuList.without(online, proposed);
  }

  private static BitSet set(FileSystemRoot root, String file) {
    return root.text(file).flatMap(CpuList::parse).orElseGet(BitSet::new);
  }

  /** Whole cores from the top, up to half of the processors, and never that of the first one. */
  private static BitSet propose(FileSystemRoot root, BitSet online) {
    BitSet proposed = new BitSet();
    BitSet first = siblings(root, online.nextSetBit(0));
    for (int cpu = online.length() - 1; cpu >= 0; cpu = online.previousSetBit(cpu - 1)) {
      BitSet core = siblings(root, cpu);
      core.and(online);
      BitSet more = (BitSet) proposed.clone();
      more.or(core);
      if (!core.intersects(first) && more.cardinality() <= online.cardinality() / 2) {
        proposed = more;
      }
    }
    return proposed;
  }

  /** The processors of the same core, itself included. */
  static BitSet siblings(FileSystemRoot root, int cpu) {
    BitSet siblings = set(root, CPUS + "cpu" + cpu + "/topology/thread_siblings_list");
    siblings.set(cpu);
    return siblings;
  }
}
