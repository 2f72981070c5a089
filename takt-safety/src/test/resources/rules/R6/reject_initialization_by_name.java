// Loading and initializing a class by name inside a release.
// layer: both
// neighbour: R3, which is how a class could be initialized late in spite of the list
package plant;

import dev.takt.reflex.ReflexTask;

class Lazy extends ReflexTask {
  private boolean loaded;

  @Override
  public void execute() {
    if (!loaded) {
      try {
        Class.forName("plant.Tables", true, null); // expect: R3 "forName"
      } catch (ClassNotFoundException e) {
        return;
      }
      loaded = true;
    }
  }
}
