package dev.takt.stress;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.testkit.ReferenceSpace;
import dev.takt.testkit.Seeds;
import java.util.Map;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * Model checking of the shipped space: every operation and small transaction is linearizable, and
 * goes on when the others stop anywhere (obstruction freedom).
 *
 * <p>Equal events make each result a function of the order alone, whichever of them a take returns.
 */
@Param(name = "key", gen = IntGen.class, conf = "0:1")
public class SpaceLincheckTest {
  private static final SpaceSettings SETTINGS =
      SpaceSettings.DEFAULTS
          .withCapacity(256)
          .withMaxEventBytes(8)
          .withMaxReferences(0)
          .withMaxIndexes(2)
          .withMaxSubscriptions(1)
          .withMaxTransactions(4)
          .withMaxOperations(16)
          .withPatience(2);

  private static final Event[] EVENTS = {new Event("key", 0), new Event("key", 1)};

  private final EventSpace space = EventSpace.create(SETTINGS);

  /**
   * Prepares the index, so that the operations are short; {@link HistoryTest} covers new indexes.
   */
  public SpaceLincheckTest() {
    space.prepare(event(0));
  }

  private static Event event(int key) {
    return EVENTS[key].copy();
  }

  @Operation(params = "key")
  public void write(int key) {
    space.write(event(key));
  }

  @Operation(params = "key")
  public boolean take(int key) {
    return space.take(event(key), new Event());
  }

  @Operation(params = "key")
  public boolean test(int key) {
    return space.test(event(key));
  }

  /** All matches, and the other ones, of one moment. */
  @Operation(params = "key")
  public int all(int key) {
    return space.transact(
        0,
        transaction ->
            10 * transaction.forEach(event(key), event -> {})
                + transaction.forEach(event(1 - key), event -> {}));
  }

  /** Take and write in one transaction. */
  @Operation(params = "key")
  public boolean move(int key) {
    return space.transact(
        0,
        transaction -> {
          boolean found = transaction.take(event(key), new Event());
          if (found) {
            transaction.write(event(1 - key));
          }
          return found;
        });
  }

  /** Write if the other one is absent: what write skew would break. */
  @Operation(params = "key")
  public boolean enter(int key) {
    return space.transact(
        0,
        transaction -> {
          boolean isAlone = !transaction.test(event(1 - key));
          if (isAlone) {
            transaction.write(event(key));
          }
          return isAlone;
        });
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
        .iterations(Seeds.size(12, 200))
        .invocationsPerIteration(Seeds.size(200, 10_000))
        .check(SpaceLincheckTest.class);
  }

  @Test
  void shouldBeLinearizableAndObstructionFreeForThreeThreads() {
    options()
        .threads(3)
        .actorsPerThread(Seeds.size(1, 2))
        .iterations(Seeds.size(8, 100))
        .invocationsPerIteration(Seeds.size(200, 10_000))
        .check(SpaceLincheckTest.class);
  }

  /**
   * To see that the check of obstruction freedom is on: the reference, which has a lock, does not
   * pass.
   */
  public static class Locked {
    private final ReferenceSpace space = new ReferenceSpace(256);

    @Operation
    public void write() {
      space.write(Map.of("key", 0));
    }

    @Operation
    public boolean take() {
      return space.take(Map.of("key", 0)) != null;
    }
  }

  @Test
  void shouldRejectSpaceWithLock() {
    assertThatThrownBy(
            () ->
                new ModelCheckingOptions()
                    .checkObstructionFreedom(true)
                    .minimizeFailedScenario(false)
                    .iterations(5)
                    .invocationsPerIteration(200)
                    .check(Locked.class))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("non-blocking");
  }

  /** The same operations on the reference. */
  public static final class Model {
    private final ReferenceSpace space = new ReferenceSpace(256);

    public void write(int key) {
      space.write(Map.of("key", key));
    }

    public boolean take(int key) {
      return space.take(Map.of("key", key)) != null;
    }

    public boolean test(int key) {
      return space.test(Map.of("key", key));
    }

    public int all(int key) {
      return 10 * space.count(Map.of("key", key)) + space.count(Map.of("key", 1 - key));
    }

    public boolean move(int key) {
      boolean found = take(key);
      if (found) {
        write(1 - key);
      }
      return found;
    }

    public boolean enter(int key) {
      boolean isAlone = !test(1 - key);
      if (isAlone) {
        write(key);
      }
      return isAlone;
    }
  }
}
