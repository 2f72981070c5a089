package dev.takt.samples;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.Schedule;
import dev.takt.space.EventSpace;
import java.time.Duration;

/**
 * Ordinary threads talk to a task through its atomic methods: such a call happens as a whole
 * between two releases, and the task never waits for it. A call that meets a release begins again.
 *
 * <p>The task is released every 100 microseconds, and looks whether its two limits are as far from
 * each other as they should be, while another thread moves both of them 1,000 times. You will see
 * that no call was lost or seen by halves:
 *
 * <pre>
 * limits: 1000 to 1010
 * seen torn: 0
 * </pre>
 */
public final class Sample09AtomicMethods {
  private static final long PERIOD_NS = 100_000;
  private static final long WIDTH = 10;
  private static final int CALLS = 1_000;

  private Sample09AtomicMethods() {}

  static final class Guard extends ReflexTask {
    private long low;
    private long high = WIDTH;
    private long torn;

    @Override
    public void execute() {
      if (high - low != WIDTH) {
        torn++;
      }
    }

    /** Moves both limits: no release sees the one moved and the other not. */
    @Atomic
    public void move(long by) {
      low += by;
      high += by;
    }

    /** Returns the lower limit. */
    @Atomic
    public long low() {
      return low;
    }

    /** Returns the upper limit. */
    @Atomic
    public long high() {
      return high;
    }

    /** Returns how often a release has seen limits that did not fit each other. */
    @Atomic
    public long torn() {
      return torn;
    }
  }

  /** Runs the sample. */
  public static void main(String[] args) {
    EventSpace space = EventSpace.create();
    Guard guard = new Guard();
    try (ReflexRuntime runtime = ReflexRuntime.create(space)) {
      runtime.active("guard", guard, Schedule.periodic(PERIOD_NS));
      runtime.start();
      for (int i = 0; i < CALLS; i++) {
        guard.move(1);
      }
      IO.println("limits: " + guard.low() + " to " + guard.high());
      IO.println("seen torn: " + guard.torn());
      runtime.stop(Duration.ofSeconds(10));
    }
  }
}
