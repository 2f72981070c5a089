package dev.takt.bench.handover;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Measurement;
import dev.takt.bench.micro.Orders;
import dev.takt.bench.micro.SpaceOps;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Handle;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Transaction;

/**
 * One thread writes events, each in a transaction, and another takes them through a handle; both
 * spin. At most {@link #WINDOW} are on their way, as many as {@link DisruptorHandover} has room
 * for.
 *
 * <p>Unlike the ring buffer, the space matches each event against the subscriptions, would let any
 * number of threads write and take, and takes each event in a transaction.
 *
 * @param events how many count
 * @param limitMs after how many milliseconds fewer will do
 */
public record SpaceHandover(int events, long limitMs) implements ChildRun.Body<Measurement> {
  /** The events that can be on their way. */
  static final int WINDOW = 1_024;

  /** Stands for an id: the receiver needs no more events. */
  private static final long END = -1;

  @Override
  public Measurement run() throws InterruptedException {
    Arrivals arrivals = new Arrivals(events, limitMs);
    EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(4 * WINDOW));
    Handle handle = space.subscribe(new Event("type", "order"));
    PaddedLong received = new PaddedLong();
    HandoverThreads threads = new HandoverThreads();
    threads.start("receiver", () -> receive(handle, arrivals, received));
    threads.start("sender", () -> send(space, received));
    threads.join();
    return arrivals.figure();
  }

  private static void send(EventSpace space, PaddedLong received) {
    Event event = Orders.order(0);
    try (Transaction transaction = space.newTransaction()) {
      for (long id = 1; ; id++) {
        long last = received.getAcquire();
        while (last != END && id - last > WINDOW) {
          Thread.onSpinWait();
          last = received.getAcquire();
        }
        if (last == END) {
          return;
        }
        event.add("id", id);
        SpaceOps.write(transaction, event);
      }
    }
  }

  private static void receive(Handle handle, Arrivals arrivals, PaddedLong received) {
    Event event = Orders.order(0);
    long id;
    do {
      while (!handle.nextNow(event)) {
        Thread.onSpinWait();
      }
      id = event.getLong("id");
      received.setRelease(id);
    } while (arrivals.next(id));
    received.setRelease(END);
  }
}
