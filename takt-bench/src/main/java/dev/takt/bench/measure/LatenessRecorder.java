package dev.takt.bench.measure;

import com.sun.management.ThreadMXBean;
import dev.takt.realtime.EndedRelease;
import dev.takt.realtime.ReleaseListener;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * Records how punctual a periodic thread is, over several blocks, without coordinated omission: a
 * gap or a response of several periods counts for each release that should have begun in it.
 *
 * <p><b>Thread rule:</b> {@link #released} for the thread that is measured, and it allocates
 * nothing between the first and the last period that count; everything else for one other thread.
 */
public final class LatenessRecorder implements ReleaseListener {
  /** How many late due times are remembered one by one, for Fig. 9. */
  public static final int MAX_REMEMBERED = 5_000;

  /** The name of a count of {@link #gaps}. */
  public static final String BLOCK_P999 = "block_p999";

  /** How many periods a part of the warm-up has. */
  private static final long PART = 1_000;

  /** How many parts in a row without an allocation end the warm-up. */
  private static final int QUIET_PARTS = 10;

  /** Upper bound of the warm-up, as a multiple of its nominal length. */
  private static final int MAX_TIMES = 4;

  private static final long WARM_UP_PERIOD_NS = 1_000;
  private static final long WARM_UP_RELEASES = 100_000;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long MAX_NS = Measurement.histogram().getHighestTrackableValue();

  /**
   * A late due time: no release began within a period of it.
   *
   * @param period which of the periods that count it was, from 0
   * @param latenessNs how late its release began
   */
  public record LateDue(long period, long latenessNs) {}

  private final long periodNs;
  private final Counters counted;

  /**
   * For what does not count: it is recorded all the same, so that the JVM compiles the recorder.
   */
  private final Counters uncounted;

  private long steal;

  /** The 99.9th percentiles of the gaps of the blocks that have ended, each by itself. */
  private final Histogram blockP999Ns = Measurement.histogram();

  /** The gaps of these blocks, and of the last one; used again, or they would be garbage. */
  private final Histogram endedGapNs = Measurement.histogram();

  private final Histogram blockGapNs = Measurement.histogram();

  // The present block.
  private CountDownLatch done = new CountDownLatch(0);
  private LongSupplier spun = () -> 0;
  private long warmup;
  private long warmed;
  private int wantedQuietParts;
  private int quietParts;
  private long count;
  private boolean started;
  private long lastDueNs;
  private long lastStartNs;

  // Its present part.
  private Counters sheet;
  private long endPeriods;
  private long beginNs;
  private long beginBytes;
  private long beginSpunNs;

  /** Makes a recorder for releases of a period. */
  public LatenessRecorder(long periodNs) {
    this.periodNs = periodNs;
    counted = new Counters(periodNs);
    uncounted = new Counters(periodNs);
    sheet = uncounted;
  }

  /**
   * Has the JVM compile the recorder: the thread that triggers the first compilation of a method
   * allocates the string constants of its class.
   */
  public static void warmUp() {
    LatenessRecorder warmUp = new LatenessRecorder(WARM_UP_PERIOD_NS);
    warmUp.begin(WARM_UP_RELEASES, WARM_UP_RELEASES, () -> 0);
    for (long period = 0; period < 2 * WARM_UP_RELEASES; period++) {
      boolean skipped = period % 16 == 15;
      long dueNs = period * WARM_UP_PERIOD_NS;
      if (!skipped) {
        long startNs = dueNs + period * period % (2 * WARM_UP_PERIOD_NS);
        warmUp.released(dueNs, startNs, startNs + period % WARM_UP_PERIOD_NS);
      }
    }
  }

  /**
   * Begins a block, before the thread that is measured starts.
   *
   * <p>The JVM makes the string constants of a class on the thread whose call lets it compile a
   * method of that class with its best compiler for the first time: some hundred bytes each, once
   * in the JVM's life, the later the more it has to compile. So the warm-up goes on until that is
   * over.
   *
   * @param warmup how many periods pass before those that count; more, if one of the last {@value
   *     #QUIET_PARTS} times {@value #PART} allocates, but at most {@value #MAX_TIMES} times as many
   * @param count how many periods count
   * @param spun how long the thread has spun so far, in nanoseconds
   */
  public void begin(long warmup, long count, LongSupplier spun) {
    begin(warmup, count, spun, QUIET_PARTS);
  }

  /** Begins a block with a warm-up of just so many periods, whatever is allocated. */
  public void begin(long warmup, long count) {
    begin(warmup, count, () -> 0, 0);
  }

  private void begin(long warmup, long count, LongSupplier spun, int wantedQuietParts) {
    endBlock();
    this.wantedQuietParts = wantedQuietParts;
    this.warmup = warmup;
    warmed = 0;
    quietParts = 0;
    this.count = count;
    this.spun = spun;
    started = false;
    done = new CountDownLatch(1);
  }

  private void endBlock() {
    blockGapNs.reset();
    blockGapNs.add(counted.gapNs);
    blockGapNs.subtract(endedGapNs);
    if (blockGapNs.getTotalCount() > 0) {
      blockP999Ns.recordValue(blockGapNs.getValueAtPercentile(99.9));
      endedGapNs.add(blockGapNs);
    }
  }

  /** Waits for the end of a block; false if it takes much longer than it should. */
  public boolean await() throws InterruptedException {
    long expectedNs = (MAX_TIMES * warmup + count) * periodNs;
    return done.await(TimeUnit.NANOSECONDS.toSeconds(3 * expectedNs) + 30, TimeUnit.SECONDS);
  }

  @Override
  public void onEnd(EndedRelease release) {
    released(release.dueNs(), release.beginNs(), release.endNs());
  }

  /**
   * A release has ended.
   *
   * @param dueNs when it should have begun
   * @param startNs when it began
   * @param endNs when it ended
   */
  public void released(long dueNs, long startNs, long endNs) {
    if (!started) {
      started = true;
      beginPart(uncounted, Math.min(warmup, PART), startNs);
    } else {
      sheet.released(lastDueNs, lastStartNs, dueNs, startNs, endNs);
      if (sheet.periods >= endPeriods) {
        endPart(startNs);
      }
    }
    lastDueNs = dueNs;
    lastStartNs = startNs;
  }

  private void beginPart(Counters next, long periods, long startNs) {
    sheet = next;
    endPeriods = next.periods + Math.max(1, periods);
    beginNs = startNs;
    beginSpunNs = spun.getAsLong();
    beginBytes = THREADS.getCurrentThreadAllocatedBytes();
  }

  /**
   * The warm-up has parts that begin and end as the one that counts does: what is done for the
   * first time then, or compiled once more because of it, may allocate.
   */
  private void endPart(long startNs) {
    long bytes = THREADS.getCurrentThreadAllocatedBytes() - beginBytes;
    sheet.bytes += bytes;
    sheet.spunNs += spun.getAsLong() - beginSpunNs;
    sheet.ranNs += startNs - beginNs;
    if (sheet == counted) {
      done.countDown();
      beginPart(uncounted, Long.MAX_VALUE / 2, startNs);
      return;
    }
    warmed += PART;
    quietParts = bytes == 0 ? quietParts + 1 : 0;
    boolean warm = quietParts >= wantedQuietParts || warmed >= MAX_TIMES * warmup;
    if (warmed < warmup || !warm) {
      beginPart(uncounted, PART, startNs);
    } else {
      beginPart(counted, count, startNs);
    }
  }

  /**
   * Adds the wake-ups of cyclictest; when each of them was is not known.
   *
   * @param wakeUps how late they were, in nanoseconds, and how many were so late
   */
  public void add(SortedMap<Long, Long> wakeUps) {
    dueTimes(wakeUps, periodNs).forEach(counted::add);
    wakeUps.values().forEach(count -> counted.releases += count);
    wakeUps.tailMap(periodNs).values().forEach(count -> counted.lateReleases += count);
  }

  /**
   * Returns how late each due time was served. cyclictest skips the due times that a late wake-up
   * has passed, so a wake-up that is {@code l} late serves due times {@code l, l - period, l - 2
   * periods, ...} late, above zero.
   */
  static SortedMap<Long, Long> dueTimes(SortedMap<Long, Long> wakeUps, long periodNs) {
    SortedMap<Long, Long> dueTimes = new TreeMap<>();
    wakeUps.forEach(
        (lateNs, count) -> {
          for (long ns = lateNs; ns == lateNs || ns > 0; ns -= periodNs) {
            dueTimes.merge(ns, count, Long::sum);
          }
        });
    return dueTimes;
  }

  /** Returns how late due times were served, in nanoseconds, with periods and late due times. */
  public Measurement lateness() {
    return counted.of(counted.latenessNs);
  }

  /**
   * Returns the times from one beginning to the next in nanoseconds, with periods, late due times
   * and, as {@value #BLOCK_P999}, the median of the blocks' own 99.9th percentiles: long stalls of
   * the machine that few blocks have do not show in it. To be asked between blocks.
   */
  public Measurement gaps() {
    endBlock();
    return counted.of(counted.gapNs).with(BLOCK_P999, blockP999Ns.getValueAtPercentile(50));
  }

  /**
   * Returns the times from when releases were due to their ends, with periods and late due times.
   */
  public Measurement responses() {
    return counted.of(counted.responseNs);
  }

  /** Adds what the hypervisor took away meanwhile, in ticks of 10 ms. */
  public void addSteal(long ticks) {
    steal += ticks;
  }

  /** Returns all of it, with some more counts. */
  public Outcome outcome(Map<String, Double> more) {
    Map<String, Double> counts = new TreeMap<>(more);
    counts.put("periods", (double) counted.periods);
    counts.put("late", (double) counted.lateDues);
    counts.put("releases", (double) counted.releases);
    counts.put("late_releases", (double) counted.lateReleases);
    counts.put("spun_ns", (double) counted.spunNs);
    counts.put("ran_ns", (double) counted.ranNs);
    counts.put("steal_ticks", (double) steal);
    counts.put("bytes", (double) counted.bytes);
    return new Outcome(
        new Measurement(counted.latenessNs, 1, counted.allocBytes(), counts),
        counted.gapNs,
        counted.gapErrorNs,
        counted.intervalErrorNs,
        counted.busyNs,
        counted.remembered());
  }

  /** Histograms and counts. */
  private static final class Counters {
    final Histogram latenessNs = Measurement.histogram();
    final Histogram gapNs = Measurement.histogram();
    final Histogram responseNs = Measurement.histogram();
    final Histogram gapErrorNs = Measurement.histogram();
    final Histogram intervalErrorNs = Measurement.histogram();
    final Histogram busyNs = Measurement.histogram();
    long periods;
    long lateDues;
    long releases;
    long lateReleases;
    long bytes;
    long spunNs;
    long ranNs;

    private final long periodNs;
    private final long[] latePeriods = new long[MAX_REMEMBERED];
    private final long[] lateByNs = new long[MAX_REMEMBERED];
    private int remembered;

    Counters(long periodNs) {
      this.periodNs = periodNs;
    }

    void released(long lastDueNs, long lastStartNs, long dueNs, long startNs, long endNs) {
      for (long passedNs = lastDueNs + periodNs; passedNs - dueNs <= 0; passedNs += periodNs) {
        late(startNs - passedNs);
      }
      releases++;
      long sinceNs = Math.max(0, lastStartNs - lastDueNs - 1);
      long firstDueNs = lastDueNs + (sinceNs / periodNs + 1) * periodNs;
      if (startNs - firstDueNs >= periodNs) {
        lateReleases++;
      }
      gap(startNs - lastStartNs);
      intervalErrorNs.recordValue(
          Math.clamp(Math.abs(startNs - lastStartNs - periodNs), 0, MAX_NS));
      busyNs.recordValue(Math.clamp(endNs - startNs, 0, MAX_NS));
      responseNs.recordValueWithExpectedInterval(Math.clamp(endNs - dueNs, 0, MAX_NS), periodNs);
    }

    double allocBytes() {
      return (double) bytes / Math.max(1, releases);
    }

    Measurement of(Histogram histogram) {
      return new Measurement(histogram, 1, allocBytes())
          .with("periods", periods)
          .with("late", lateDues);
    }

    /** A due time was served, so late. */
    private void late(long lateNs) {
      latenessNs.recordValue(Math.clamp(lateNs, 0, MAX_NS));
      if (lateNs >= periodNs) {
        if (remembered < MAX_REMEMBERED) {
          latePeriods[remembered] = periods;
          lateByNs[remembered] = lateNs;
          remembered++;
        }
        lateDues++;
      }
      periods++;
    }

    /** A gap of several periods counts for each release that should have begun in it. */
    private void gap(long betweenNs) {
      for (long ns = betweenNs; ns == betweenNs || ns >= periodNs; ns -= periodNs) {
        gapNs.recordValue(Math.clamp(ns, 0, MAX_NS));
        gapErrorNs.recordValue(Math.clamp(Math.abs(ns - periodNs), 0, MAX_NS));
      }
    }

    /** Some due times were served, so late. */
    void add(long lateNs, long count) {
      latenessNs.recordValueWithCount(Math.min(lateNs, MAX_NS), count);
      periods += count;
      lateDues += lateNs >= periodNs ? count : 0;
    }

    List<LateDue> remembered() {
      List<LateDue> all = new ArrayList<>();
      for (int i = 0; i < remembered; i++) {
        all.add(new LateDue(latePeriods[i], lateByNs[i]));
      }
      return all;
    }
  }
}
