// An atomic method runs on an ordinary thread, between releases: there is no transaction for it to
// write with.
// layer: both
package trading;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

class Teller extends ReflexTask {
  private long cash;

  @Atomic
  public void deposit(long amount) {
    cash += amount;
    write(new Event("deposit", amount)); // expect: R30 "write"
  }

  @Override
  public void execute() {
    cash--;
  }
}
