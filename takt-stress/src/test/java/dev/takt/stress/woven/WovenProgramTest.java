package dev.takt.stress.woven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.takt.realtime.ReleaseOutcome;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.TaskControl;
import dev.takt.reflex.limit.ReleaseStopped;
import dev.takt.reflex.limit.StaleTransientUse;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs as users write them, woven, on the real runtime. */
class WovenProgramTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int ROUND = 500;
  private static final int ROUNDS = 20;

  private static final String MAKER =
      """
      package app;
      import dev.takt.reflex.*;
      import dev.takt.space.*;
      import java.util.function.*;
      class Maker extends ReflexTask {
        record Point(int x, double y) {}
        static class Cell { final Point point; final Cell next; Cell(Point p, Cell n) { point = p; next = n; } }
        static final class Total implements Stable {
          double sum; long count; private final long[] histogram = new long[16];
          void add(double v) { sum += v; count++; histogram[(int) count & 15]++; }
        }
        private Handle ticks;
        private final Total total = new Total();
        private int bound = 1;
        Maker() { super(1 << 20, 1 << 20); }
        @Override public void initialize() { ticks = subscribe(new Event("tick", null)); }
        @Override public void execute() {
          // not for-each: the test takes back what aborts, and may be quicker than its next()
          Event tick = event();
          while (ticks.next(tick)) {
            long n = (Long) tick.get("tick");
            Cell cells = null;
            for (int i = 0; i < 10; i++) cells = new Cell(new Point(i, n), cells);
            double[] values = new double[10];
            int shift = bound;
            DoubleUnaryOperator scale = v -> v * shift;
            int at = 0;
            for (Cell c = cells; c != null; c = c.next) values[at++] = scale.applyAsDouble(c.point.y() + c.point.x());
            for (double v : values) total.add(v);
            write(new Event("done", n).add("sum", total.sum));
            bound = 1 - bound;
            if (n % 5 == 4) abort();
          }
        }
      }
      """;

  @Test
  void shouldAllocateNothingAndUndoWhatAborts(@TempDir Path folder) throws Exception {
    ReflexTask task = WovenProgram.of(folder, MAKER).task("app.Maker");
    Meter meter = new Meter();
    EventSpace space = EventSpace.create();
    try (ReflexRuntime runtime =
        ReflexRuntime.create(
            space,
            RuntimeSettings.DEFAULTS
                .withWorkers(1)
                .withListeners(release -> meter.tick(release.outcome())))) {
      TaskControl control = runtime.passive("maker", task, 10);
      runtime.start();
      double sum = 0;
      int bound = 1;
      Event done = new Event("done", null);
      Event into = new Event();
      for (long n = 0; n < (long) ROUND * ROUNDS; n++) {
        long aborts = control.stats().aborts();
        Event tick = new Event("tick", n);
        space.write(tick);
        if (n % 5 == 4) {
          await(() -> control.stats().aborts() > aborts);
          await(() -> space.take(tick, into));
        } else {
          await(() -> space.take(done, into));
          sum += bound * (10.0 * n + 45);
          bound = 1 - bound;
          assertThat(into.getDouble("sum")).isEqualTo(sum);
        }
      }
      assertThat(control.failure()).isNull();
      assertThat(meter.commits.get()).isPositive();
      assertThat(meter.leastBytes).isEqualTo(0);
    }
  }

  private static final String SWAPPER =
      """
      package app;
      import dev.takt.reflex.*;
      import dev.takt.space.*;
      class Swapper extends ReflexTask {
        private long[] cells = new long[4];
        private boolean filled;
        @Override public void initialize() { subscribe(new Event("step", null)); }
        @Override public void execute() {
          Event step = takeNow(new Event("step", null));
          if (step == null) return;
          if (!filled) { cells[0] = 7; filled = true; return; }
          writeNow(event().add("was", cells[0]));
          cells[0] = 1;
          cells = new long[4];
          cells[0] = 2;
          abort();
        }
      }
      """;

  /** The log still needs the copy of the first array when the second one is copied. */
  @Test
  void shouldRestoreArrayThatWasExchangedForAnotherOfItsLength(@TempDir Path folder)
      throws Exception {
    ReflexTask task = WovenProgram.of(folder, SWAPPER).task("app.Swapper");
    EventSpace space = EventSpace.create();
    try (ReflexRuntime runtime = ReflexRuntime.create(space)) {
      TaskControl control = runtime.passive("swapper", task, 10);
      runtime.start();
      Event into = new Event();
      space.write(new Event("step", 0));
      await(() -> control.stats().commits() >= 1);
      for (int i = 1; i <= 3; i++) {
        space.write(new Event("step", i));
        await(() -> space.poll(new Event("was", null), into));
        assertThat(into.getLong("was")).as("before step %d", i).isEqualTo(7);
      }
    }
  }

  private static void await(BooleanSupplier condition) {
    long deadlineNs = System.nanoTime() + LONG.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("the time until something happens").isLessThan(deadlineNs);
      Thread.onSpinWait();
    }
  }

  /**
   * What a round of releases allocates on the thread of the task: the least of the later rounds.
   */
  private static final class Meter {
    final AtomicLong commits = new AtomicLong();
    volatile long leastBytes = Long.MAX_VALUE;
    private long ticks;
    private long fromBytes;

    void tick(ReleaseOutcome outcome) {
      if (outcome == ReleaseOutcome.COMPLETED) {
        commits.incrementAndGet();
      }
      if (++ticks % ROUND == 0) {
        long bytes = THREADS.getCurrentThreadAllocatedBytes();
        if (ticks > (long) ROUND * ROUNDS / 2) {
          leastBytes = Math.min(leastBytes, bytes - fromBytes);
        }
        fromBytes = bytes;
      }
    }
  }

  private static final String RECURSIVE =
      """
      package app;
      import dev.takt.reflex.*;
      import dev.takt.space.*;
      import java.util.function.*;
      class Deep extends ReflexTask {
        interface Shape { long area(int n); }
        record Leaf() implements Shape { public long area(int n) { return n; } }
        record Pair(Shape one, Shape other) implements Shape {
          public long area(int n) { return one.area(n) + other.area(n); }
        }
        private final String how;
        private Handle starts;
        private long result;
        Deep(String how) { this.how = how; }
        @Override public void initialize() { starts = subscribe(new Event("start", null)); }
        @Override public void execute() {
          int n = (int) starts.next().getLong("start");
          writeNow(new Event("started", true));
          result = switch (how) {
            case "itself" -> fib(n);
            case "each other" -> even(n);
            case "lambda" -> twice(m -> half(m), n);
            default -> {
              Shape shape = new Leaf();
              for (int i = 0; i < n; i++) { shape = new Pair(shape, shape); }
              yield shape.area(n);
            }
          };
        }
        private static long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
        private static long even(int n) { return n < 2 ? n : odd(n - 1) + odd(n - 2); }
        private static long odd(int n) { return n < 2 ? n : even(n - 1) + even(n - 2); }
        private static long twice(IntToLongFunction f, int n) { return f.applyAsLong(n) + f.applyAsLong(n); }
        private static long half(int n) { return n < 2 ? n : twice(m -> half(m), n - 1); }
      }
      """;

  @ParameterizedTest
  @ValueSource(strings = {"itself", "each other", "lambda", "interface"})
  void shouldEndRecursionAndUndoIt(String how, @TempDir Path folder) throws Exception {
    Constructor<? extends ReflexTask> constructor =
        WovenProgram.of(folder, RECURSIVE)
            .loadClass("app.Deep")
            .asSubclass(ReflexTask.class)
            .getDeclaredConstructor(String.class);
    constructor.setAccessible(true);
    EventSpace space = EventSpace.create();
    try (ReflexRuntime runtime =
        ReflexRuntime.create(space, RuntimeSettings.DEFAULTS.withWorkers(1).withWarmUpNs(0))) {
      TaskControl control = runtime.passive("deep", constructor.newInstance(how), 10);
      runtime.start();
      space.write(new Event("start", 120L));
      await(() -> space.test(new Event("started", null)));

      assertThat(runtime.stop(Duration.ofMillis(50))).isTrue();
      assertThat(control.failure()).isInstanceOf(ReleaseStopped.class);
      assertThat(space.test(new Event("start", null))).isTrue();
    }
  }

  @Test
  void shouldRefuseTaskWhoseHelperWasCompiledAfterWeaving(@TempDir Path folder) throws Exception {
    String source =
        """
        package app;
        import dev.takt.reflex.*;
        class Counting extends ReflexTask {
          private long sum;
          @Override public void execute() { sum = Helper.next(sum); }
        }
        class Helper {
          static long next(long sum) {
            for (int i = 0; i < 3; i++) { sum += i; }
            return sum;
          }
        }
        """;
    WovenProgram program = WovenProgram.of(folder, source);
    ReflexTask stale = program.withCompiledAgain(folder, "app.Helper").task("app.Counting");
    try (ReflexRuntime runtime = ReflexRuntime.create(EventSpace.create())) {
      runtime.passive("good", program.task("app.Counting"), 10);
      assertThatThrownBy(() -> runtime.passive("stale", stale, 10))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("task stale", "app.Helper", "compiled again", "./takt weave");
    }
  }

  @Test
  void shouldTrapUseOfTransientObjectAfterItsRelease(@TempDir Path folder) throws Exception {
    String source =
        """
        package app;
        import dev.takt.reflex.*;
        import dev.takt.space.*;
        class Keeper extends ReflexTask {
          record Note(long n) {}
          static Note kept;
          static long seen;
          private Handle ticks;
          @Override public void initialize() { ticks = subscribe(new Event("tick", null)); }
          @Override public void execute() {
            Event tick = ticks.next();
            if (kept == null) {
              kept = new Note(tick.getLong("tick"));
            }
            seen = kept.n();
          }
        }
        """;
    ReflexTask task = WovenProgram.unchecked(folder, source).task("app.Keeper");
    EventSpace space = EventSpace.create();
    try (ReflexRuntime runtime =
        ReflexRuntime.create(
            space, RuntimeSettings.DEFAULTS.withWorkers(1).withWarmUpNs(0).withMaxFailures(5))) {
      TaskControl control = runtime.passive("keeper", task, 10);
      runtime.start();
      space.write(new Event("tick", 1L));
      assertThat(runtime.drain(LONG)).isTrue();
      assertThat(control.failure()).isNull();
      space.write(new Event("tick", 2L));
      runtime.drain(Duration.ofMillis(200));

      assertThat(control.failure())
          .isInstanceOf(StaleTransientUse.class)
          .hasMessageContaining("app.Keeper$Note")
          .hasMessageContaining("app.Keeper.execute(Program.java:13)");
    }
  }
}
