package dev.takt.bench.programs;

import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

/**
 * The other side of {@link StockBuyer}: for each tick it makes an offer, takes what was bought, and
 * writes the next tick.
 */
@NoAlloc
public final class Exchange extends ReflexTask {
  private static final int EXPIRIES = 16;

  private long state = 42;
  private long bought;

  /** Makes the task. */
  public Exchange() {}

  @Override
  public void initialize() {
    subscribe(new Event("tick", null));
  }

  @Override
  public void execute() {
    if (take(new Event("tick", null)) == null) {
      return;
    }
    if (take(new Event("type", "buy")) != null) {
      bought++;
    }
    state = state * 6364136223846793005L + 1442695040888963407L;
    double price = 100 + (state >>> 40) / (double) (1 << 17);
    write(new Event("sell", "AAPL").add("price", price).add("expiry", state >>> 33 & EXPIRIES - 1));
    write(new Event("tick", 1));
  }
}
