// A finally block may loop, may try, and may stand in another try: it throws on what it was left with.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

class Sweep extends ReflexTask {
  private final int[] counts = new int[8];
  private int failures;

  @Override
  public void execute() {
    int found = 0;
    try {
      try {
        write(new Event("batch", found));
      } finally {
        for (int i = 0; i < counts.length; i++) {
          if (counts[i] < 0) {
            break;
          }
          counts[i]++;
        }
      }
      found++;
    } catch (IllegalStateException e) {
      failures++;
    }
    rows:
    for (int i = 0; i < 3; i++) {
      try {
        found += counts[i];
        if (found > 100) {
          continue rows;
        }
      } finally {
        search:
        while (true) {
          for (int each : counts) {
            if (each > found) {
              break search;
            }
          }
          counts[0]++;
        }
        try {
          failures += 10 / found;
        } catch (ArithmeticException e) {
          failures--;
        } finally {
          counts[1]--;
        }
      }
    }
  }
}
