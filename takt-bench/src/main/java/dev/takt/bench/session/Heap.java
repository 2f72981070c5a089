package dev.takt.bench.session;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/** What is in use on the heap. */
final class Heap {
  /** Some objects end only after a collection has found them: references, and what holds them. */
  private static final int COLLECTIONS = 3;

  private static final String STACKS = "jdk.internal.vm.StackChunk";

  private Heap() {}

  /** Returns how many bytes are in use after the collector has run. */
  static long usedBytes() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Returns how many bytes the stacks of suspended virtual threads take. */
  static long stackBytes() throws IOException {
    try {
      String histogram =
          (String)
              ManagementFactory.getPlatformMBeanServer()
                  .invoke(
                      new ObjectName("com.sun.management:type=DiagnosticCommand"),
                      "gcClassHistogram",
                      new Object[] {new String[0]},
                      new String[] {String[].class.getName()});
      return histogram
          .lines()
          .map(line -> line.strip().split("\\s+"))
          .filter(row -> row.length >= 4 && row[3].equals(STACKS))
          .mapToLong(row -> Long.parseLong(row[2]))
          .sum();
    } catch (JMException e) {
      throw new IOException("no histogram of classes", e);
    }
  }
}
