package dev.takt.samples.trading;

import dev.takt.reflex.NotUndone;
import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

/**
 * Generates stock offers in a constant flow (Reflexes 6.3, Fig. 10): in every period it offers at
 * the present ask price, for {@link #VALID_NS}.
 */
final class StockSeller extends ReflexTask {
  /** How long an offer is valid, in nanoseconds. */
  static final long VALID_NS = 1_000_000_000;

  @NotUndone private final ReleaseNotes notes;

  /** Makes a seller that notes how many offers it makes. */
  StockSeller(ReleaseNotes notes) {
    this.notes = notes;
  }

  @Override
  public void execute() {
    notes.begin();
    Event book = take(new Event(Keys.TYPE, Keys.BOOK));
    if (book == null) {
      return;
    }
    write(book);
    long ask = book.getLong(Keys.ASK);
    if (ask > 0) {
      long nowNs = System.nanoTime();
      Event offer = new Event(Keys.TYPE, Keys.SELL);
      write(offer.add(Keys.PRICE, ask).add(Keys.EXPIRY, nowNs + VALID_NS).add(Keys.WRITTEN, nowNs));
      notes.done();
    }
  }
}
