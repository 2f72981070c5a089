package dev.takt.bench.tasks;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Measurement;
import dev.takt.bench.measure.ReleaseMeter;
import dev.takt.bench.micro.Orders;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.TaskControl;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Reflexes Fig. 7: one event travels down a chain of passive tasks, again and again. An iteration
 * is one hop.
 *
 * <p>Source: Reflexes 6.2.
 *
 * @param length how many tasks
 * @param hops how many hops count
 * @param limitMs after how many milliseconds fewer will do
 */
public record Chain(int length, int hops, long limitMs) implements ChildRun.Body<Measurement> {
  /** A batch is made of whole laps, and of this many hops at least. */
  private static final int HOPS = 100;

  private static final int MIN_LAPS = 20;
  private static final int PRIORITY = 10;

  /** What is measured warms up by itself. */
  private static final RuntimeSettings SETTINGS = RuntimeSettings.DEFAULTS.withWarmUpNs(0);

  @Override
  public Measurement run() throws InterruptedException {
    int laps = Math.max(MIN_LAPS, hops / length);
    ReleaseMeter meter = new ReleaseMeter(Math.max(1, HOPS / length), laps / 2, laps);
    EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS);
    List<TaskControl> tasks = new ArrayList<>();
    try (ReflexRuntime runtime = ReflexRuntime.create(space, SETTINGS)) {
      tasks.add(runtime.passive("task 0", new ChainTask.Head(meter.ticks(), 1 % length), PRIORITY));
      for (int i = 1; i < length; i++) {
        tasks.add(runtime.passive("task " + i, new ChainTask(i, (i + 1) % length), PRIORITY));
      }
      runtime.start();
      space.write(Orders.order(0));
      MeterWait.await(List.of(meter), tasks, limitMs);
      runtime.stop(Duration.ofSeconds(5));
    }
    return meter.figure(length);
  }
}
