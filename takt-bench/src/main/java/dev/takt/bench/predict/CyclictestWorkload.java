package dev.takt.bench.predict;

import dev.takt.bench.measure.LatenessRecorder;
import dev.takt.cli.doctor.Cyclictest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** cyclictest, with the same priority and locked memory. */
final class CyclictestWorkload implements Workload {
  private final RunConfig setting;
  private final List<String> options = new ArrayList<>();

  /**
   * Makes it.
   *
   * @param realtime whether the tasks it runs beside were granted a real-time policy
   */
  CyclictestWorkload(RunConfig setting, boolean realtime) {
    this.setting = setting;
    if (realtime) {
      options.add("--priority=" + setting.priority());
      options.add("--mlockall");
    }
    if (setting.cpus() != null) {
      options.add("--affinity=" + setting.cpus());
    }
  }

  @Override
  public void run(LatenessRecorder record, long warmup, long count) throws Exception {
    record.add(Cyclictest.installed().orElseThrow().wakeUps(setting.periodNs(), count, options));
  }

  @Override
  public Map<String, Double> facts() {
    boolean realtime = options.contains("--mlockall");
    return Map.of("fifo_priority", realtime ? (double) setting.priority() : 0.0);
  }
}
