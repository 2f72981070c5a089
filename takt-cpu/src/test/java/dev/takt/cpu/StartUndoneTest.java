package dev.takt.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Sleeper;
import dev.takt.realtime.os.ThreadScheduling;
import org.junit.jupiter.api.Test;

/** A manager that cannot be made leaves the process as it was. */
class StartUndoneTest {
  /** What the threads of a manager need, and do not get. */
  private static final class ThrowingClock implements NanoClock {
    @Override
    public long nanoTime() {
      return NanoClock.system().nanoTime();
    }

    @Override
    public Sleeper newSleeper() {
      throw new IllegalStateException("made up by a test");
    }
  }

  private static ThreadScheduling present() {
    OperatingSystem system = OperatingSystems.current();
    return system.granted(system.threadId()).scheduling();
  }

  @Test
  void shouldLeaveAllProcessorsToAllThreadsWhenItCannotBeMade() {
    ThreadScheduling before = present();

    assertThatThrownBy(
            () ->
                CpuManager.start(
                    ManagerSettings.defaults()
                        .withScheduler(CpuScheduler.fixedPriority())
                        .withClock(new ThrowingClock())))
        .hasMessage("made up by a test");

    assertThat(present()).isEqualTo(before);
  }
}
