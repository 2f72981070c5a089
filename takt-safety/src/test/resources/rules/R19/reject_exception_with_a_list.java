// The exception carries a list, two calls below execute().
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import java.util.ArrayList;
import java.util.List;

class Interlocks extends ReflexTask {
  private int open;

  static final class Violated extends RuntimeException {
    private static final long serialVersionUID = 1L;
    final transient List<Integer> doors;

    Violated(List<Integer> doors) {
      this.doors = doors;
    }
  }

  @Override
  public void execute() {
    open++;
    check(open);
  }

  private static void check(int doors) {
    if (doors > 3) {
      throw new Violated(new ArrayList<>()); // expect: R19 "Violated"
    }
  }
}
