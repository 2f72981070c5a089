package dev.takt.bench.memory;

import com.sun.management.ThreadMXBean;
import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Measurement;
import dev.takt.bench.measure.WovenPrograms;
import dev.takt.bench.programs.Builder;
import dev.takt.bench.programs.Exchange;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeScheduling.Service;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.reflex.woven.TaskThread;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Millions of releases, and what the threads of the tasks allocate on the heap meanwhile: all of
 * them together, from the start of the runtime to the beginning of what counts, and from there on.
 *
 * <p>The buyer and its exchange are passive tasks, released in turn by one worker; the builder is
 * an active one without a pause between releases.
 *
 * <p>The thread that watches allocates nothing while releases count, because a collector that
 * reclaims nothing would make that the end of the run on a slow machine; {@code watcher_bytes} says
 * so.
 *
 * @param program which program
 * @param warmup how many releases do not count
 * @param releases how many count after those
 */
public record ReleasesRun(String program, long warmup, long releases)
    implements ChildRun.Body<Measurement> {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long LOOK_NS = 1_000_000;
  private static final int PRIORITY = 10;

  /** Not public, as in Reflexes Fig. 2. */
  private static final String STOCK_BUYER = "dev.takt.bench.programs.StockBuyer";

  @Override
  public Measurement run() throws Exception {
    EventSpace space = EventSpace.create();
    RuntimeSettings settings =
        RuntimeSettings.DEFAULTS
            .withScheduling(RuntimeSettings.DEFAULTS.scheduling().with(Service.STRINGS_PREPARED))
            .withWorkers(1);
    try (ReflexRuntime runtime = ReflexRuntime.create(space, settings)) {
      TaskControl counted =
          switch (program) {
            case "stockbuyer" -> {
              runtime.passive("exchange", WovenPrograms.task(Exchange.class), PRIORITY);
              yield runtime.passive("buyer", WovenPrograms.task(STOCK_BUYER), PRIORITY);
            }
            case "builder" ->
                runtime.active("builder", WovenPrograms.task(Builder.class), Schedule.continuous());
            default -> throw new IllegalArgumentException("no program " + program);
          };
      runtime.start();
      space.write(new Event("tick", 0));
      Measurement figure = measure(counted, warmup, releases);
      runtime.stop(Duration.ofSeconds(5));
      return figure;
    }
  }

  private static Measurement measure(TaskControl task, long warmup, long releases) {
    long[] ids =
        Thread.getAllStackTraces().keySet().stream()
            .filter(TaskThread.class::isInstance)
            .mapToLong(Thread::threadId)
            .toArray();
    if (ids.length == 0) {
      throw new IllegalStateException("no thread of a task is alive");
    }
    long startBytes = allocatedBytes(ids);
    long from = await(task, warmup);
    long fromBytes = allocatedBytes(ids);
    long watcherBytes = THREADS.getCurrentThreadAllocatedBytes();
    long fromNs = System.nanoTime();
    long to = await(task, from + releases);
    long ns = System.nanoTime() - fromNs;
    watcherBytes = THREADS.getCurrentThreadAllocatedBytes() - watcherBytes;
    long bytes = allocatedBytes(ids) - fromBytes;
    return Measurement.of(new long[] {0, ns}, to - from, bytes / (double) (to - from))
        .with("bytes", bytes)
        .with("warmup_bytes", fromBytes - startBytes)
        .with("watcher_bytes", watcherBytes)
        .with("releases", to - from);
  }

  private static long await(TaskControl task, long commits) {
    while (true) {
      long done = task.commits();
      if (done >= commits) {
        return done;
      }
      if (task.isStopped()) {
        throw new IllegalStateException("the task has stopped", task.failure());
      }
      LockSupport.parkNanos(LOOK_NS);
    }
  }

  private static long allocatedBytes(long[] ids) {
    long bytes = 0;
    for (long id : ids) {
      bytes += THREADS.getThreadAllocatedBytes(id);
    }
    return bytes;
  }
}
