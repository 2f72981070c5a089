package dev.takt.bench.micro;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Handle;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Subscriber;
import dev.takt.space.Transaction;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * The delivery of an event to the one of many subscriptions that asks for its id: write, commit,
 * the subscriber is called on the same thread, and takes the event through its handle.
 */
@State(Scope.Thread)
public class SubscriptionsBenchmark {
  private static final int RECEIVERS = 10;

  /** The subscriptions, each for another id. */
  @Param({"10", "100", "1000", "10000", "100000"})
  public int subscriptions;

  /** Room for few events, because there is never more than one. */
  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(1_000));

  private final Event event = Orders.order(0);
  private final Event taken = Orders.order(0);
  private final Inbox inbox = new Inbox();
  private Transaction transaction;
  private long pick;

  /** Subscribes. */
  @Setup
  public void subscribe() {
    transaction = space.newTransaction();
    for (int i = 0; i < subscriptions; i++) {
      space.subscribe(Orders.withId(Orders.id(i)), inbox);
    }
  }

  /** Counts the allocation, and gives the transaction back. */
  @TearDown
  public void close(BenchmarkParams run) throws Exception {
    Allocation.record(run.getBenchmark().endsWith(".any") ? this::any : this::delivery, 300);
    transaction.close();
  }

  /** One batch: the events go to ten of the subscriptions, the others are only there. */
  @Benchmark
  public Event delivery() {
    long step = subscriptions / RECEIVERS;
    for (int i = 0; i < JmhBatch.SIZE; i++) {
      deliver(pick++ % RECEIVERS * step);
    }
    return taken;
  }

  /**
   * One batch: each event goes to any of the subscriptions, picked pseudo-randomly. With a hundred
   * thousand of them every delivery misses the caches, for the subscription and for its place in
   * the table, which is the memory's time and not the algorithm's; it is reported beside, for
   * honesty.
   */
  @Benchmark
  public Event any() {
    for (int i = 0; i < JmhBatch.SIZE; i++) {
      deliver(Math.floorMod(Orders.id(pick++), (long) subscriptions));
    }
    return taken;
  }

  private void deliver(long subscription) {
    event.add("id", Orders.id(subscription));
    SpaceOps.write(transaction, event);
    Handle handle = inbox.last;
    inbox.last = null;
    if (handle == null || !handle.nextNow(taken)) {
      throw new IllegalStateException("not delivered: " + event);
    }
  }

  /** Remembers which handle had a match last. */
  private static final class Inbox implements Subscriber {
    private Handle last;

    @Override
    public void onMatch(Handle handle) {
      last = handle;
    }
  }
}
