package dev.takt.rtsj.memory;

import dev.takt.testkit.Seeds;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * Model checking of the shipped counter of what is lent in an epoch: nothing is lent twice, and
 * nothing beyond the limit. Lives do not change while somebody counts, so there is one; that the
 * next one begins at 0 is in the tests of one thread.
 */
public class ScopeEpochCounterLincheckTest {
  private static final int EPOCH = 7;
  private static final int LIMIT = 3;

  private final ScopeEpochCounter lent = new ScopeEpochCounter();

  /** Left over from an earlier epoch. */
  public ScopeEpochCounterLincheckTest() {
    lent.next(EPOCH - 1, LIMIT);
  }

  @Operation
  public int next() {
    return lent.next(EPOCH, LIMIT);
  }

  @Operation
  public int count() {
    return lent.count(EPOCH);
  }

  @Test
  void shouldBeLinearizableAndObstructionFree() {
    new ModelCheckingOptions()
        .checkObstructionFreedom(true)
        .sequentialSpecification(Model.class)
        .minimizeFailedScenario(false)
        .threads(3)
        .actorsPerThread(2)
        .iterations(Seeds.size(8, 300))
        .invocationsPerIteration(Seeds.size(300, 10_000))
        .check(ScopeEpochCounterLincheckTest.class);
  }

  /** The same by the rule. */
  public static final class Model {
    private int count;

    public int next() {
      return count < LIMIT ? count++ : LIMIT;
    }

    public int count() {
      return count;
    }
  }
}
