package dev.takt.cli.doctor;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/**
 * What the garbage collectors of this JVM did.
 *
 * @param count how often, all of them together
 * @param ms for how long, in milliseconds; with a concurrent collector threads ran meanwhile
 */
record GarbageCollections(long count, long ms) {
  static GarbageCollections soFar() {
    long count = 0;
    long ms = 0;
    for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
      count += Math.max(0, each.getCollectionCount());
      ms += Math.max(0, each.getCollectionTime());
    }
    return new GarbageCollections(count, ms);
  }

  GarbageCollections since(GarbageCollections earlier) {
    return new GarbageCollections(count - earlier.count, ms - earlier.ms);
  }
}
