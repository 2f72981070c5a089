package dev.takt.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakCheck.class)
class VirtualClockTest {
  private final VirtualClock clock = new VirtualClock(100);

  @Test
  void shouldStandStillUntilAdvanced() {
    assertThat(clock.nanoTime()).isEqualTo(100);
    clock.advance(5);
    assertThat(clock.nanoTime()).isEqualTo(105);
    assertThatThrownBy(() -> clock.advance(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("durationNs=-1");
  }

  @Test
  void shouldWakeSleeperWhenItsTimeHasComeAndNotBefore() throws InterruptedException {
    AtomicLong wokenAt = new AtomicLong(-1);
    Thread sleeper =
        Thread.ofPlatform()
            .start(
                () -> {
                  long end = clock.nanoTime() + 1_000_000_000_000L;
                  while (clock.nanoTime() < end) {
                    clock.parkNanos(end - clock.nanoTime());
                  }
                  wokenAt.set(clock.nanoTime());
                });
    clock.awaitSleepers(1);
    clock.advance(999_999_999_999L);
    assertThat(wokenAt).hasValue(-1);
    clock.advance(1);
    sleeper.join();
    assertThat(wokenAt).hasValue(1_000_000_000_100L);
  }

  @Test
  void shouldNotSleepForNothing() {
    clock.parkNanos(0);
    clock.parkNanos(-1);
    assertThat(clock.nanoTime()).isEqualTo(100);
  }
}
