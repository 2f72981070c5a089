// In a toString() that appending to a builder calls.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    StringBuilder text = new StringBuilder();
    text.append(new Name(x));
    x = text.length();
  }
}

record Name(int number) {
  @Override
  public String toString() {
    System.gc(); // expect: R28 "System.gc"
    return "n";
  }
}
