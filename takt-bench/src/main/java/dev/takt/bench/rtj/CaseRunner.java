package dev.takt.bench.rtj;

import dev.takt.cli.doctor.CpuTimes;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.CpuPartition;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Shortfall;
import dev.takt.realtime.os.ThreadScheduling;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a case works with: how many frames, how threads are scheduled, the floor, and where samples
 * go. It runs the variants of a case and their floors in turns, block by block, so that what the
 * host does hits all alike.
 *
 * <p>All measured threads of a case, and the contending ones, run on one processor, as on the
 * paper's machine, which had one.
 *
 * <p><b>Thread rule:</b> one thread, but {@link #scheduling} for any.
 */
final class CaseRunner {
  /** Of the measured thread: below what keeps the kernel itself alive. */
  static final int PRIORITY = 50;

  /** Of the contending threads. */
  static final int LOWER_PRIORITY = 30;

  /**
   * How many frames at the beginning of a block do not count, in C neither: threads do everything
   * for the first time, and learn how early to wake up.
   */
  static final int LEAD_IN = 3;

  /**
   * How many frames warm up what is done once in a frame: it is compiled for good after some 200
   * calls and then 5,000 more, at the next look at the counter, which is each 1,024th call; and
   * later when the compiler has much to do.
   */
  static final int WARM_UP_FRAMES = 10_000;

  /**
   * The period that they have: just longer than what a release timer takes for a long sleep, after
   * which it warms its caches: that is to be compiled, too.
   */
  static final long WARM_UP_PERIOD_NS = 250_000;

  /** What the numbers of frames and rounds of warm-ups are made for. */
  private static final int FULL_WARM_UP_MS = 1_500;

  /** How many frames warm up in a row. */
  static final int WARM_UP_BLOCK = 100;

  /** How long after they are prepared these begin, in periods; not all threads need be there. */
  private static final int SOON_PERIODS = 10;

  /** Every so many blocks one begins before it is prepared: so that misses are compiled, too. */
  private static final int LATE_BLOCKS = 3;

  private static final int LATE_PERIODS = -2;

  /** One variant of a case. */
  @FunctionalInterface
  interface Block {
    /** Takes one sample a frame, or so, and puts them into {@code into}. */
    void run(CaseRunner runner, Frames frames, Samples into) throws Exception;
  }

  /**
   * A variant.
   *
   * @param prefix of its series
   * @param floor the kind of floor to run beside it; empty: none
   * @param background how many contending threads the floor gets
   * @param block what takes the samples
   */
  record Variant(String prefix, String floor, int background, Block block) {
    /** Makes one of a case without contending threads. */
    Variant(String prefix, String floor, Block block) {
      this(prefix, floor, 0, block);
    }
  }

  private final FramePlan plan;
  private final BaselineProgram floor;
  private final boolean floorOnly;
  private final int cpu;
  private final Samples samples = new Samples();
  private final Set<String> shortfalls = new LinkedHashSet<>();
  private final Set<String> schedulings = new TreeSet<>();

  /**
   * Makes one.
   *
   * @param plan how much is to be measured
   * @param floor the floor, or null where it could not be compiled
   * @param floorOnly whether only the floors of the variants are to be measured
   */
  CaseRunner(FramePlan plan, BaselineProgram floor, boolean floorOnly) {
    this.plan = plan;
    this.floor = floor;
    this.floorOnly = floorOnly;
    this.cpu = Runtime.getRuntime().availableProcessors() - 1;
  }

  FramePlan plan() {
    return plan;
  }

  Samples samples() {
    return samples;
  }

  /** Returns the processor that everything measured runs on. */
  int cpu() {
    return cpu;
  }

  /** How a thread is to be scheduled; priority 0: as any other. */
  ThreadScheduling scheduling(int priority) {
    ThreadScheduling policy =
        priority == 0 ? ThreadScheduling.OTHER : ThreadScheduling.fifo(priority);
    return policy.withCpus(CpuSet.of(cpu)).withTimerSlackNs(1);
  }

  /** Notes what a thread was granted. */
  void granted(Grant grant) {
    grant.shortfalls().forEach(each -> shortfalls.add(each.toString()));
    schedulings.add(grant.scheduling().toString());
  }

  /** Returns when the frames of a block that is being prepared begin. */
  static long originNs(Frames frames) {
    return System.nanoTime() + frames.soonNs();
  }

  /** Returns the next of the frames that began at a moment, when it is not too near. */
  static long nextNs(long originNs, Frames frames) {
    long past = Math.max(0, originNs(frames) - originNs);
    return originNs + Math.ceilDiv(past, frames.periodNs()) * frames.periodNs();
  }

  /** Runs variants for nothing, each as often as it takes to compile what it does in a frame. */
  void warmUp(Block... variants) throws Exception {
    warmUp(WARM_UP_PERIOD_NS, WARM_UP_FRAMES, variants);
  }

  /**
   * Runs variants for nothing, at a shorter period, so that they are compiled: at 20 Hz that would
   * never happen, and what is not compiled by then stays slow. As when it is measured, they begin
   * again and again, by turns: what happens once in a block must have happened often by the time
   * the compiler leaves out what it has never seen.
   *
   * @param periodNs the period; about what is done in a frame takes, or longer
   * @param fullFrames how many frames of each variant, when the effort is full
   */
  void warmUp(long periodNs, int fullFrames, Block... variants) throws Exception {
    int number = 0;
    for (int left = floorOnly ? 0 : warmUps(fullFrames); left > 0; left -= WARM_UP_BLOCK) {
      long soonNs = periodNs * (++number % LATE_BLOCKS == 0 ? LATE_PERIODS : SOON_PERIODS);
      Frames frames = new Frames(Math.min(left, WARM_UP_BLOCK), periodNs, soonNs);
      for (Block each : variants) {
        run(each, "", frames, new Samples());
      }
    }
  }

  /**
   * Returns how often to do what is done so often to warm up when the effort is full; twice at
   * least.
   */
  int warmUps(int full) {
    return (int) Math.max(2, (long) full * plan.warmupMs() / FULL_WARM_UP_MS);
  }

  /** Runs one block; also to warm up, so that this thread does nothing new when it counts. */
  private void run(Block block, String prefix, Frames frames, Samples into) throws Exception {
    long before = CpuTimes.stolenTicks();
    Samples taken = new Samples();
    block.run(this, frames, taken);
    into.addAll(prefix, taken);
    into.add(prefix + "steal", CpuTimes.stolenTicks() - before);
  }

  /** Measures variants in turns, in the frames of the paper. */
  void measure(Variant... variants) throws Exception {
    measure(plan.periodNs(), variants);
  }

  /** Measures variants in turns, in as many frames. */
  void measure(long periodNs, Variant... variants) throws Exception {
    measure(plan.count(), periodNs, variants);
  }

  /** Measures variants in turns, and in each turn also what the machine does by itself. */
  void measure(int count, long periodNs, Variant... variants) throws Exception {
    for (int done = 0; done < count; done += plan.block()) {
      Frames frames = new Frames(Math.min(plan.block(), count - done), periodNs);
      for (Variant each : variants) {
        if (!floorOnly) {
          run(each.block, each.prefix, frames, samples);
        }
        if (floor != null && !each.floor.isEmpty()) {
          measureFloor(each, frames);
        }
      }
      if (floor != null && !floorOnly) {
        samples.addAll(OsNoise.PREFIX, floor.run(OsNoise.FLOOR, frames, PRIORITY, 0, cpu));
      }
    }
    samples.fact("scheduling", String.join("; ", schedulings));
    int number = 0;
    for (String each : shortfalls) {
      samples.fact("shortfall." + number++, each);
    }
  }

  private void measureFloor(Variant variant, Frames frames)
      throws IOException, InterruptedException {
    long before = CpuTimes.stolenTicks();
    String prefix = "floor." + variant.prefix;
    Samples block = floor.run(variant.floor, frames, PRIORITY, variant.background, cpu);
    samples.addAll(prefix, block);
    samples.add(prefix + "steal", CpuTimes.stolenTicks() - before);
  }

  /**
   * Prepares the machine, only in a JVM of the suite's own: locks memory, as that of the floor is;
   * keeps threads that are not measured off the measured processor; keeps idle processors awake,
   * for the floor as well.
   */
  void claimMachine() {
    OperatingSystem system = OperatingSystems.current();
    note(system.lockMemory(true).shortfalls());
    note(system.limitWakeLatency(0).shortfalls());
    CpuPartition.ofRealtime(system, CpuSet.of(cpu))
        .ifPresent(each -> note(system.confine(each.housekeeping()).shortfalls()));
  }

  private void note(List<Shortfall> refused) {
    refused.forEach(each -> shortfalls.add(each.toString()));
  }

  /** Returns the difference of each value to the one before it. */
  static long[] gaps(long[] stamps) {
    long[] gaps = new long[Math.max(0, stamps.length - 1)];
    for (int i = 0; i < gaps.length; i++) {
      gaps[i] = stamps[i + 1] - stamps[i];
    }
    return gaps;
  }

  /** Returns the difference of two arrays, place by place, where it is not negative. */
  static long[] differences(long[] to, long[] from) {
    long[] differences = new long[to.length];
    int count = 0;
    for (int i = 0; i < to.length; i++) {
      if (to[i] >= from[i]) {
        differences[count++] = to[i] - from[i];
      }
    }
    return Arrays.copyOf(differences, count);
  }
}
