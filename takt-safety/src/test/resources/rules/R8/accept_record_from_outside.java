// An immutable record that ordinary code has made, in a final field of the task and of its objects.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Regulated extends ReflexTask {
  private final Limits limits;
  private Stage stage;

  record Limits(double low, double high) {}

  static final class Stage implements Stable {
    private final Limits limits;
    private double value;

    Stage(Limits limits) {
      this.limits = limits;
    }
  }

  Regulated(Limits limits) {
    this.limits = limits;
  }

  @Override
  public void execute() {
    if (stage == null) {
      stage = new Stage(limits);
    }
    stage.value = Math.clamp(stage.value + 1, stage.limits.low(), limits.high());
  }
}
