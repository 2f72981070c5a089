// A singleton that the first release would make and keep in a static.
// layer: both
// neighbour: R14 and R15, which rule out initialization by hand
package telemetry;

import dev.takt.reflex.ReflexTask;

class Dashboard extends ReflexTask {
  private int shown;

  @Override
  public void execute() {
    shown = Layout.instance().columns;
  }
}

final class Layout {
  private static Layout instance;
  final int columns = Integer.parseInt("4");

  static Layout instance() {
    Layout made = instance; // expect: R14 "instance"
    if (made == null) {
      made = new Layout();
      instance = made; // expect: R15 "instance"
    }
    return made;
  }
}
