// Holding a JDK object instead of being one.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import java.util.ArrayList;
import java.util.List;

class Windows extends ReflexTask {
  private int largest;

  static final class Window {
    private final List<String> names = new ArrayList<>();

    void add(String name) {
      names.add(name);
    }

    int size() {
      return names.size();
    }
  }

  @Override
  public void execute() {
    Window window = new Window();
    window.add("rpm");
    largest = Math.max(largest, window.size());
  }
}
