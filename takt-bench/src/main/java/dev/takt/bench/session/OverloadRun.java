package dev.takt.bench.session;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.rtj.BaselineProgram;
import dev.takt.session.stage.Stage;
import dev.takt.session.stage.StageSettings;
import dev.takt.session.stage.StageStats;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * A stage that gets several times what it can do, beside a real-time task of 1 kHz, which is also
 * measured without that load. Times of items are taken by those who ask: from the offer to the end
 * of the handler. An item is work for so long by the clock.
 *
 * @param task how the task is measured, with and without load; what the stage does counts when the
 *     task does
 * @param workers the stage's threads
 * @param serviceNs how long an item is worked on
 * @param targetNs the target for 90 of 100 accepted items
 * @param times how many times what the stage can do is offered
 */
public record OverloadRun(PacedTask task, int workers, long serviceNs, long targetNs, double times)
    implements ChildRun.Body<OverloadRun.Figures> {
  private static final int STEPS = 6;

  /**
   * What was found.
   *
   * @param targetNs the target of the 90th percentile
   * @param p50Ns median time of an accepted item
   * @param p90Ns its 90th percentile
   * @param p99Ns its 99th percentile
   * @param possiblePerS what the workers can do at most, if they get a processor each
   * @param offeredPerS items offered in a second
   * @param acceptedPerS items accepted in a second
   * @param shedPerS items shed in a second
   * @param fullPerS items refused in a second because the queue was full
   * @param limit how many items the stage had at most, at the end
   * @param heapBytes used heap, collected, before and after the load
   * @param heapStepBytes used heap, uncollected, at equal steps under load
   * @param alone the task without load, in turns with its floor
   * @param beside the task beside the load
   */
  public record Figures(
      long targetNs,
      long p50Ns,
      long p90Ns,
      long p99Ns,
      double possiblePerS,
      double offeredPerS,
      double acceptedPerS,
      double shedPerS,
      double fullPerS,
      int limit,
      List<Long> heapBytes,
      List<Long> heapStepBytes,
      PacedTask.Found alone,
      PacedTask.Pace beside) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "accepted: p50 %.2f ms, p90 %.2f ms, p99 %.2f ms (target %.2f ms)%n"
              + "per second: %.0f possible, %.0f offered, %.0f accepted, %.0f shed, %.0f full;"
              + " limit %d%n"
              + "heap: %s before and after, %s under load%n"
              + "1 kHz task alone:  %s%n1 kHz task beside: %s",
          p50Ns / 1e6,
          p90Ns / 1e6,
          p99Ns / 1e6,
          targetNs / 1e6,
          possiblePerS,
          offeredPerS,
          acceptedPerS,
          shedPerS,
          fullPerS,
          limit,
          megabytes(heapBytes),
          megabytes(heapStepBytes),
          text(alone.task()),
          text(beside));
    }

    private static String text(PacedTask.Pace pace) {
      return String.format(
          Locale.ROOT,
          "p99 %.1f us, p99.9 %.1f us, max %.1f us late; %d of %d missed; %s",
          pace.lateNs().getValueAtPercentile(99) / 1e3,
          pace.lateNs().getValueAtPercentile(99.9) / 1e3,
          pace.lateNs().getMaxValue() / 1e3,
          pace.late(),
          pace.releases(),
          pace.granted());
    }

    private static String megabytes(List<Long> bytes) {
      return bytes.stream()
          .map(each -> String.format(Locale.ROOT, "%.1f MB", each / 1e6))
          .toList()
          .toString();
    }
  }

  @Override
  public Figures run() throws Exception {
    PacedTask.Found alone = task.measure();
    List<Long> heap = new ArrayList<>();
    heap.add(collectedHeap());
    Load load = new Load();
    try (Stage<Long> stage = Stage.open(settings(), load::handle)) {
      load.stage = stage;
      Thread arrivals = Thread.ofPlatform().daemon().name("arrivals").unstarted(load::arrive);
      arrivals.start();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(task.warmupMs()));
      PacedTask.Pace beside = task.once().measure(load::begin).task();
      load.end();
      arrivals.join();
      int limit = stage.stats().limit();
      stage.stop(Duration.ofSeconds(10));
      heap.add(collectedHeap());
      return load.figures(limit, heap, alone, beside);
    }
  }

  private StageSettings settings() {
    return StageSettings.named("overloaded")
        .withWorkers(workers)
        .withCapacity(16_384)
        .withTargetP90(Duration.ofNanos(targetNs));
  }

  private static long collectedHeap() {
    System.gc();
    return usedHeap();
  }

  private static long usedHeap() {
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Those who ask, and what the stage does for them. */
  private final class Load {
    private final Histogram responsesNs = new ConcurrentHistogram(3_600_000_000_000L, 3);
    private final List<Long> heapSteps = new ArrayList<>();
    private Stage<Long> stage;
    private volatile boolean counts;
    private volatile boolean ended;
    private long beganNs;
    private long passedNs;
    private StageStats before;
    private StageStats after;

    void handle(List<Long> offered) {
      for (Long each : offered) {
        long endNs = System.nanoTime() + serviceNs;
        while (System.nanoTime() < endNs) {
          Thread.onSpinWait();
        }
        if (counts) {
          responsesNs.recordValue(System.nanoTime() - each);
        }
      }
    }

    /** Offers items, as many as there have to be by the time; so a pause is made good. */
    void arrive() {
      double betweenNs = serviceNs / (workers * times);
      long firstNs = System.nanoTime();
      long stepNs = TimeUnit.MILLISECONDS.toNanos(task.warmupMs() + task.measureMs()) / STEPS;
      long offered = 0;
      while (!ended) {
        long dueNs = firstNs + (long) (offered * betweenNs);
        long leftNs = dueNs - System.nanoTime();
        if (leftNs > 0) {
          LockSupport.parkNanos(leftNs);
        } else {
          stage.offer(System.nanoTime());
          offered++;
        }
        if (counts && System.nanoTime() - beganNs > heapSteps.size() * stepNs) {
          heapSteps.add(usedHeap());
        }
      }
    }

    void begin() {
      beganNs = System.nanoTime();
      before = stage.stats();
      counts = true;
    }

    void end() {
      counts = false;
      after = stage.stats();
      passedNs = System.nanoTime() - beganNs;
      ended = true;
    }

    private double perSecond(long before, long after) {
      return (after - before) * 1e9 / passedNs;
    }

    Figures figures(int limit, List<Long> heap, PacedTask.Found alone, PacedTask.Pace beside) {
      double accepted = perSecond(before.accepted(), after.accepted());
      double shed = perSecond(before.shed(), after.shed());
      double full = perSecond(before.full(), after.full());
      return new Figures(
          targetNs,
          responsesNs.getValueAtPercentile(50),
          responsesNs.getValueAtPercentile(90),
          responsesNs.getValueAtPercentile(99),
          workers * 1e9 / serviceNs,
          accepted + shed + full,
          accepted,
          shed,
          full,
          limit,
          heap,
          heapSteps,
          alone,
          beside);
    }
  }

  /**
   * Runs it alone and prints what it found.
   *
   * @param arguments seconds (30), workers (1), microseconds of an item (1000), target in
   *     milliseconds (20), and how many times what is possible is offered (10); all optional
   */
  public static void main(String[] arguments) throws Exception {
    int seconds = Integer.parseInt(argument(arguments, 0, "30"));
    int workers = Integer.parseInt(argument(arguments, 1, "1"));
    long serviceUs = Long.parseLong(argument(arguments, 2, "1000"));
    long targetMs = Long.parseLong(argument(arguments, 3, "20"));
    double times = Double.parseDouble(argument(arguments, 4, "10"));
    PacedTask task = new PacedTask(3_000, seconds * 1_000, 1, BaselineProgram.NONE);
    OverloadRun run =
        new OverloadRun(task, workers, serviceUs * 1_000, targetMs * 1_000_000, times);
    System.out.println(run.run());
  }

  private static String argument(String[] arguments, int index, String usual) {
    return index < arguments.length ? arguments[index] : usual;
  }
}
