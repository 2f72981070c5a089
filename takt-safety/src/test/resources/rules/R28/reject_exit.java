// Ending the JVM cannot be undone.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Emergency extends ReflexTask {
  private double pressure;

  @Override
  public void execute() {
    pressure += 1;
    if (pressure > 1_000) {
      System.exit(3); // expect: R28 "exit"
    }
    pressure *= 0.5;
  }
}
