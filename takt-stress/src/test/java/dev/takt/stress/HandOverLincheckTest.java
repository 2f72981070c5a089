package dev.takt.stress;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.space.WaitClock;
import dev.takt.testkit.Seeds;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * Model checking of threads that wait in the shipped space: a thread that waits for an event gets
 * one if there is one, without the sweep, because the clock stands still. A waiter that is not
 * woken would be reported as a hung execution.
 */
public class HandOverLincheckTest {
  private static final SpaceSettings SETTINGS =
      SpaceSettings.DEFAULTS
          .withCapacity(64)
          .withMaxEventBytes(8)
          .withMaxReferences(0)
          .withMaxIndexes(1)
          .withMaxSubscriptions(1)
          .withMaxTransactions(4)
          .withMaxOperations(16)
          .withPatience(2);

  private static final Event EVENT = new Event("key", 0);
  private static final Duration FOR_EVER = Duration.ofNanos(WaitClock.FOR_EVER_NS);

  /** Time stands still: a thread is woken by another one or never. */
  private static final class StoppedClock implements WaitClock {
    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public void parkNanos(long durationNs) {
      LockSupport.park();
    }
  }

  /** What all cases have. */
  public abstract static class Waits {
    final EventSpace space = EventSpace.create(SETTINGS, new StoppedClock());

    Waits() {
      space.prepare(EVENT.copy());
    }

    boolean takes(Duration timeout) throws InterruptedException {
      return space.take(EVENT.copy(), timeout) != null;
    }
  }

  /** One event, a thread that waits for it, and one whose time ends meanwhile. */
  public static class TimedOut extends Waits {
    @Operation(runOnce = true)
    public void write() {
      space.write(EVENT.copy());
    }

    @Operation(runOnce = true)
    public boolean take() throws InterruptedException {
      return takes(FOR_EVER);
    }

    /** Enters the queue, may be woken there, and leaves at once; gives back what it has found. */
    @Operation(runOnce = true)
    public void giveUp() throws InterruptedException {
      if (takes(Duration.ZERO)) {
        space.write(EVENT.copy());
      }
    }
  }

  /** An event for each of two threads. */
  public static class TwoEvents extends Waits {
    @Operation(runOnce = true)
    public void write() {
      space.write(EVENT.copy());
      space.write(EVENT.copy());
    }

    @Operation(runOnce = true)
    public boolean take() throws InterruptedException {
      return takes(FOR_EVER);
    }

    @Operation(runOnce = true)
    public boolean takeToo() throws InterruptedException {
      return takes(FOR_EVER);
    }
  }

  /** A thread that only looks leaves the event, and the wake-up, to one that takes it. */
  public static class Reader extends Waits {
    @Operation(runOnce = true)
    public void write() {
      space.write(EVENT.copy());
    }

    @Operation(runOnce = true)
    public boolean take() throws InterruptedException {
      return takes(FOR_EVER);
    }

    @Operation(runOnce = true)
    public void read() throws InterruptedException {
      space.read(EVENT.copy(), Duration.ZERO);
    }
  }

  /** One event for two threads: one of them waits for ever. */
  public static class TooFew extends Waits {
    @Operation(runOnce = true)
    public void write() {
      space.write(EVENT.copy());
    }

    @Operation(runOnce = true)
    public boolean take() throws InterruptedException {
      return takes(FOR_EVER);
    }

    @Operation(runOnce = true)
    public boolean takeToo() throws InterruptedException {
      return takes(FOR_EVER);
    }
  }

  /** A counter of events; in the order of the results no thread takes before there is one. */
  public static final class Model {
    private int events;

    public void write() {
      events++;
    }

    public boolean take() {
      return events-- > 0;
    }

    public void giveUp() {}

    public void read() {}
  }

  /** The same with two events at once. */
  public static final class TwoEventsModel {
    private int events;

    public void write() {
      events += 2;
    }

    public boolean take() {
      return events-- > 0;
    }

    public boolean takeToo() {
      return take();
    }
  }

  private static ModelCheckingOptions options(Class<?> model) {
    return new ModelCheckingOptions()
        .sequentialSpecification(model)
        .minimizeFailedScenario(false)
        .threads(3)
        .actorsPerThread(1)
        .actorsBefore(0)
        .actorsAfter(0)
        .iterations(Seeds.size(1, 6))
        .invocationsPerIteration(Seeds.size(100, 10_000));
  }

  @Test
  void shouldHandOverEventWhenAnotherWaiterGivesUp() {
    options(Model.class).check(TimedOut.class);
  }

  @Test
  void shouldWakeAsManyWaitersAsThereAreEvents() {
    options(TwoEventsModel.class).check(TwoEvents.class);
  }

  @Test
  void shouldHandOverEventWhenAnotherThreadReads() {
    options(Model.class).check(Reader.class);
  }

  @Test
  void shouldNoticeWaiterWithoutEvent() {
    assertThatThrownBy(() -> options(TwoEventsModel.class).check(TooFew.class))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("hung");
  }
}
