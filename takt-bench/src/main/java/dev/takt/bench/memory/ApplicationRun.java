package dev.takt.bench.memory;

import com.sun.management.ThreadMXBean;
import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Measurement;
import dev.takt.bench.measure.WovenPrograms;
import dev.takt.bench.programs.CollisionTask;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.woven.TaskMemory;
import dev.takt.space.EventPool;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import org.HdrHistogram.Histogram;

/**
 * The releases of a program with thousands of small objects, woven and plain in turn, so that what
 * else the machine does hits both alike. Both must come to the same result.
 *
 * @param warmup how many releases of each warm up
 * @param releases how many count
 */
public record ApplicationRun(int warmup, int releases) implements ChildRun.Body<Measurement> {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int SIZE_BYTES = 16 << 20;
  private static final int BLOCK = 100;

  @Override
  public Measurement run() throws Exception {
    try (TaskThreads threads = new TaskThreads(1, "application")) {
      return threads.submit(() -> new Both().measure(warmup, releases)).get();
    }
  }

  /** The two tasks in turn, on a thread that can run releases. */
  private static final class Both {
    private final TaskMemory memory = new TaskMemory("application", SIZE_BYTES, SIZE_BYTES);
    private final Histogram wovenNs = Measurement.histogram();
    private final Histogram plainNs = Measurement.histogram();

    Measurement measure(int warmup, int releases) throws Exception {
      ReflexTask woven = WovenPrograms.task(CollisionTask.class);
      memory.enter(WovenPrograms.area(woven, SIZE_BYTES), new EventPool(1));
      try {
        ReflexTask plain = new CollisionTask();
        woven.initialize();
        plain.initialize();
        long growths = memory.stats().poolGrowths();
        blocks(woven, plain, warmup);
        wovenNs.reset();
        plainNs.reset();
        blocks(woven, plain, releases);
        if (memory.stats().poolGrowths() != growths) {
          throw new IllegalStateException(
              "a release has made pools grow; a registered task's do not");
        }
        return figure(woven, plain);
      } finally {
        memory.exit();
      }
    }

    private void blocks(ReflexTask woven, ReflexTask plain, int releases) {
      for (int done = 0; done < releases; done += BLOCK) {
        for (int i = 0; i < BLOCK; i++) {
          long startNs = System.nanoTime();
          release(woven);
          wovenNs.recordValue(System.nanoTime() - startNs);
        }
        for (int i = 0; i < BLOCK; i++) {
          long startNs = System.nanoTime();
          plain.execute();
          plainNs.recordValue(System.nanoTime() - startNs);
        }
      }
    }

    private void release(ReflexTask task) {
      memory.begin();
      task.execute();
      memory.commit();
    }

    private Measurement figure(ReflexTask woven, ReflexTask plain)
        throws ReflectiveOperationException {
      double wovenBytes = allocBytes(() -> release(woven));
      double plainBytes = allocBytes(plain::execute);
      if (checksum(woven) != checksum(plain)) {
        throw new IllegalStateException(
            "checksum woven: " + checksum(woven) + ", plain: " + checksum(plain));
      }
      return new Measurement(wovenNs, 1, wovenBytes)
          .with("plain_p50", plainNs.getValueAtPercentile(50))
          .with("plain_p99", plainNs.getValueAtPercentile(99))
          .with("plain_max", plainNs.getMaxValue())
          .with("plain_alloc_bytes", plainBytes);
    }
  }

  private static double allocBytes(Runnable release) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < BLOCK; i++) {
      release.run();
    }
    return (THREADS.getCurrentThreadAllocatedBytes() - before) / (double) BLOCK;
  }

  private static long checksum(ReflexTask task) throws ReflectiveOperationException {
    Field checksum = task.getClass().getDeclaredField("checksum");
    checksum.setAccessible(true);
    return checksum.getLong(task);
  }
}
