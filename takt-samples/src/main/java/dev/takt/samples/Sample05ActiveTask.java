package dev.takt.samples;

import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.time.Duration;

/**
 * An active task is released by time: here every millisecond, on a thread of its own. Each release
 * is one transaction.
 *
 * <p>You will see the first five ticks, and that no release was undone:
 *
 * <pre>
 * tick 1
 * tick 2
 * tick 3
 * tick 4
 * tick 5
 * conflicts: 0
 * </pre>
 */
public final class Sample05ActiveTask {
  private static final long PERIOD_NS = 1_000_000;

  private Sample05ActiveTask() {}

  /**
   * Writes a numbered event in every release. The number is a field: a release that is undone does
   * not change it.
   */
  static final class Ticker extends ReflexTask {
    private long number;

    @Override
    public void execute() {
      write(event().add("tick", ++number));
    }
  }

  /** Runs the sample. */
  public static void main(String[] args) throws InterruptedException {
    EventSpace space = EventSpace.create();
    try (ReflexRuntime runtime = ReflexRuntime.create(space)) {
      TaskControl ticker = runtime.active("ticker", new Ticker(), Schedule.periodic(PERIOD_NS));
      runtime.start();
      for (int i = 0; i < 5; i++) {
        Event tick = space.take(new Event("tick", null), Duration.ofSeconds(10));
        IO.println(tick == null ? "no tick within 10 s" : "tick " + tick.getLong("tick"));
      }
      IO.println("conflicts: " + ticker.stats().conflicts());
    }
  }
}
