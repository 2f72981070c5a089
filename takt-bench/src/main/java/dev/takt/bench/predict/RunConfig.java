package dev.takt.bench.predict;

import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.space.EventSpace;
import java.util.Map;

/**
 * What all contestants of a run have in common.
 *
 * @param space the space
 * @param periodNs the period
 * @param priority the real-time priority of those that ask for one
 * @param cpus the processors for those of their threads that have a real-time priority; null: all
 * @param allCpus the processors for the other ones; null: as they are
 */
record RunConfig(EventSpace space, long periodNs, int priority, CpuSet cpus, CpuSet allCpus) {
  ThreadScheduling fifo() {
    return ThreadScheduling.fifo(priority).withCpus(cpus);
  }

  /** For threads like any others, which are not confined as those of a real-time program are. */
  ThreadScheduling anywhere() {
    return ThreadScheduling.OTHER.withCpus(allCpus);
  }

  /** The real-time priority that was granted; 0: none. */
  static Map<String, Double> facts(Grant grant) {
    boolean realtime = grant != null && grant.scheduling().policy().isRealtime();
    return Map.of("fifo_priority", realtime ? (double) grant.scheduling().priority() : 0.0);
  }
}
