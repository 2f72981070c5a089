package dev.takt.rtsj.timer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.os.KernelClock;
import dev.takt.realtime.os.OperatingSystem;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/** What a clock tells about itself, on a system that says what a test wants. */
class TimerClockTest {
  private static OperatingSystem system(boolean knowsClock, boolean isNative) {
    return (OperatingSystem)
        Proxy.newProxyInstance(
            TimerClockTest.class.getClassLoader(),
            new Class<?>[] {OperatingSystem.class},
            (_, method, _) ->
                switch (method.getName()) {
                  case "hasClock" -> knowsClock;
                  case "isNative" -> isNative;
                  case "whyNotNative" -> "a test";
                  case "clockNs" -> 42L;
                  case "clockResolutionNs" -> 7L;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  @Test
  void shouldShowTheTimeOfTheSystem() {
    TimerClock clock = TimerClock.of(system(true, true), KernelClock.BOOTTIME);
    assertThat(clock.nowNs()).isEqualTo(42);
    assertThat(clock.reading().getAsLong()).isEqualTo(42);
    assertThat(clock.resolutionNs()).isEqualTo(7);
    assertThat(clock.name()).isEqualTo("boottime");
    assertThat(clock.steady()).isFalse();
    assertThat(clock.shortfall()).isNull();
  }

  @Test
  void shouldTellWhyAClockIsMissing() {
    TimerClock unknown = TimerClock.of(system(false, true), KernelClock.TAI);
    assertThat(unknown.shortfall().reason()).isEqualTo("the kernel does not know it");
    TimerClock absent = TimerClock.of(system(false, false), KernelClock.TAI);
    assertThat(absent.shortfall().reason()).isEqualTo("a test");
  }

  @Test
  void shouldTakeAClockThatOthersWaitByForASteadyOne() {
    TimerClock clock = TimerClock.of(() -> 42);
    assertThat(clock.nowNs()).isEqualTo(42);
    assertThat(clock.resolutionNs()).isEqualTo(1);
    assertThat(clock.steady()).isTrue();
  }
}
