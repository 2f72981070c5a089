package dev.takt.stress.ready;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.FaultLoader;
import dev.takt.testkit.LeakCheck;
import dev.takt.testkit.Seeds;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What is ready to run is run, by one thread at a time, in every interleaving that is tried; and a
 * fault in its state is noticed.
 */
@ExtendWith(LeakCheck.class)
class ReadyHistoryTest {
  private static final int HISTORIES = Boolean.getBoolean("takt.full") ? 10_000_000 : 100_000;

  /** What is broken. */
  enum Mutant {
    /** It comes to rest although another run was ordered. */
    REST_ALWAYS_SUCCEEDS("ReadyState.finish", "compareAndSet", true),
    /** Two threads may queue it. */
    READY_ALWAYS_SUCCEEDS("ReadyState.makeReady", "compareAndSet", true),
    /** It never says that another thread was quicker. */
    CLAIM_ALWAYS_SUCCEEDS("ReadyState.claimIdle", "compareAndSet", true),
    /** It stays queued while it runs, and a run that is ordered meanwhile is forgotten. */
    CLAIM_IS_FORGOTTEN("ReadyState.claim", "setVolatile", null),
    /** A place of the queue is filled although another thread was quicker. */
    PUSH_ALWAYS_SUCCEEDS("ReadyQueue.push", "compareAndSet", true);

    private final String method;
    private final String call;
    private final Boolean answer;
    private final AtomicInteger places = new AtomicInteger();

    Mutant(String method, String call, Boolean answer) {
      this.method = method;
      this.call = call;
      this.answer = answer;
    }

    private FaultLoader.Fault fault() {
      return answer == null
          ? FaultLoader.omitting(call, 0, method::equals, places)
          : FaultLoader.answering(call, answer, method::equals, places);
    }
  }

  private record Found(long seed, String violation) {}

  /** Runs histories with the seeds from {@code seed} on until one is wrong. */
  private static Found search(long seed, FaultLoader.Fault fault) {
    FaultLoader loader =
        new FaultLoader(
            name ->
                name.startsWith("dev.takt.realtime.Ready")
                    || name.startsWith(ReadyRun.class.getName()),
            true,
            fault);
    ReadyHistories histories = loader.newInstance(ReadyRun.class.getName(), ReadyHistories.class);
    for (int i = 0; i < HISTORIES; i++) {
      String violation = histories.violation(seed + i);
      if (violation != null) {
        return new Found(seed + i, violation);
      }
    }
    return new Found(seed, null);
  }

  @Test
  void shouldRunEverythingThatIsReadyWhateverTheInterleaving() {
    Found found = search(Seeds.seed(), null);
    assertThat(found.violation()).as(Seeds.replay(found.seed())).isNull();
  }

  @ParameterizedTest
  @EnumSource
  void shouldCatchFaultInState(Mutant mutant) {
    Found found = search(Seeds.seed(), mutant.fault());
    assertThat(mutant.places).as("places where %s can be put in", mutant).hasPositiveValue();
    assertThat(found.violation()).as("%s survived", mutant).isNotNull();
  }
}
