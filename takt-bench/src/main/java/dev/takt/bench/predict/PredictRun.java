package dev.takt.bench.predict;

import dev.takt.bench.measure.LatenessRecorder;
import dev.takt.bench.measure.Outcome;
import dev.takt.bench.programs.SellerTask;
import dev.takt.bench.programs.TakeWriteTask;
import dev.takt.cli.doctor.CpuTimes;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.CpuPartition;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.Housekeeping;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.WakeLatencyLimit;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Contestants of one period take turns beside the noise, in one JVM. Arguments: the contestants
 * ({@code takt:20,executor:4} with how many blocks each has), the period, how many periods count in
 * each block, how many pass uncounted before it, the priority, and the processor (-1: the usual
 * ones), and where the floor in C is. What a real-time program of Takt asks of the machine is asked
 * for all contestants alike: idle processors stay awake, and those with a real-time priority have
 * processors that nothing else of this JVM uses.
 */
public final class PredictRun {
  /** How many times longer the first block of a contestant warms up: the JVM compiles then. */
  private static final int FIRST_WARMUP = 4;

  private PredictRun() {}

  /** The main program of a measuring JVM. */
  public static void main(String[] arguments) throws Exception {
    measure(List.of(arguments)).forEach(System.out::println);
    System.out.flush();
    System.exit(0); // threads that a measurement could not stop must not keep this JVM alive
  }

  /** Measures, and returns the lines for {@link Outcome#fromLines}. */
  public static List<String> measure(List<String> arguments) throws Exception {
    Map<String, Integer> blocks = new LinkedHashMap<>();
    for (String each : arguments.get(0).split(",")) {
      String[] parts = each.split(":");
      blocks.put(parts[0], Integer.parseInt(parts[1]));
    }
    long periodNs = Long.parseLong(arguments.get(1));
    long count = Long.parseLong(arguments.get(2));
    long warmup = Long.parseLong(arguments.get(3));
    int priority = Integer.parseInt(arguments.get(4));
    int cpu = Integer.parseInt(arguments.get(5));
    String floor = arguments.get(6);
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
        Housekeeping _ = system.confine(apart == null ? CpuSet.of(0) : apart.housekeeping())) {
      return runBesideNoise(blocks, setting, floor, warmup, count);
    }
  }

  private static List<String> runBesideNoise(
      Map<String, Integer> blocks, RunConfig setting, String floor, long warmup, long count)
      throws Exception {
    SpaceLoad noise = new SpaceLoad(setting.space());
    Thread noisy = Thread.ofPlatform().name("noise").daemon().start(noise);
    try {
      return run(blocks, setting, floor, noise, warmup, count);
    } finally {
      noise.stop();
      noisy.join();
    }
  }

  private static List<String> run(
      Map<String, Integer> blocks,
      RunConfig setting,
      String floor,
      SpaceLoad noise,
      long warmup,
      long count)
      throws Exception {
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
            contestants.computeIfAbsent(
                name, each -> contestant(each, setting, floor, contestants));
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
    List<String> lines = new ArrayList<>();
    contestants.forEach(
        (name, contestant) -> {
          Map<String, Double> facts = new HashMap<>(contestant.facts());
          facts.put("noise_rounds", rounds.get(name));
          lines.addAll(records.get(name).toLines(name, facts));
        });
    return lines;
  }

  private static Workload contestant(
      String name, RunConfig setting, String floor, Map<String, Workload> before) {
    return switch (name) {
      case "takt" -> new TaktWorkload(setting, TakeWriteTask.class);
      case "seller" -> new TaktWorkload(setting, SellerTask.class);
      case "cyclictest" -> new CyclictestWorkload(setting, isRealtime(before));
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
