// Ordinary code looks the law up by name and hands the task its number.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Loop extends ReflexTask {
  private final int law;
  private double value;

  Loop(int law) {
    this.law = law;
  }

  @Override
  public void execute() {
    value = law == 0 ? value : value / 2;
  }
}

class Configuration {
  Loop load(String name) throws ReflectiveOperationException {
    return new Loop(Class.forName(name).getDeclaredFields().length);
  }
}
