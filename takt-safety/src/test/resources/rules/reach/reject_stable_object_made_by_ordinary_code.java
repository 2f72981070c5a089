// A stable object of a subclass that only ordinary code makes instances of.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Task extends ReflexTask {
  private final Account account;

  Task(Account account) {
    this.account = account;
  }

  @Override
  public void execute() {
    account.add(1);
  }
}

class Account implements Stable {
  private long balance;

  void add(long amount) {
    balance += amount;
  }
}

class LoggedAccount extends Account {
  @Override
  void add(long amount) {
    System.gc(); // expect: R28 "System.gc"
    super.add(amount);
  }
}

class Main {
  Task make() {
    return new Task(new LoggedAccount());
  }
}
