package dev.takt.bench.micro;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Transaction;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * A write and a take of a 64-byte event in an otherwise empty space, as two transactions and as
 * one.
 */
@State(Scope.Thread)
public class PairBenchmark {
  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS);
  private final Event event = Orders.order(0);
  private final Event template = Orders.withId(0);
  private final Event templateOfTwo = Orders.withTypeAndId(0);
  private final Event taken = Orders.order(0);
  private Transaction transaction;
  private long id;

  /** Leaves one event in the space for {@link #transaction()} to take. */
  @Setup
  public void open() {
    transaction = space.newTransaction();
    SpaceOps.write(transaction, event);
  }

  /** Counts the allocation, and gives the transaction back. */
  @TearDown
  public void close(BenchmarkParams run) throws Exception {
    String name = run.getBenchmark();
    Allocation.record(
        name.endsWith(".pair")
            ? this::pair
            : name.endsWith(".pairByTwo") ? this::pairByTwo : this::transaction,
        1_000);
    transaction.close();
  }

  /** One batch: a transaction that writes, and one that takes what it wrote. */
  @Benchmark
  public Event pair() {
    return pairs(template);
  }

  /** The same with a template of two values, {@code type} and {@code id}. */
  @Benchmark
  public Event pairByTwo() {
    return pairs(templateOfTwo);
  }

  private Event pairs(Event template) {
    for (int i = 0; i < JmhBatch.SIZE; i++) {
      long mine = ++id;
      event.add("id", mine);
      SpaceOps.write(transaction, event);
      template.add("id", mine);
      SpaceOps.take(transaction, template, taken);
    }
    return taken;
  }

  /** One batch: a transaction that takes the event and writes its successor. */
  @Benchmark
  public Event transaction() {
    for (int i = 0; i < JmhBatch.SIZE; i++) {
      template.add("id", id);
      event.add("id", ++id);
      transaction.begin();
      boolean found = transaction.take(template, taken);
      transaction.write(event);
      if (!found || !transaction.commit()) {
        throw new IllegalStateException("alone in the space, and event " + (id - 1) + " is gone");
      }
    }
    return taken;
  }
}
