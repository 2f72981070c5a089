package dev.takt.bench.tasks;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Measurement;
import dev.takt.bench.measure.ReleaseMeter;
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
 * Reflexes Table 1: active tasks of period 0. Arguments: which, the releases before those that
 * count, how many count for each task, and the milliseconds after which fewer will do.
 *
 * <p>An iteration of Duo is a release of either of the two tasks, as the rates of operations in
 * Reflexes have it (two operations an iteration): they run at the same time on two threads, so
 * while one does a batch of releases, there are twice as many iterations.
 *
 * <p>Source: Reflexes 6.1.
 */
public final class TableOne implements ChildRun.Body {
  /** What is measured warms up by itself. */
  private static final RuntimeSettings SETTINGS = RuntimeSettings.DEFAULTS.withWarmUpNs(0);

  /** For {@link ChildRun}. */
  public TableOne() {}

  @Override
  public Measurement run(List<String> arguments) throws InterruptedException {
    int warmup = Integer.parseInt(arguments.get(1));
    int iterations = Integer.parseInt(arguments.get(2));
    long limitMs = Long.parseLong(arguments.get(3));
    ReleaseMeter meter = new ReleaseMeter(JmhBatch.SIZE, warmup, iterations);
    ReleaseMeter second = new ReleaseMeter(JmhBatch.SIZE, warmup, iterations);
    return switch (arguments.get(0)) {
      case "empty" ->
          run(
              limitMs,
              EventSpace.create(),
              List.of(new MeteredEmptyTask(meter.ticks())),
              List.of(meter));
      case "solo" ->
          run(
              limitMs,
              EventSpace.create(),
              List.of(new ExchangeTask(meter.ticks(), 1, 1)),
              List.of(meter));
      case "duo" ->
          run(
              limitMs,
              EventSpace.create(),
              List.of(
                  new ExchangeTask(meter.ticks(), 1, 2), new ExchangeTask(second.ticks(), 2, 1)),
              List.of(meter, second));
      case "max" -> run(limitMs, filled(), List.of(new MaxTask(meter.ticks())), List.of(meter));
      default -> throw new IllegalArgumentException("no row " + arguments.get(0) + " in Table 1");
    };
  }

  private static EventSpace filled() {
    EventSpace space = EventSpace.create();
    Event event = new Event(MaxTask.KEY, 0);
    for (int i = 0; i < MaxTask.EVENTS; i++) {
      space.write(event.add(MaxTask.KEY, MaxTask.integer(i)));
    }
    return space;
  }

  private static Measurement run(
      long limitMs, EventSpace space, List<ReflexTask> tasks, List<ReleaseMeter> meters)
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
