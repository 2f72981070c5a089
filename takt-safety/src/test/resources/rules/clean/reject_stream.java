// A stream over a list: its machinery can run on other threads.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import java.util.ArrayList;
import java.util.List;

class Totals extends ReflexTask {
  private long total;

  @Override
  public void execute() {
    List<Long> sizes = new ArrayList<>();
    sizes.add(4L);
    total = sizes.stream().mapToLong(Long::longValue).sum(); // expect: R5 "stream"
  }
}
