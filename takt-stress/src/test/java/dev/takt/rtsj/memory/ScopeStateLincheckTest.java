package dev.takt.rtsj.memory;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.testkit.Seeds;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * Model checking of the shipped protocol of entry and exit: the first entry sets the parent, the
 * last exit ends the epoch, each in one step, and no thread ever waits for one that was stopped
 * (obstruction freedom). In the package of the class, which is not public.
 */
@Param(name = "parent", gen = IntGen.class, conf = "0:1")
public class ScopeStateLincheckTest {
  private final ScopeState state = new ScopeState();

  @Operation(params = "parent")
  public String enter(int parent) {
    return state.enter(parent).name();
  }

  /** Leaves, if somebody is inside: who has entered does not matter to the protocol. */
  @Operation
  public String exit() {
    try {
      return String.valueOf(state.exit());
    } catch (IllegalStateException e) {
      return "nobody";
    }
  }

  @Operation
  public boolean close() {
    return state.close();
  }

  @Operation
  public int epoch() {
    return state.epoch();
  }

  @Operation
  public int count() {
    return state.count();
  }

  @Operation
  public int parent() {
    return state.parent();
  }

  @Operation
  public boolean isClosed() {
    return state.isClosed();
  }

  private static ModelCheckingOptions options() {
    return new ModelCheckingOptions()
        .checkObstructionFreedom(true)
        .sequentialSpecification(Model.class)
        .minimizeFailedScenario(false)
        .actorsBefore(1)
        .actorsAfter(2);
  }

  @Test
  void shouldBeLinearizableAndObstructionFreeForTwoThreads() {
    options()
        .threads(2)
        .actorsPerThread(3)
        .iterations(Seeds.size(12, 500))
        .invocationsPerIteration(Seeds.size(300, 10_000))
        .check(ScopeStateLincheckTest.class);
  }

  @Test
  void shouldBeLinearizableAndObstructionFreeForThreeThreads() {
    options()
        .threads(3)
        .actorsPerThread(2)
        .iterations(Seeds.size(8, 300))
        .invocationsPerIteration(Seeds.size(300, 10_000))
        .check(ScopeStateLincheckTest.class);
  }

  /** To see that the check finds it: a protocol whose last exit takes two steps. */
  public static class TwoSteps {
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger epoch = new AtomicInteger();

    @Operation
    public String enter(@Param(gen = IntGen.class, conf = "0:0") int parent) {
      count.incrementAndGet();
      return "ENTERED";
    }

    @Operation
    public String exit() {
      while (true) {
        int seen = count.get();
        if (seen == 0) {
          return "nobody";
        }
        if (count.compareAndSet(seen, seen - 1)) {
          if (seen == 1) {
            epoch.incrementAndGet();
          }
          return String.valueOf(seen == 1);
        }
      }
    }

    @Operation
    public int epoch() {
      return epoch.get();
    }
  }

  @Test
  void shouldRejectEpochThatEndsAfterTheLastExit() {
    assertThatThrownBy(
            () ->
                new ModelCheckingOptions()
                    .sequentialSpecification(Model.class)
                    .minimizeFailedScenario(false)
                    .threads(2)
                    .actorsPerThread(3)
                    .iterations(100)
                    .invocationsPerIteration(500)
                    .check(TwoSteps.class))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Invalid execution results");
  }

  /** The same by the rules, word by word. */
  public static final class Model {
    private int count;
    private int parent;
    private int epoch;
    private boolean closed;

    public String enter(int parent) {
      if (closed) {
        return "CLOSED";
      }
      if (count > 0 && this.parent != parent) {
        return "OTHER_PARENT";
      }
      this.parent = parent;
      count++;
      return "ENTERED";
    }

    public String exit() {
      if (count == 0) {
        return "nobody";
      }
      count--;
      if (count == 0) {
        endEpoch();
      }
      return String.valueOf(count == 0);
    }

    public boolean close() {
      if (closed || count > 0) {
        return false;
      }
      closed = true;
      endEpoch();
      return true;
    }

    private void endEpoch() {
      epoch++;
      parent = 0;
    }

    public int epoch() {
      return epoch;
    }

    public int count() {
      return count;
    }

    public int parent() {
      return parent;
    }

    public boolean isClosed() {
      return closed;
    }
  }
}
