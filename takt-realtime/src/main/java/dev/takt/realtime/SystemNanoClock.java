package dev.takt.realtime;

import dev.takt.realtime.os.Sleeper;

/**
 * The machine's clock: an enum so that there is one instance and calls to it are easily inlined.
 */
enum SystemNanoClock implements NanoClock {
  INSTANCE;

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Sleeper newSleeper() {
    return OperatingSystems.current().newSleeper();
  }
}
