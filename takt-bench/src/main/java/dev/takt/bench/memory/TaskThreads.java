package dev.takt.bench.memory;

import dev.takt.reflex.woven.TaskThread;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The workers of JMH as threads that can run releases. */
public final class TaskThreads extends ThreadPoolExecutor {
  /** The system properties that make JMH use this class. */
  public static final String[][] PROPERTIES = {
    {"jmh.executor", "CUSTOM"}, {"jmh.executor.class", TaskThreads.class.getName()}
  };

  /** For JMH. */
  public TaskThreads(int threads, String prefix) {
    super(threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    AtomicInteger number = new AtomicInteger();
    setThreadFactory(body -> new TaskThread(body, prefix + "-" + number.incrementAndGet()));
  }
}
