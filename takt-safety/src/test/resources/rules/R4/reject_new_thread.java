// A task that starts a thread to do its slow work.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Starter extends ReflexTask {
  private int started;

  @Override
  public void execute() {
    Thread helper = Thread.ofPlatform().unstarted(null); // expect: R4 "Thread"
    started++;
  }
}
