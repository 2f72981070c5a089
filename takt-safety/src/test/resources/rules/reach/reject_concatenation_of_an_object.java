// In a toString() that a concatenation calls.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    String text = "name: " + new Name(x);
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
