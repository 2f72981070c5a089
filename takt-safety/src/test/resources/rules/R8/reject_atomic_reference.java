// A final holder, but what it holds can change.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import java.util.concurrent.atomic.AtomicReference;

class Holder extends ReflexTask {
  private final AtomicReference<String> latest; // expect: R8 declared "latest" "AtomicReference"
  private int releases;

  Holder(AtomicReference<String> latest) {
    this.latest = latest;
  }

  @Override
  public void execute() {
    releases++;
  }
}
