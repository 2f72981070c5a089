package dev.takt.realtime.stop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class StopSwitchTest {
  /** Its initializer passes a flipped site. */
  private static final class Shape {
    static int corners = count();

    private static int count() {
      StopSwitch.stop();
      return 4;
    }
  }

  /** Passes a flipped site at the end of its stack. */
  private static final class Endless {
    static int depth;

    static void recur() {
      depth++;
      try {
        recur();
      } catch (StackOverflowError e) {
        StopSwitch.stop();
      }
    }
  }

  private static Throwable thrownBy(Runnable body) throws InterruptedException {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    StoppableThread thread =
        new StoppableThread(body, "stopped") {
          @Override
          protected boolean isToStop() {
            return true;
          }
        };
    thread.setUncaughtExceptionHandler((_, failure) -> thrown.set(failure));
    thread.start();
    thread.join();
    return thrown.get();
  }

  /** An abort that crosses an initializer would leave the class unusable for all others. */
  @Test
  void shouldLetAnInitializerEndAndStopAfterIt() throws InterruptedException {
    int[] corners = new int[2];
    Throwable thrown =
        thrownBy(
            () -> {
              corners[0] = Shape.corners;
              StopSwitch.stop();
              corners[1] = Shape.corners;
            });
    assertThat(thrown).isInstanceOf(RunAborted.class);
    assertThat(corners).containsExactly(4, 0);
    assertThat(Shape.corners).as("whole for the others").isEqualTo(4);
  }

  @Test
  void shouldStopWhatHasUsedUpItsStack() throws InterruptedException {
    assertThat(thrownBy(Endless::recur)).isInstanceOf(RunAborted.class);
    assertThat(Endless.depth).isPositive();
  }

  @Test
  void shouldNotStopOtherThreads() {
    StopSwitch.stop();
  }
}
