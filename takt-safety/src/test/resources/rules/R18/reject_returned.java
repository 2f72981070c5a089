// What was lent is returned as if it were the task's.
// layer: both
package telemetry;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class ClassNames extends ReflexTask {
  private int longest;

  record Name(String text, int rank) {}

  @Atomic
  public Name longer(Name name) {
    longest = Math.max(longest, name.rank());
    return name; // expect: R18 "name"
  }

  @Override
  public void execute() {
    longest--;
  }
}
