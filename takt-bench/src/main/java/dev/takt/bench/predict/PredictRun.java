package dev.takt.bench.predict;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.LatenessRecorder;
import dev.takt.bench.measure.Outcome;
import dev.takt.bench.programs.SellerTask;
import dev.takt.bench.programs.TakeWriteTask;
import dev.takt.cli.doctor.CpuTimes;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.CpuConfinement;
import dev.takt.realtime.os.CpuPartition;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.WakeLatencyLimit;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Contestants of one period take turns beside the noise, in one JVM. What a real-time program of
 * Takt asks of the machine is asked for all contestants alike: idle processors stay awake, and
 * those with a real-time priority have processors that nothing else of this JVM uses.
 *
 * @param blocks how many blocks each contestant has
 * @param periodNs the period
 * @param count how many periods count in each block
 * @param warmup how many pass uncounted before it
 * @param priority the priority of those that have a real-time one
 * @param cpu the processor; -1: the usual ones
 * @param floor where the floor in C is
 */
public record PredictRun(
    Map<String, Integer> blocks,
    long periodNs,
    long count,
    long warmup,
    int priority,
    int cpu,
    String floor)
    implements ChildRun.Body<Outcome.ByContestant> {
  /** How many times longer the first block of a contestant warms up: the JVM compiles then. */
  private static final int FIRST_WARMUP = 4;

  @Override
  public Outcome.ByContestant run() throws Exception {
    LatenessRecorder.warmUp();
    EventSpace space = EventSpace.create();
    space.write(new Event("type", "book").add("ask", 100).add("bid", 99));
    OperatingSystem system = OperatingSystems.current();
    CpuPartition apart =
        (cpu < 0 ? CpuPartition.usual(system) : CpuPartition.ofRealtime(system, CpuSet.of(cpu)))
            .orElse(null);
    CpuSet cpus = apart == null ? null : apart.realtime();
    CpuSet all = apart == null ? null : apart.realtime().or(apart.housekeeping());
    RunConfig setting = new RunConfig(space, periodNs, priority, cpus, all);
    try (WakeLatencyLimit _ = system.limitWakeLatency(0);
        CpuConfinement _ = system.confine(apart == null ? CpuSet.of(0) : apart.housekeeping())) {
      return runBesideNoise(setting);
    }
  }

  private Outcome.ByContestant runBesideNoise(RunConfig setting) throws Exception {
    SpaceLoad noise = new SpaceLoad(setting.space());
    Thread noisy = Thread.ofPlatform().name("noise").daemon().start(noise);
    try {
      return run(setting, noise);
    } finally {
      noise.stop();
      noisy.join();
    }
  }

  private Outcome.ByContestant run(RunConfig setting, SpaceLoad noise) throws Exception {
    Map<String, Workload> contestants = new LinkedHashMap<>();
    Map<String, LatenessRecorder> records = new HashMap<>();
    Map<String, Double> rounds = new HashMap<>();
    int most = Collections.max(blocks.values());
    for (int block = 0; block < most; block++) {
      for (String name : blocks.keySet()) {
        if (block >= blocks.get(name)) {
          continue;
        }
        Workload contestant =
            contestants.computeIfAbsent(name, each -> contestant(each, setting, contestants));
        LatenessRecorder record =
            records.computeIfAbsent(name, each -> new LatenessRecorder(setting.periodNs()));
        // What was allocated to prepare is collected now, not in the middle of the block.
        System.gc();
        long steal = CpuTimes.stolenTicks();
        long before = noise.rounds();
        contestant.run(record, block == 0 ? FIRST_WARMUP * warmup : warmup, count);
        record.addSteal(CpuTimes.stolenTicks() - steal);
        rounds.merge(name, (double) (noise.rounds() - before), Double::sum);
      }
    }
    Map<String, Outcome> outcomes = new LinkedHashMap<>();
    contestants.forEach(
        (name, contestant) -> {
          Map<String, Double> facts = new HashMap<>(contestant.facts());
          facts.put("noise_rounds", rounds.get(name));
          outcomes.put(name, records.get(name).outcome(facts));
        });
    return new Outcome.ByContestant(outcomes);
  }

  private Workload contestant(String name, RunConfig setting, Map<String, Workload> before) {
    return switch (name) {
      case "takt" -> new TaktWorkload(setting, TakeWriteTask.class);
      case "seller" -> new TaktWorkload(setting, SellerTask.class);
      case "cyclictest" -> new BaselineWorkload(setting, null, isRealtime(before));
      case "floor" -> new BaselineWorkload(setting, floor, isRealtime(before));
      case "executor" -> new PlainWorkload(setting, true, false);
      case "executor-fifo" -> new PlainWorkload(setting, true, true);
      case "parknanos" -> new PlainWorkload(setting, false, false);
      case "parknanos-fifo" -> new PlainWorkload(setting, false, true);
      default -> throw new IllegalArgumentException("no contestant " + name);
    };
  }

  /** Whether those that had their turn were granted a real-time policy. */
  private static boolean isRealtime(Map<String, Workload> before) {
    return before.values().stream()
        .anyMatch(each -> each.facts().getOrDefault("fifo_priority", 0.0) > 0);
  }
}
