// An unbounded variable is fine if no field has its type.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Streams extends ReflexTask {
  private final Count<String> names = new Count<>();

  @Override
  public void execute() {
    names.add("engine");
  }
}

class Count<T> implements Stable {
  private int count;

  void add(T item) {
    if (item != null) {
      count++;
    }
  }
}
