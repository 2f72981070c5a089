package dev.takt.bench.tasks;

import dev.takt.bench.measure.Ticks;
import dev.takt.bench.micro.Orders;
import dev.takt.reflex.NotUndone;
import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;

/**
 * Table 1, Solo and Duo: takes the event with its own id, and writes it with another id, in each
 * release; Solo's two ids are the same. It begins by writing one, so that with two tasks both
 * directions are busy.
 */
final class ExchangeTask extends ReflexTask {
  @NotUndone private final Ticks ticks;
  private final long from;
  private final long to;
  private long iteration;
  private Handle handle;

  ExchangeTask(Ticks ticks, long from, long to) {
    this.ticks = ticks;
    this.from = from;
    this.to = to;
  }

  @Override
  public void initialize() {
    handle = subscribe(Orders.withId(from));
    write(Orders.order(to));
  }

  @Override
  public void execute() {
    Event taken = event();
    if (handle.next(taken)) {
      iteration++;
      ticks.tick(iteration);
      write(taken.add("id", to));
    }
  }
}
