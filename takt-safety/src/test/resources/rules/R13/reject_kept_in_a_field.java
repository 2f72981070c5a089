// Kept in a field of the task.
// layer: both
// neighbour: R8, from which R13 follows
package trading;

import dev.takt.reflex.ReflexTask;

class Memory extends ReflexTask {
  private Deal deal; // expect: R8 declared "deal" "Deal"

  static final class Deal {
    long price;
  }

  @Override
  public void execute() {
    if (deal == null) {
      deal = new Deal();
    }
    deal.price++;
  }
}
