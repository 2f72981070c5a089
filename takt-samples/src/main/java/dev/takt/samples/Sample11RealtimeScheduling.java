package dev.takt.samples;

import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.Shortfall;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.RuntimeScheduling;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.time.Duration;

/**
 * A runtime can ask the operating system for real-time scheduling: each thread for the priority of
 * its task. What was granted is a value; what was not comes with the reason and the remedy, and the
 * task runs all the same, only less punctually.
 *
 * <p>Run as root with {@code --enable-native-access=ALL-UNNAMED} (as {@code ./takt run --realtime}
 * does) you will see:
 *
 * <pre>
 * steering asks for FIFO 40
 * steering runs as FIFO 40
 * FIFO 40 granted on 1 of 1 thread; memory locked
 * steered: true
 * </pre>
 *
 * <p>As an ordinary user:
 *
 * <pre>
 * steering asks for FIFO 40
 * steering runs as OTHER
 * not granted: policy, because ...
 * ...
 * steered: true
 * </pre>
 */
public final class Sample11RealtimeScheduling {
  private static final long PERIOD_NS = 1_000_000;
  private static final int PRIORITY = 40;

  private Sample11RealtimeScheduling() {}

  /** Writes a command in every release. */
  static final class Steering extends ReflexTask {
    private long angle;

    @Override
    public void execute() {
      angle = (angle + 1) % 360;
      write(event().add("angle", angle));
    }
  }

  /** Runs the sample. */
  public static void main(String[] args) throws InterruptedException {
    EventSpace space = EventSpace.create();
    RuntimeSettings settings = RuntimeSettings.DEFAULTS.withScheduling(RuntimeScheduling.REALTIME);
    try (ReflexRuntime runtime = ReflexRuntime.create(space, settings)) {
      TaskControl steering =
          runtime.active(
              "steering", new Steering(), Schedule.periodic(PERIOD_NS).priority(PRIORITY));
      IO.println("steering asks for FIFO " + PRIORITY);
      runtime.start();

      Grant grant = steering.grant();
      IO.println("steering runs as " + name(grant.scheduling()));
      for (Shortfall shortfall : grant.shortfalls()) {
        IO.println("not granted: " + shortfall.service() + ", because " + shortfall.reason());
        IO.println("  to get it: " + shortfall.remedy());
      }
      IO.println(runtime.grants());

      Event command = space.take(new Event("angle", null), Duration.ofSeconds(10));
      IO.println("steered: " + (command != null));
    }
  }

  private static String name(ThreadScheduling scheduling) {
    return scheduling.policy()
        + (scheduling.policy().isRealtime() ? " " + scheduling.priority() : "");
  }
}
