package dev.takt.samples.trading;

import dev.takt.space.Event;

/**
 * Takes the quotes and keeps the present prices in the space, as the one event of type {@code
 * book}.
 *
 * <p>The seller takes the same event at the same time. The loser is undone and tries again: the
 * seller has the higher priority.
 */
final class QuoteKeeper extends StreamTask {
  private long bid;
  private long ask;
  private boolean changed;

  QuoteKeeper(int kinds, ReleaseNotes notes) {
    super(Keys.QUOTE, kinds, notes);
  }

  @Override
  public void initialize() {
    super.initialize();
    changed = isRecovered() && (bid > 0 || ask > 0); // the book was in the space that is gone
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
    if (changed) {
      Event book = take(new Event(Keys.TYPE, Keys.BOOK));
      if (book != null) {
        write(book.add(Keys.BID, bid).add(Keys.ASK, ask));
        changed = false;
      }
    }
  }
}
