package dev.takt.bench.memory;

import dev.takt.bench.measure.WovenPrograms;
import dev.takt.bench.micro.Allocation;
import dev.takt.bench.micro.JmhBatch;
import dev.takt.bench.programs.EmptyTask;
import dev.takt.bench.programs.NewArrayTask;
import dev.takt.bench.programs.NewLambdaTask;
import dev.takt.bench.programs.NewTask;
import dev.takt.bench.programs.StoreArrayTask;
import dev.takt.bench.programs.StoreTask;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.woven.TaskMemory;
import dev.takt.space.EventPool;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * A program as a release, woven, and as a call, plain. The runtime and the event space are left
 * out: begin, body and commit of the task's memory only.
 */
@State(Scope.Thread)
public class ReleaseBenchmark {
  private static final int SIZE_BYTES = 1 << 20;

  /** Which program. */
  @Param({"empty", "store", "store-array", "new", "new-array", "new-lambda"})
  public String program;

  private final TaskMemory memory = new TaskMemory("benchmark", SIZE_BYTES, SIZE_BYTES);
  private boolean isWoven;
  private ReflexTask task;

  /** Makes the task. */
  @Setup
  public void open(BenchmarkParams run) throws ReflectiveOperationException, IOException {
    isWoven = run.getBenchmark().endsWith(".woven");
    Class<? extends ReflexTask> type =
        switch (program) {
          case "empty" -> EmptyTask.class;
          case "store" -> StoreTask.class;
          case "store-array" -> StoreArrayTask.class;
          case "new" -> NewTask.class;
          case "new-array" -> NewArrayTask.class;
          case "new-lambda" -> NewLambdaTask.class;
          default -> throw new IllegalArgumentException("no program " + program);
        };
    if (isWoven) {
      task = WovenPrograms.task(type);
      memory.enter(WovenPrograms.area(task, SIZE_BYTES), new EventPool(1));
    } else {
      task = type.getConstructor().newInstance();
    }
  }

  /** Counts the allocation. */
  @TearDown
  public void close() throws Exception {
    Allocation.record(isWoven ? this::woven : this::plain, 1_000);
    if (isWoven) {
      memory.exit();
    }
  }

  /** One batch of releases. */
  @Benchmark
  public Object woven() {
    ReflexTask task = this.task;
    for (int i = 0; i < JmhBatch.SIZE; i++) {
      memory.begin();
      task.execute();
      memory.commit();
    }
    return task;
  }

  /** One batch of calls. */
  @Benchmark
  public Object plain() {
    ReflexTask task = this.task;
    for (int i = 0; i < JmhBatch.SIZE; i++) {
      task.execute();
    }
    return task;
  }
}
