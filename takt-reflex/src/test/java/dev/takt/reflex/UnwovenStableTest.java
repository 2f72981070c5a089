package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.reflex.stable.StableLongArray;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import org.junit.jupiter.api.Test;

/** Tasks that are not woven, with the library's collections, which are. */
class UnwovenStableTest {
  static final class Filler extends ReflexTask {
    private static final int LENGTH = 300_000;

    private final StableLongArray values = new StableLongArray(LENGTH);

    @Override
    public void execute() {
      values.fill(7);
      abort();
    }

    long sum() {
      long sum = 0;
      for (int i = 0; i < LENGTH; i++) {
        sum += values.get(i);
      }
      return sum;
    }
  }

  @Test
  void shouldUndoMoreChangesThanLogHasRoomForWhenStableSizeIsNotEnforced() {
    EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(100));
    Filler filler = new Filler();
    TaskControl control;
    try (ReflexRuntime runtime = ReflexRuntime.create(space, RuntimeSettings.DEVELOPMENT)) {
      control = runtime.active("filler", filler, Schedule.periodic(3_600_000_000_000L));
      runtime.start();
      Await.until("the release", () -> control.stats().aborts() + control.stats().failures() == 1);
    }
    assertThat(control.failure()).isNull();
    assertThat(control.stats().aborts()).isEqualTo(1);
    assertThat(filler.sum()).isZero();
  }
}
