// hole: ordinary code gives the same stable object to the constructors of two tasks; each is woven
// and neither is seen to share. A check of who owns a stable object would need flow analysis of
// ordinary code
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Account implements Stable {
  private long balance;

  void add(long amount) {
    balance += amount;
  }
}

class Payer extends ReflexTask {
  private final Account account;

  Payer(Account account) {
    this.account = account;
  }

  @Override
  public void execute() {
    account.add(-1);
  }
}

class Payee extends ReflexTask {
  private final Account account;

  Payee(Account account) {
    this.account = account;
  }

  @Override
  public void execute() {
    account.add(1);
  }
}

class Setup {
  void run() {
    Account shared = new Account();
    new Payer(shared);
    new Payee(shared);
  }
}
