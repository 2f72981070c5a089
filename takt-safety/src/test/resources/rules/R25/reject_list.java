// A list as a value.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import java.util.ArrayList;

class Bulk extends ReflexTask {
  private int sent;

  @Override
  public void execute() {
    ArrayList<Integer> sizes = new ArrayList<>();
    sizes.add(++sent);
    write(new Event("sizes", sizes)); // expect: R25 "java.util.ArrayList"
  }
}
