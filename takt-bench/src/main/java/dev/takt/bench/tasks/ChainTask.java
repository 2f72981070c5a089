package dev.takt.bench.tasks;

import dev.takt.bench.measure.Ticks;
import dev.takt.bench.micro.Orders;
import dev.takt.reflex.NotUndone;
import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;

/**
 * Fig. 7: takes the event with its own id, and writes a copy of it with the id of the next task.
 */
class ChainTask extends ReflexTask {
  private final long id;
  private final long next;
  private Handle handle;

  ChainTask(long id, long next) {
    this.id = id;
    this.next = next;
  }

  @Override
  public void initialize() {
    handle = subscribe(Orders.withId(id));
  }

  @Override
  public void execute() {
    Event event = event();
    if (handle.next(event) && passOn()) {
      event.add("id", next);
      write(event);
    }
  }

  /** Whether the event goes on. */
  boolean passOn() {
    return true;
  }

  /**
   * The first task of the chain: the event comes back to it from the last one, and it counts the
   * laps.
   */
  static final class Head extends ChainTask {
    @NotUndone private final Ticks ticks;
    private long lap;

    Head(Ticks ticks, long next) {
      super(0, next);
      this.ticks = ticks;
    }

    @Override
    boolean passOn() {
      lap++;
      return ticks.tick(lap);
    }
  }
}
