package dev.takt.bench.outrigger;

import dev.takt.bench.micro.Allocation;
import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.server.ServerTransaction;
import net.jini.space.JavaSpace;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * What {@link dev.takt.bench.micro.PairBenchmark} does, with Outrigger: the same fields, the same
 * template, an otherwise empty space, a private JVM. Outrigger's transactions are created anew each
 * time, as its API wants it.
 */
@State(Scope.Thread)
public class OutriggerBenchmark {
  private OutriggerSpace outrigger;
  private JavaSpace space;
  private final OrderEntry entry = OrderEntry.order(0);
  private final OrderEntry template = OrderEntry.withId(0);
  private long id;

  /** Starts the space and leaves one entry in it for {@link #transaction()}. */
  @Setup
  public void start() throws Exception {
    outrigger = OutriggerSpace.start();
    space = outrigger.space();
    space.write(entry, null, Lease.FOREVER);
  }

  /** Counts the allocation, and stops the space's threads. */
  @TearDown
  public void stop(BenchmarkParams run) throws Exception {
    Allocation.record(run.getBenchmark().endsWith(".pair") ? this::pair : this::transaction, 300);
    stop();
  }

  void stop() throws Exception {
    outrigger.close();
  }

  /** One write and one take. */
  @Benchmark
  public Entry pair() throws Exception {
    long mine = ++id;
    entry.id = mine;
    space.write(entry, null, Lease.FOREVER);
    template.id = mine;
    return found(space.takeIfExists(template, null, 0));
  }

  /** One transaction that takes the entry and writes its successor. */
  @Benchmark
  public Entry transaction() throws Exception {
    template.id = id;
    entry.id = ++id;
    ServerTransaction transaction = outrigger.begin();
    Entry taken = found(space.takeIfExists(template, transaction, 0));
    space.write(entry, transaction, Lease.FOREVER);
    transaction.commit();
    return taken;
  }

  private static Entry found(Entry entry) {
    if (entry == null) {
      throw new IllegalStateException("the entry is gone");
    }
    return entry;
  }
}
