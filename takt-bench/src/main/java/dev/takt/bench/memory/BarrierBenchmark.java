package dev.takt.bench.memory;

import dev.takt.bench.measure.WovenPrograms;
import dev.takt.bench.micro.Allocation;
import dev.takt.bench.programs.EmptyUpdates;
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
 * an invocation. Beside them {@link EmptyUpdates}, with the gate alone.
 */
@State(Scope.Thread)
public class BarrierBenchmark {
  private Runnable program;

  /** Makes the program. */
  @Setup
  public void open(BenchmarkParams run) throws ReflectiveOperationException, IOException {
    String method = run.getBenchmark().substring(run.getBenchmark().lastIndexOf('.') + 1);
    Class<?> type =
        switch (method) {
          case "plain" -> PlainGraph.class;
          case "update" -> WovenPrograms.woven(PlainGraph.class);
          case "gate" -> WovenPrograms.woven(EmptyUpdates.class);
          default -> throw new IllegalArgumentException("unknown benchmark " + method);
        };
    program = (Runnable) type.getConstructor().newInstance();
  }

  /** Counts the allocation. */
  @TearDown
  public void close() throws Exception {
    Allocation.record(this::update, 100);
  }

  /** Woven. */
  @Benchmark
  public Object update() {
    program.run();
    return program;
  }

  /** As it is. */
  @Benchmark
  public Object plain() {
    program.run();
    return program;
  }

  /** Woven, and nothing but the gate. */
  @Benchmark
  public Object gate() {
    program.run();
    return program;
  }
}
