package dev.takt.host;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/** How often the garbage collectors of this JVM have collected since a moment. */
final class CollectionCount {
  private final List<GarbageCollectorMXBean> collectors =
      ManagementFactory.getGarbageCollectorMXBeans();
  private volatile long before = soFar();

  private long soFar() {
    long count = 0;
    for (int i = 0; i < collectors.size(); i++) {
      count += Math.max(0, collectors.get(i).getCollectionCount());
    }
    return count;
  }

  /** Counts from now on. */
  void begin() {
    before = soFar();
  }

  long count() {
    return soFar() - before;
  }
}
