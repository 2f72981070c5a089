package dev.takt.samples.trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

/**
 * Generates stock offers in a constant flow (section 6.3 and Fig. 10 of the paper): in every period
 * it offers at the present ask price, for {@link #VALID_NS}.
 */
final class StockSeller extends ReflexTask {
  /** How long an offer is valid, in nanoseconds. */
  static final long VALID_NS = 1_000_000_000;

  private long offers;

  private final transient Event template = new Event(Keys.TYPE, Keys.BOOK);
  private final transient Event book = new Event();
  private final transient Event offer = new Event(Keys.TYPE, Keys.SELL);

  @Override
  public void execute() {
    if (!take(template, book)) {
      return;
    }
    write(book);
    long ask = book.getLong(Keys.ASK);
    if (ask > 0) {
      long nowNs = System.nanoTime();
      write(offer.add(Keys.PRICE, ask).add(Keys.EXPIRY, nowNs + VALID_NS).add(Keys.WRITTEN, nowNs));
      offers++;
    }
  }

  /** Returns how many offers it has made; when the runtime has stopped. */
  long offers() {
    return offers;
  }
}
