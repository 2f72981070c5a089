package dev.takt.bench.micro;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Counts what a benchmark allocates, exactly: more batches after the timed ones, on the same
 * thread, with nothing of JMH's own between them. (JMH's profiler counts all threads and JMH
 * itself, some tenths of a byte an iteration in a short run, which hides what is looked for here.)
 * The result goes into the file that the system property names.
 */
public final class Allocation {
  /** The system property with the name of the file. */
  public static final String PROPERTY = "takt.bench.allocation";

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocation() {}

  /** One batch. */
  @FunctionalInterface
  public interface Invocation {
    /** Runs it. */
    Object run() throws Exception;
  }

  /**
   * Runs some invocations to be compiled, then counts what others allocate.
   *
   * @param invocation what is measured
   * @param invocations how often
   */
  public static void record(Invocation invocation, int invocations) throws Exception {
    String file = System.getProperty(PROPERTY);
    if (file == null) {
      return; // JMH runs the benchmark without this suite
    }
    bytes(invocation, invocations);
    double bytes = bytes(invocation, invocations) / (double) invocations;
    Files.writeString(Path.of(file), Double.toString(bytes));
  }

  private static long bytes(Invocation invocation, int invocations) throws Exception {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < invocations; i++) {
      invocation.run();
    }
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }

  /** Reads what {@link #record} wrote, in bytes for one invocation. */
  public static double read(Path file) throws IOException {
    String text = Files.readString(file);
    if (text.isEmpty()) {
      throw new IOException("the benchmark has not recorded its allocation");
    }
    return Double.parseDouble(text);
  }
}
