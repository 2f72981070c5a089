package dev.takt.stress.atomic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.FaultLoader;
import dev.takt.testkit.Seeds;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults in the protocol of atomic calls: the random histories find each of them. */
class AtomicMutantTest {
  private static final int MAX_ROUNDS = 100_000;

  /** What is broken. */
  enum Mutant {
    /** A value read from memory is used although a release has begun. */
    READS_NOT_CHECKED("AtomicCall.check", "isStill", true),
    /** A call commits although the task has changed. */
    COMMIT_ALWAYS_SUCCEEDS("AtomicCall.publish", "replace", true),
    /** A release does not take over what calls have committed. */
    LOG_NOT_TAKEN_OVER("AtomicGate.enter", "apply");

    private final String method;
    private final String call;
    private final Boolean answer;
    private final AtomicInteger places = new AtomicInteger();

    Mutant(String method, String call, boolean answer) {
      this.method = method;
      this.call = call;
      this.answer = answer;
    }

    Mutant(String method, String call) {
      this.method = method;
      this.call = call;
      this.answer = null;
    }

    private FaultLoader.Fault fault() {
      return answer == null
          ? FaultLoader.omitting(call, 0, method::equals, places)
          : FaultLoader.answering(call, answer, method::equals, places);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldCatchFaultInProtocol(Mutant mutant) {
    long seed = Seeds.seed();
    FaultLoader loader = AtomicHistories.loader(mutant.fault());
    String violation = AtomicHistories.violation(loader, seed, MAX_ROUNDS);
    System.out.printf("mutant %s: %s%n", mutant, violation);
    assertThat(mutant.places).as("places where %s can be put in", mutant).hasPositiveValue();
    assertThat(violation).as("%s survived, %s", mutant, Seeds.replay(seed)).isNotNull();
  }
}
