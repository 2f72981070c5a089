package dev.takt.bench.micro;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Transaction;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * A write and a take, as two transactions, while other events are in the space. The settings are
 * the same for each number of events, so that nothing else differs; all ids are pseudo-random, so
 * that every iteration meets other buckets.
 */
@State(Scope.Thread)
public class EventsBenchmark {
  private static final int CAPACITY = 1_100_000;

  /** The events in the space beside the one that is written and taken. */
  @Param({"10", "100", "1000", "10000", "100000", "1000000"})
  public int events;

  private final EventSpace space =
      EventSpace.create(
          SpaceSettings.DEFAULTS.withCapacity(CAPACITY).withMaxEventBytes(64).withMaxReferences(1));
  private final Event event = Orders.order(0);
  private final Event template = Orders.withId(0);
  private final Event taken = Orders.order(0);
  private Transaction transaction;
  private long fresh;
  private long pick;

  /** Fills the space. */
  @Setup
  public void fill() {
    transaction = space.newTransaction();
    // As an application does when it starts; events from before their index are found more slowly.
    space.prepare(template);
    for (int i = 0; i < events; i++) {
      event.add("id", Orders.id(i));
      SpaceOps.write(transaction, event);
    }
    fresh = events;
  }

  /** Counts the allocation, and gives the transaction back. */
  @TearDown
  public void close(BenchmarkParams run) throws Exception {
    Allocation.record(run.getBenchmark().endsWith(".pair") ? this::pair : this::resident, 300);
    transaction.close();
  }

  /** One batch: writes an event with a new id, and takes it. */
  @Benchmark
  public Event pair() {
    for (int i = 0; i < JmhBatch.SIZE; i++) {
      long id = Orders.id(fresh++);
      event.add("id", id);
      SpaceOps.write(transaction, event);
      template.add("id", id);
      SpaceOps.take(transaction, template, taken);
    }
    return taken;
  }

  /**
   * One batch: takes any of the events in the space and writes it back. With a million events of 64
   * bytes this misses every cache, which is the memory's time and not the algorithm's; it is
   * reported beside, for honesty.
   */
  @Benchmark
  public Event resident() {
    for (int i = 0; i < JmhBatch.SIZE; i++) {
      long id = Orders.id(Math.floorMod(Orders.id(pick++), (long) events));
      template.add("id", id);
      SpaceOps.take(transaction, template, taken);
      event.add("id", id);
      SpaceOps.write(transaction, event);
    }
    return taken;
  }
}
