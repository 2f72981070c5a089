package dev.takt.stress.atomic;

import dev.takt.testkit.Seeds;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Model checking of the shipped gate: atomic calls and releases, those that are undone included,
 * are linearizable, and nothing keeps a release from going on (obstruction freedom). A call may
 * wait for the end of a release that stands still, so here calls count as blocking; that they do
 * not wait for each other, {@link Calls} shows.
 */
@Param(name = "value", gen = IntGen.class, conf = "1:2")
public class AtomicLincheckTest {
  private final Pair pair = new Pair();

  @Operation(params = "value", blocking = true)
  public int add(int value) {
    return pair.add(value);
  }

  @Operation(blocking = true)
  public int look() {
    return pair.look();
  }

  @Operation(blocking = true)
  public int renew() {
    return pair.renew();
  }

  @Operation(params = "value", nonParallelGroup = "task")
  public int release(int value) {
    return pair.release(value);
  }

  @Operation(params = "value", nonParallelGroup = "task")
  public int abortedRelease(int value) {
    return pair.abortedRelease(value);
  }

  /** Calls alone: none of them may wait. */
  @Param(name = "value", gen = IntGen.class, conf = "1:2")
  public static class Calls {
    private final Pair pair = new Pair();

    @Operation(params = "value")
    public int add(int value) {
      return pair.add(value);
    }

    @Operation
    public int look() {
      return pair.look();
    }

    @Operation
    public int renew() {
      return pair.renew();
    }
  }

  private static ModelCheckingOptions options() {
    return new ModelCheckingOptions()
        .checkObstructionFreedom(true)
        .sequentialSpecification(Model.class)
        .minimizeFailedScenario(false)
        .actorsBefore(1)
        .actorsAfter(1);
  }

  @Test
  void shouldBeLinearizableAndObstructionFreeForTwoThreads() {
    options()
        .threads(2)
        .actorsPerThread(2)
        .iterations(Seeds.size(10, 200))
        .invocationsPerIteration(Seeds.size(400, 10_000))
        .check(AtomicLincheckTest.class);
  }

  @Test
  void shouldBeLinearizableAndObstructionFreeForThreeThreads() {
    options()
        .threads(3)
        .actorsPerThread(Seeds.size(1, 2))
        .iterations(Seeds.size(10, 100))
        .invocationsPerIteration(Seeds.size(400, 10_000))
        .check(AtomicLincheckTest.class);
  }

  @Test
  void shouldLetCallsGoOnWhereverOthersStop() {
    options()
        .threads(2)
        .actorsPerThread(2)
        .iterations(Seeds.size(10, 100))
        .invocationsPerIteration(Seeds.size(400, 10_000))
        .check(Calls.class);
  }

  @Test
  void shouldBeLinearizableOnRealThreads() {
    new StressOptions()
        .sequentialSpecification(Model.class)
        .minimizeFailedScenario(false)
        .threads(3)
        .actorsPerThread(3)
        .iterations(Seeds.size(10, 200))
        .invocationsPerIteration(Seeds.size(1_000, 20_000))
        .check(AtomicLincheckTest.class);
  }

  /** The same operations, one after the other. */
  public static final class Model {
    private int both;

    public int add(int value) {
      both += value;
      return both - value;
    }

    public int look() {
      return both;
    }

    public int renew() {
      return both;
    }

    public int release(int value) {
      return add(value);
    }

    public int abortedRelease(int value) {
      return both;
    }
  }
}
