package dev.takt.bench.rtj.inversion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.rtsj.monitor.Monitor;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who comes first where the system grants the priorities; that all come through where not. */
class InversionExperimentTest {
  private static final int WARM_UP_ROUNDS = 3_000;
  private static final int ROUNDS = 10;
  private static final InversionSetup FORCED =
      new InversionSetup(0, 10, 20, 30, 300_000, 2_000_000);
  private static final long PERIOD_NS = 6_000_000;

  static Stream<Exclusion> bounded() {
    return Stream.of(
        Exclusion.of(Monitor.inheritance("inheritance")),
        Exclusion.of(Monitor.ceiling("ceiling", 30)));
  }

  static Stream<Exclusion> unbounded() {
    return Stream.of(Exclusion.synchronizedBlock(), reentrantLock());
  }

  private static InversionResult run(Exclusion exclusion) throws InterruptedException {
    // A cold JVM has locks of its own, for loading and compiling, that know nothing of priorities.
    InversionExperiment.warmUp(FORCED, WARM_UP_ROUNDS, exclusion);
    InversionResult result = InversionExperiment.run(exclusion, FORCED, ROUNDS, PERIOD_NS);
    assertThat(result.grants()).hasSize(3);
    assertThat(result.waitNs()).hasSize(ROUNDS);
    assertThat(Arrays.stream(result.sectionNs())).allMatch(each -> each >= FORCED.sectionNs());
    return result;
  }

  private static Exclusion reentrantLock() {
    ReentrantLock lock = new ReentrantLock();
    return (section, passage) -> {
      passage.askedNs = System.nanoTime();
      lock.lock();
      try {
        passage.insideNs = System.nanoTime();
        section.run();
        passage.leavingNs = System.nanoTime();
      } finally {
        lock.unlock();
      }
    };
  }

  @ParameterizedTest
  @MethodSource("bounded")
  void shouldLetHighThreadInBeforeMediumOneIsDone(Exclusion exclusion) throws Exception {
    InversionResult result = run(exclusion);
    if (result.isGranted()) {
      // Without inheritance it is each of them; once in a while a lock of the JVM's own holds the
      // low thread up, and that one inherits nothing.
      assertThat(result.invertedRounds()).isLessThanOrEqualTo(ROUNDS / 5);
    }
  }

  @ParameterizedTest
  @MethodSource("unbounded")
  void shouldShowInversionWithJavasOwnLocks(Exclusion exclusion) throws Exception {
    InversionResult result = run(exclusion);
    if (result.isGranted()) {
      assertThat(result.invertedRounds()).isEqualTo(ROUNDS);
    }
  }

  @Test
  void shouldRefuseSetupsThatMeanNothing() {
    assertThatThrownBy(() -> new InversionSetup(0, 10, 10, 30, 0, 0))
        .hasMessageContaining("10, 10, 30");
    assertThatThrownBy(() -> new InversionSetup(0, 10, 20, 60, 0, 0)).hasMessageContaining("59");
    assertThatThrownBy(() -> new InversionSetup(0, 10, 20, 30, 0, 20_000_001))
        .hasMessageContaining("20000000");
    assertThatThrownBy(
            () ->
                InversionExperiment.run(
                    Exclusion.synchronizedBlock(), InversionSetup.forced(0), 1, 11_000_000))
        .hasMessageContaining("periodNs=11000000");
  }
}
