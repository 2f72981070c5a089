// The text of an exception that ends the release may be made with whatever the JDK has.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;
import java.util.Arrays;

class Task extends ReflexTask {
  private final int[] values = new int[3];
  private int x;

  @Override
  public void execute() {
    x++;
    if (x > 10) {
      StringBuilder text = new StringBuilder("values=");
      text.append(Arrays.toString(values)).append(", x=").append(x);
      throw new IllegalStateException(text.toString());
    }
  }
}
