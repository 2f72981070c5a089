// The generator locks itself when it is made; what it has counted is not undone.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import java.util.Random;

class Jitter extends ReflexTask {
  private long delay;

  @Override
  public void execute() {
    delay += new Random(3).nextInt(7); // expect: R5 "keep a long"
  }
}
