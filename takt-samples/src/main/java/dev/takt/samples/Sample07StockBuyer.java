package dev.takt.samples;

import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Handle;
import java.time.Duration;

/**
 * The task of Reflexes Fig. 2: a buyer that remembers the highest price it has seen and buys at
 * half of it or less.
 *
 * <p>The offers are 80, 100, 60, 50 and 40, and one at 1 that has expired: at that one the buyer
 * ends its release, and goes on with the next. You will see what it bought:
 *
 * <pre>
 * bought at 50.0
 * bought at 40.0
 * </pre>
 */
public final class Sample07StockBuyer {
  private static final int PRIORITY = 10;
  private static final long SECOND_NS = 1_000_000_000;

  private Sample07StockBuyer() {}

  /** Fig. 2. */
  static final class StockBuyer extends ReflexTask {
    private double maxPrice;
    private Handle handle;

    @Override
    public void initialize() {
      handle = subscribe(new Event("sell", null));
    }

    @Override
    public void execute() {
      for (Event offer : handle) {
        if (isExpired(offer.get("expiry"))) {
          return;
        }
        double price = asDouble(offer.get("price"));
        if (price * 2 <= maxPrice) {
          write(new Event("type", "buy").add("price", price));
        } else if (price > maxPrice) {
          maxPrice = price;
        }
      }
    }

    private boolean isExpired(Object expiryNs) {
      return nowNs() - asLong(expiryNs) > 0;
    }
  }

  /** Runs the sample. */
  public static void main(String[] args) {
    EventSpace space = EventSpace.create();
    try (ReflexRuntime runtime = ReflexRuntime.create(space)) {
      runtime.passive("buyer", new StockBuyer(), PRIORITY);
      runtime.start();
      long nowNs = System.nanoTime();
      offer(space, 80, nowNs + 60 * SECOND_NS);
      offer(space, 100, nowNs + 60 * SECOND_NS);
      offer(space, 60, nowNs + 60 * SECOND_NS);
      offer(space, 1, nowNs - SECOND_NS);
      offer(space, 50, nowNs + 60 * SECOND_NS);
      offer(space, 40, nowNs + 60 * SECOND_NS);
      if (!runtime.drain(Duration.ofSeconds(10))) {
        IO.println("not done within 10 s");
      }
    }
    space.takeAll(
        new Event("type", "buy"), 10, buy -> IO.println("bought at " + buy.getDouble("price")));
  }

  private static void offer(EventSpace space, double price, long expiryNs) {
    space.write(new Event("sell", "AAPL").add("price", price).add("expiry", expiryNs));
  }
}
