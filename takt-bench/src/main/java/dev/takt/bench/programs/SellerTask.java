package dev.takt.bench.programs;

import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

/**
 * Reflexes 6.3, Fig. 10: generates stock offers in a constant flow, as the seller of the trading
 * sample does: in each release it looks at the book and writes an offer.
 */
@NoAlloc
public final class SellerTask extends ReflexTask {
  private static final long VALID_NS = 1_000_000_000;

  /** Makes the task. */
  public SellerTask() {}

  @Override
  public void execute() {
    Event book = take(new Event("type", "book"));
    if (book == null) {
      return;
    }
    write(book);
    long nowNs = System.nanoTime();
    Event offer = new Event("type", "sell").add("price", book.getLong("ask"));
    write(offer.add("expiry", nowNs + VALID_NS).add("written", nowNs));
  }
}
