// A call with any number of arguments makes an array; its length is constant, so a pool serves it,
// but the boxes of the numbers are not served.
// layer: both
package telemetry;

import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;

@NoAlloc
class Largest extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    x = largest(x, 1_000 + x, 7); // expect: R27 "java.lang.Integer"
  }

  private static int largest(Integer... values) {
    return values.length;
  }
}
