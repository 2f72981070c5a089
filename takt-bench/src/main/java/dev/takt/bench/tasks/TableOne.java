package dev.takt.bench.tasks;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Measurement;
import dev.takt.bench.measure.ReleaseMeter;
import dev.takt.bench.measure.Ticks;
import dev.takt.bench.micro.JmhBatch;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Reflexes Table 1: active tasks of period 0.
 *
 * <p>An iteration of Duo is a release of either of the two tasks, as the rates of operations in
 * Reflexes have it (two operations an iteration): they run at the same time on two threads, so
 * while one does a batch of releases, there are twice as many iterations.
 *
 * <p>Source: Reflexes 6.1.
 *
 * @param row which row
 * @param warmup how many releases come before those that count
 * @param iterations how many count for each task
 * @param limitMs after how many milliseconds fewer will do
 */
public record TableOne(String row, int warmup, int iterations, long limitMs)
    implements ChildRun.Body<Measurement> {
  /** What is measured warms up by itself. */
  private static final RuntimeSettings SETTINGS = RuntimeSettings.DEFAULTS.withWarmUpNs(0);

  @Override
  public Measurement run() throws InterruptedException {
    ReleaseMeter meter = new ReleaseMeter(JmhBatch.SIZE, warmup, iterations);
    ReleaseMeter second = new ReleaseMeter(JmhBatch.SIZE, warmup, iterations);
    Ticks ticks = meter.ticks();
    return switch (row) {
      case "empty" -> run(EventSpace.create(), meter, new MeteredEmptyTask(ticks));
      case "solo" -> run(EventSpace.create(), meter, new ExchangeTask(ticks, 1, 1));
      case "duo" -> {
        List<ReflexTask> both =
            List.of(new ExchangeTask(ticks, 1, 2), new ExchangeTask(second.ticks(), 2, 1));
        yield run(EventSpace.create(), both, List.of(meter, second));
      }
      case "max" -> run(filled(), meter, new MaxTask(ticks));
      default -> throw new IllegalArgumentException("no row " + row + " in Table 1");
    };
  }

  private Measurement run(EventSpace space, ReleaseMeter meter, ReflexTask task)
      throws InterruptedException {
    return run(space, List.of(task), List.of(meter));
  }

  private static EventSpace filled() {
    EventSpace space = EventSpace.create();
    Event event = new Event(MaxTask.KEY, 0);
    for (int i = 0; i < MaxTask.EVENTS; i++) {
      space.write(event.add(MaxTask.KEY, MaxTask.integer(i)));
    }
    return space;
  }

  private Measurement run(EventSpace space, List<ReflexTask> tasks, List<ReleaseMeter> meters)
      throws InterruptedException {
    List<TaskControl> controls = new ArrayList<>();
    try (ReflexRuntime runtime = ReflexRuntime.create(space, SETTINGS)) {
      for (ReflexTask task : tasks) {
        controls.add(runtime.active("task " + controls.size(), task, Schedule.continuous()));
      }
      runtime.start();
      MeterWait.await(meters, controls, limitMs);
      runtime.stop(Duration.ofSeconds(5));
    }
    return meters.stream()
        .map(meter -> meter.figure(meters.size()))
        .reduce(Measurement::and)
        .orElseThrow();
  }
}
