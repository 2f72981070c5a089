package dev.takt.bench.tasks;

import dev.takt.bench.Meter;
import dev.takt.bench.micro.Orders;
import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;

/**
 * Table 1, Solo and Duo: takes the event with its own id, and writes one with another id, in each
 * release; Solo's two ids are the same. It begins by writing one, so that with two tasks both
 * directions are busy.
 */
final class ExchangeTask extends ReflexTask {
  private final transient Meter meter;
  private final transient Event event;
  private final transient Event taken = Orders.order(0);
  private final long from;
  private long iteration;
  private Handle handle;

  ExchangeTask(Meter meter, long from, long to) {
    this.meter = meter;
    this.from = from;
    this.event = Orders.order(to);
  }

  @Override
  public void initialize() {
    handle = subscribe(Orders.withId(from));
    write(event);
  }

  @Override
  public void execute() {
    if (handle.next(taken)) {
      iteration++;
      meter.tick(iteration);
      write(event);
    }
  }
}
