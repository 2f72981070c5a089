// A task that is a Runnable can be run by anybody.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Runner extends ReflexTask implements Runnable {
  private int runs;

  @Override
  public void run() { // expect: R16 declared "run"
    runs++;
  }

  @Override
  public void execute() {
    runs--;
  }
}
