// The generated equals of a record calls that of a component.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    Pair first = new Pair(new Part(x), 1);
    if (first.equals(new Pair(new Part(2), 1))) {
      x++;
    }
  }
}

record Pair(Part part, int count) {}

final class Part {
  private final int number;

  Part(int number) {
    this.number = number;
  }

  @Override
  public boolean equals(Object other) {
    System.gc(); // expect: R28 "System.gc"
    return other instanceof Part part && part.number == number;
  }

  @Override
  public int hashCode() {
    return number;
  }
}
