package dev.takt.stress;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.rtsj.monitor.Monitor;
import dev.takt.rtsj.monitor.MonitorSettings;
import dev.takt.testkit.Seeds;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * Model checking of the shipped monitor, on the queue that stands in for the kernel, which no tool
 * can stop at every step: what threads do inside is linearizable, nobody is forgotten in the queue,
 * and nobody is said to wait in a circle or for a dead thread. Time stands still.
 */
@Param(name = "value", gen = IntGen.class, conf = "1:3")
public class MonitorLincheckTest {
  private final Monitor monitor =
      Monitor.inheritance(MonitorSettings.named("checked").withClock(() -> 0));

  private int sum;

  @Operation(params = "value")
  public int add(int value) {
    try (var _ = monitor.hold()) {
      int before = sum;
      sum = before + value;
      return sum;
    }
  }

  /** With a time that never comes, and inside twice. */
  @Operation(params = "value")
  public int addInTime(int value) {
    if (!monitor.tryEnter(Long.MAX_VALUE)) {
      return -1;
    }
    monitor.enter();
    sum += value;
    int after = sum;
    monitor.exit();
    monitor.exit();
    return after;
  }

  /** The same without a monitor. */
  @Param(name = "value", gen = IntGen.class, conf = "1:3")
  public static class Unguarded {
    private int sum;

    @Operation(params = "value")
    public int add(int value) {
      int before = sum;
      sum = before + value;
      return sum;
    }
  }

  /** Who comes while another one is inside is refused, and nobody else. */
  public static class Tries {
    private final Monitor monitor =
        Monitor.inheritance(MonitorSettings.named("tried").withClock(() -> 0));

    /** Never left again: so the first one gets in, whoever it is. */
    @Operation(runOnce = true)
    public boolean first() {
      return monitor.tryEnter();
    }

    @Operation(runOnce = true)
    public boolean second() {
      return monitor.tryEnter();
    }
  }

  /** A thread gets in once it is free; the same thread may again. */
  public static final class TriesModel {
    private boolean taken;

    public boolean first() {
      return take();
    }

    public boolean second() {
      return take();
    }

    private boolean take() {
      boolean free = !taken;
      taken = true;
      return free;
    }
  }

  private static ModelCheckingOptions options() {
    return new ModelCheckingOptions()
        .minimizeFailedScenario(false)
        .actorsBefore(1)
        .actorsAfter(1)
        .iterations(Seeds.size(4, 100))
        .invocationsPerIteration(Seeds.size(200, 10_000));
  }

  @Test
  void shouldBeLinearizableForTwoThreads() {
    options().threads(2).actorsPerThread(2).check(MonitorLincheckTest.class);
  }

  @Test
  void shouldBeLinearizableForThreeThreads() {
    options().threads(3).actorsPerThread(Seeds.size(1, 2)).check(MonitorLincheckTest.class);
  }

  @Test
  void shouldLetInOneOfThoseThatTry() {
    options()
        .threads(2)
        .actorsPerThread(1)
        .actorsBefore(0)
        .actorsAfter(0)
        .sequentialSpecification(TriesModel.class)
        .check(Tries.class);
  }

  @Test
  void shouldRejectCounterWithoutMonitor() {
    assertThatThrownBy(() -> options().threads(2).actorsPerThread(2).check(Unguarded.class))
        .isInstanceOf(AssertionError.class);
  }
}
