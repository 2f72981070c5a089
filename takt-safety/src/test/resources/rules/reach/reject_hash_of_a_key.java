// In a hashCode() that a map of the JDK calls.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;
import java.util.HashMap;

class Task extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    HashMap<Key, String> map = new HashMap<>();
    map.put(new Key(x), "k");
    x = map.size();
  }
}

class Key {
  private final int number;

  Key(int number) {
    this.number = number;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Key key && key.number == number;
  }

  @Override
  public int hashCode() {
    System.gc(); // expect: R28 "System.gc"
    return number;
  }
}
