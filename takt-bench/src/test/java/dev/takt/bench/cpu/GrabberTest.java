package dev.takt.bench.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.bench.rtj.BaselineProgram;
import org.junit.jupiter.api.Test;

class GrabberTest {
  @Test
  void shouldTakeProcessorTimeInCOrInJavaUntilItIsClosed() throws Exception {
    try (BaselineProgram compiled = BaselineProgram.compile()) {
      shouldTakeProcessorTime(compiled);
    }
    shouldTakeProcessorTime(BaselineProgram.none());
  }

  private static void shouldTakeProcessorTime(BaselineProgram program) throws Exception {
    ProcessHandle process;
    try (Grabber grabber = Grabber.start(program)) {
      process = grabber.process();
      double percent = 0;
      while (percent == 0 && process.isAlive()) {
        percent = grabber.takenPercent();
      }
      assertThat(percent).isPositive();
    }
    process.onExit().join();
    assertThat(process.isAlive()).isFalse();
  }

  @Test
  void shouldTakeNothingInARunThatMeasuresNothing() {
    try (Grabber none = Grabber.none()) {
      assertThat(none.takenPercent()).isZero();
    }
  }
}
