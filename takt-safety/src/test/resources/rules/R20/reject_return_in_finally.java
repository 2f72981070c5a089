// A return in finally throws the abort away; no handler could be woven there.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Quiet extends ReflexTask {
  private int releases;

  @Override
  public void execute() {
    releases += attempt();
  }

  @SuppressWarnings("finally")
  private int attempt() {
    try {
      if (releases > 3) {
        abort();
      }
    } finally {
      return 1; // expect: R20 "finally"
    }
  }
}
