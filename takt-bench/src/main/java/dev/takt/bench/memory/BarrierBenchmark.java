package dev.takt.bench.memory;

import dev.takt.bench.measure.WovenPrograms;
import dev.takt.bench.micro.Allocation;
import dev.takt.bench.programs.PlainGraph;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * What persistence costs plain threads while no cycle goes on: the application of Persistence 5.2
 * in updates with the barrier, and the same class file as it is. {@link PlainGraph#UPDATES} updates
 * an invocation.
 */
@State(Scope.Thread)
public class BarrierBenchmark {
  private Runnable graph;

  /** Makes the program. */
  @Setup
  public void open(BenchmarkParams run) throws ReflectiveOperationException, IOException {
    boolean isWoven = run.getBenchmark().endsWith(".update");
    Class<?> type = isWoven ? WovenPrograms.woven(PlainGraph.class) : PlainGraph.class;
    graph = (Runnable) type.getConstructor().newInstance();
  }

  /** Counts the allocation. */
  @TearDown
  public void close() throws Exception {
    Allocation.record(this::update, 100);
  }

  /** Woven. */
  @Benchmark
  public Object update() {
    graph.run();
    return graph;
  }

  /** As it is. */
  @Benchmark
  public Object plain() {
    graph.run();
    return graph;
  }
}
