// A task that is an anonymous class, and captures what is around it.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Plant {
  ReflexTask task(StringBuilder log) {
    return new ReflexTask() { // expect: R21 declared "ReflexTask"
      private int x;

      @Override
      public void execute() {
        x += log.length();
      }
    };
  }
}
