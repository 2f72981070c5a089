// In a compareTo() that the release calls through a list.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;
import java.util.ArrayList;
import java.util.List;

class Task extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    List<Price> prices = new ArrayList<>();
    prices.add(new Price(3));
    prices.add(new Price(1));
    if (prices.get(0).compareTo(prices.get(1)) > 0) {
      x++;
    }
  }
}

record Price(int cents) implements Comparable<Price> {
  @Override
  public int compareTo(Price other) {
    System.gc(); // expect: R28 "System.gc"
    return Integer.compare(cents, other.cents);
  }
}
