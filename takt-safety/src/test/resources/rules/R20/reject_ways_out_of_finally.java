// Whatever leaves a finally block other than by its end throws the abort away.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Leaky extends ReflexTask {
  private final int[] counts = new int[8];

  @Override
  public void execute() {
    inLoop();
    inTry();
    inHandler();
  }

  @SuppressWarnings("finally")
  private void inLoop() {
    for (int each : counts) {
      try {
        counts[0] += each;
      } finally {
        for (int i = 0; i < 3; i++) counts[i]++; break; // expect: R20 "finally"
      }
    }
  }

  @SuppressWarnings("finally")
  private void inTry() {
    try {
      try {
        counts[0]++;
      } finally {
        if (counts[0] > 3) return; // expect: R20 "finally"
      }
    } catch (IllegalStateException e) {
      counts[1]++;
    }
  }

  @SuppressWarnings("finally")
  private void inHandler() {
    try {
      counts[0]++;
    } finally {
      try { counts[1] /= counts[2]; } catch (ArithmeticException e) { return; } // expect: R20 "finally"
    }
  }
}
