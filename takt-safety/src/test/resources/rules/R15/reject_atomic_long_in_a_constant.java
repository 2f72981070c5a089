// An AtomicLong in a constant is atomic, but its changes are not undone.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import java.util.concurrent.atomic.AtomicLong;

class Ledger extends ReflexTask {
  private static final AtomicLong NUMBERS = new AtomicLong();
  private long number;

  @Override
  public void execute() {
    number = NUMBERS.incrementAndGet(); // expect: R15 "trading.Ledger.NUMBERS"
  }
}
