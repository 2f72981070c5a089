// Printing reads a static stream, and cannot be undone either.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Talker extends ReflexTask {
  private int releases;

  @Override
  public void execute() {
    releases++;
    System.out.println(releases); // expect: R14 "System.out"; R28 "println"
  }
}
