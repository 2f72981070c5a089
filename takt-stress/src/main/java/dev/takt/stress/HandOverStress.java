package dev.takt.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.space.WaitClock;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A thread that waits for an event is woken by the one that writes it, or finds it before it parks:
 * the sweep, which would find it later, has no time. Events that others give up stay there for it.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the first took it")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the second took it and gave it back")
@Outcome(expect = FORBIDDEN, desc = "forgotten, or lost")
@State
public class HandOverStress {
  private static final Duration LONG = Duration.ofHours(1);

  /** Its time stands still, but a parked thread returns after a minute: then it was forgotten. */
  private static final class StoppedClock implements WaitClock {
    private static final long MINUTE_NS = 60_000_000_000L;

    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public void parkNanos(long durationNs) {
      long sinceNs = System.nanoTime();
      LockSupport.parkNanos(MINUTE_NS);
      if (System.nanoTime() - sinceNs >= MINUTE_NS) {
        throw new IllegalStateException("forgotten");
      }
    }
  }

  private static final EventSpace SPACE =
      EventSpace.create(
          SpaceSettings.DEFAULTS.withCapacity(1 << 17).withMaxIndexes(8).withMaxSubscriptions(8),
          new StoppedClock());

  private final long run = Arena.run();

  /** Waits for the event. */
  @Actor
  public void take(II_Result result) {
    result.r1 = takes(LONG) ? 1 : 0;
  }

  /** Writes it, and waits for it too, but for no time. */
  @Actor
  public void write(II_Result result) {
    Event event = Arena.x(run);
    SPACE.write(event);
    if (takes(Duration.ZERO)) {
      SPACE.write(event);
      result.r2 = 1;
    }
  }

  private boolean takes(Duration timeout) {
    try {
      return SPACE.take(Arena.x(run), timeout) != null;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
