// A lock of java.util.concurrent.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import java.util.concurrent.locks.ReentrantLock;

class Vault extends ReflexTask {
  private long coins;

  @Override
  public void execute() {
    ReentrantLock lock = new ReentrantLock(); // expect: R5 "ReentrantLock"
    lock.lock(); // expect: R5 "lock"
    coins++;
  }
}
