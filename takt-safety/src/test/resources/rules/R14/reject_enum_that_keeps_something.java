// An enum whose constants have a reference that changes: a static in disguise.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Phases extends ReflexTask {
  private long steps;

  record Note(long at) {}

  enum Phase {
    HEAT,
    COOL;

    private Note last;
  }

  @Override
  public void execute() {
    Phase phase = Phase.HEAT; // expect: R14 "HEAT"
    phase.last = new Note(steps++);
  }
}
