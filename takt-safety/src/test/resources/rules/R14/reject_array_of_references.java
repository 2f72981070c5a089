// A constant array, but its elements are references that can change.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;

class Board extends ReflexTask {
  static final String[] NAMES = {"bid", "ask"};
  private int length;

  @Override
  public void execute() {
    length += NAMES[length & 1].length(); // expect: R14 "NAMES"
  }
}
