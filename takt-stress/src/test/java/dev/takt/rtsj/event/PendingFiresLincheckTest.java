package dev.takt.rtsj.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.util.SplittableRandom;
import org.jetbrains.lincheck.datastructures.BooleanGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * The word that says what is due to a handler and who may run it: linearizable against a plain
 * model, and no call waits for another (obstruction freedom).
 */
@Param(name = "discard", gen = BooleanGen.class)
public class PendingFiresLincheckTest {
  private final PendingFiresPort port = new PendingFiresPort();

  @Operation
  public String fire() {
    return port.fire();
  }

  @Operation(nonParallelGroup = "server")
  public String step() {
    return port.step();
  }

  @Operation(nonParallelGroup = "server")
  public String unclaim() {
    return port.unclaim();
  }

  @Operation(params = "discard")
  public String close(boolean discard) {
    return port.close(discard);
  }

  @Operation
  public long getAndDecrement() {
    return port.getAndDecrement();
  }

  @Operation
  public long getAndClear() {
    return port.getAndClear();
  }

  @Test
  void shouldBeLinearizableAndObstructionFree() {
    new ModelCheckingOptions()
        .checkObstructionFreedom(true)
        .sequentialSpecification(PendingFiresModel.class)
        .minimizeFailedScenario(false)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(2)
        .iterations(Seeds.size(30, 400))
        .invocationsPerIteration(Seeds.size(500, 10_000))
        .check(PendingFiresLincheckTest.class);
  }

  @Test
  void shouldBeLinearizableOnRealThreads() {
    new StressOptions()
        .sequentialSpecification(PendingFiresModel.class)
        .minimizeFailedScenario(false)
        .threads(3)
        .actorsPerThread(4)
        .iterations(Seeds.size(10, 200))
        .invocationsPerIteration(Seeds.size(2_000, 20_000))
        .check(PendingFiresLincheckTest.class);
  }

  @Test
  void shouldDoWhatTheModelDoesInRandomHistories() {
    int histories = Seeds.isReplay() ? 1 : Seeds.size(20_000, 2_000_000);
    long first = Seeds.seed();
    for (long seed = first; seed < first + histories; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      PendingFiresPort real = new PendingFiresPort();
      PendingFiresModel model = new PendingFiresModel();
      for (int step = 0; step < 40; step++) {
        int operation = random.nextInt(16);
        boolean discard = random.nextBoolean();
        assertThat(apply(real, operation, discard))
            .as("step %d, operation %d, %s", step, operation, Seeds.replay(seed))
            .isEqualTo(apply(model, operation, discard));
        assertThat(real.look()).as(Seeds.replay(seed)).isEqualTo(model.look());
      }
    }
    System.out.printf("pending fires: %,d histories from %s%n", histories, Seeds.replay(first));
  }

  private static Object apply(PendingFiresPort to, int operation, boolean discard) {
    return switch (operation) {
      case 0, 1, 2, 3, 4 -> to.fire();
      case 5, 6, 7, 8, 9, 10 -> to.step();
      case 11 -> to.unclaim();
      case 12 -> to.getAndClear();
      case 13, 14 -> to.getAndDecrement();
      default -> to.close(discard);
    };
  }

  private static Object apply(PendingFiresModel to, int operation, boolean discard) {
    return switch (operation) {
      case 0, 1, 2, 3, 4 -> to.fire();
      case 5, 6, 7, 8, 9, 10 -> to.step();
      case 11 -> to.unclaim();
      case 12 -> to.getAndClear();
      case 13, 14 -> to.getAndDecrement();
      default -> to.close(discard);
    };
  }
}
