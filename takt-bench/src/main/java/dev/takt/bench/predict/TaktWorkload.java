package dev.takt.bench.predict;

import dev.takt.bench.measure.LatenessRecorder;
import dev.takt.bench.measure.WovenPrograms;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.RuntimeGrants;
import dev.takt.reflex.RuntimeScheduling;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import java.util.HashMap;
import java.util.Map;

/** A woven task, scheduled as {@code takt run --realtime} does. */
final class TaktWorkload implements Workload {
  private final RunConfig setting;
  private final Class<? extends ReflexTask> type;
  private final Map<String, Double> facts = new HashMap<>();

  TaktWorkload(RunConfig setting, Class<? extends ReflexTask> type) {
    this.setting = setting;
    this.type = type;
  }

  @Override
  public void run(LatenessRecorder record, long warmup, long count) throws Exception {
    RuntimeSettings settings =
        RuntimeSettings.DEFAULTS
            .withScheduling(RuntimeScheduling.REALTIME.withActiveCpus(setting.cpus()))
            .withListeners(record);
    try (ReflexRuntime runtime = ReflexRuntime.create(setting.space(), settings)) {
      TaskControl task =
          runtime.active(
              "measured",
              WovenPrograms.task(type),
              Schedule.periodic(setting.periodNs()).priority(setting.priority()));
      record.begin(warmup, count, () -> task.stats().spunNs());
      runtime.start();
      if (!record.await()) {
        throw new IllegalStateException("the releases do not come to an end: " + task.stats());
      }
      if (task.failure() != null) {
        throw new IllegalStateException("the task failed; " + task.stats(), task.failure());
      }
      note(runtime.grants(), task);
    }
  }

  private void note(RuntimeGrants grants, TaskControl task) {
    facts.putAll(RunConfig.facts(task.grant()));
    facts.put("memory_locked", grants.memoryLocked() ? 1.0 : 0.0);
    facts.merge("conflicts", (double) task.stats().conflicts(), Double::sum);
  }

  @Override
  public Map<String, Double> facts() {
    return facts;
  }
}
