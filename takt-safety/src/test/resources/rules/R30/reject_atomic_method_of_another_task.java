// An atomic method calls one of another task.
// layer: both
package trading;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Debit extends ReflexTask {
  private final Credit credit;
  private long balance;

  Debit(Credit credit) {
    this.credit = credit;
  }

  @Atomic
  public void move(long amount) {
    balance -= amount;
    credit.add(amount); // expect: R30 "add"
  }

  @Override
  public void execute() {
    balance++;
  }
}

class Credit extends ReflexTask {
  private long balance;

  @Atomic
  public void add(long amount) {
    balance += amount;
  }

  @Override
  public void execute() {
    balance--;
  }
}
