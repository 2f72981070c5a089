// Even a string may not go into a static: it could be one of the release.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Phase extends ReflexTask {
  static String name;
  private int number;

  @Override
  public void execute() {
    number++;
    show(number % 2 == 0 ? "fill" : "drain");
  }

  private static void show(String phase) {
    name = phase; // expect: R15 "name"
  }
}
