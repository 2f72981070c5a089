package dev.takt.samples.trading;

import dev.takt.space.Event;

/**
 * Takes the quotes and keeps the present prices in the space, as the one event of type {@code
 * book}.
 *
 * <p>The seller takes the same event at the same time. Whoever loses is undone and tries again: the
 * seller has the higher priority.
 */
final class QuoteKeeper extends StreamTask {
  private long bid;
  private long ask;
  private boolean changed;

  private final transient Event template = new Event(Keys.TYPE, Keys.BOOK);
  private final transient Event book = new Event();

  QuoteKeeper(int kinds, TaskMeter meter) {
    super(Keys.QUOTE, kinds, meter);
  }

  @Override
  void onEvent(Event quote) {
    long newBid = quote.getLong(Keys.BID);
    long newAsk = quote.getLong(Keys.ASK);
    if (newBid > 0 && newBid != bid) {
      bid = newBid;
      changed = true;
    }
    if (newAsk > 0 && newAsk != ask) {
      ask = newAsk;
      changed = true;
    }
  }

  @Override
  void onEnd() {
    if (changed && take(template, book)) {
      write(book.add(Keys.BID, bid).add(Keys.ASK, ask));
      changed = false;
    }
  }
}
