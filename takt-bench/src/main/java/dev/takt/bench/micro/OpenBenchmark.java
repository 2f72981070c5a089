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

/**
 * A write and a take by the operations of the space itself, each of which needs a descriptor, while
 * transactions of others are open. The settings are the same for each number of them.
 */
@State(Scope.Thread)
public class OpenBenchmark {
  private static final int MOST = 16_000;

  /** How many transactions are open, and whether each has looked for an event that is not there. */
  @Param({"0", "16000", "16000-guarded"})
  public String open = "0";

  private final EventSpace space =
      EventSpace.create(SpaceSettings.DEFAULTS.withMaxTransactions(MOST));
  private final Event event = Orders.order(0);
  private final Event template = Orders.withId(0);
  private final Event taken = Orders.order(0);
  private Transaction[] transactions = new Transaction[0];
  private long id;

  /** Opens the transactions. */
  @Setup
  public void open() {
    space.prepare(template);
    boolean guarded = open.endsWith("-guarded");
    transactions = new Transaction[Integer.parseInt(open.replace("-guarded", ""))];
    for (int i = 0; i < transactions.length; i++) {
      transactions[i] = space.newTransaction();
      transactions[i].begin();
      if (guarded) {
        boolean found = transactions[i].read(template.add("id", -1L - i), taken);
        assert !found;
      }
    }
  }

  /** Counts the allocation, and gives the transactions back. */
  @TearDown
  public void close() throws Exception {
    Allocation.record(this::pair, 1_000);
    for (Transaction each : transactions) {
      each.close();
    }
  }

  /** One batch: writes an event with a new id, and takes it. */
  @Benchmark
  public Event pair() {
    for (int i = 0; i < JmhBatch.SIZE; i++) {
      long mine = ++id;
      event.add("id", mine);
      space.write(event);
      template.add("id", mine);
      if (!space.take(template, taken)) {
        throw new IllegalStateException("alone in the space, and event " + mine + " is gone");
      }
    }
    return taken;
  }
}
