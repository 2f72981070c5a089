package dev.takt.bench.predict;

import dev.takt.bench.measure.LatenessRecorder;
import dev.takt.bench.rtj.BaselineProgram;
import java.util.Map;

/**
 * What takes cyclictest's place where that is not installed: a thread in C that only sleeps until
 * each due time, with the same priority and locked memory.
 */
final class BaselineWorkload implements Workload {
  private final RunConfig setting;
  private final String program;
  private final int priority;

  /**
   * Makes it.
   *
   * @param program where the floor was compiled
   * @param realtime whether the tasks it runs beside were granted a real-time policy
   */
  BaselineWorkload(RunConfig setting, String program, boolean realtime) {
    this.setting = setting;
    this.program = program;
    this.priority = realtime ? setting.priority() : 0;
  }

  @Override
  public void run(LatenessRecorder record, long warmup, long count) throws Exception {
    int cpu = priority > 0 && setting.cpus() != null ? setting.cpus().toArray()[0] : -1;
    record.add(BaselineProgram.wakeUps(program, setting.periodNs(), count, priority, cpu));
  }

  @Override
  public Map<String, Double> facts() {
    return Map.of("fifo_priority", (double) priority);
  }
}
