package dev.takt.bench.predict;

import dev.takt.bench.measure.LatenessRecorder;
import dev.takt.bench.rtj.BaselineProgram;
import dev.takt.cli.doctor.Cyclictest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * What only sleeps until each due time, in C, with the same priority and locked memory: cyclictest,
 * or what takes its place where that is not installed.
 *
 * @param setting what all contestants have in common
 * @param program where the floor was compiled; null: cyclictest
 * @param realtime whether the tasks it runs beside were granted a real-time policy
 */
record BaselineWorkload(RunConfig setting, String program, boolean realtime) implements Workload {
  @Override
  public void run(LatenessRecorder record, long warmup, long count) throws Exception {
    record.add(program == null ? cyclictest(count) : floor(count));
  }

  private SortedMap<Long, Long> floor(long count) throws Exception {
    int cpu = realtime && setting.cpus() != null ? setting.cpus().toArray()[0] : -1;
    return BaselineProgram.wakeUps(program, setting.periodNs(), count, priority(), cpu);
  }

  private SortedMap<Long, Long> cyclictest(long count) throws Exception {
    List<String> options = new ArrayList<>();
    if (realtime) {
      options.addAll(List.of("--priority=" + priority(), "--mlockall"));
    }
    if (setting.cpus() != null) {
      options.add("--affinity=" + setting.cpus());
    }
    return Cyclictest.installed().orElseThrow().wakeUps(setting.periodNs(), count, options);
  }

  private int priority() {
    return realtime ? setting.priority() : 0;
  }

  @Override
  public Map<String, Double> facts() {
    return Map.of("fifo_priority", (double) priority());
  }
}
