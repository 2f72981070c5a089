package dev.takt.samples.trading;

import dev.takt.reflex.NotUndone;
import dev.takt.space.Event;
import dev.takt.space.Handle;

/**
 * Takes what only has to be counted: the lines that are neither trade nor quote, and what the buyer
 * has bought.
 */
final class Clerk extends StreamTask {
  @NotUndone private final ReleaseNotes notes;
  private Handle buys;

  Clerk(int kinds, ReleaseNotes notes) {
    super(Keys.NOTE, kinds, notes);
    this.notes = notes;
  }

  @Override
  public void initialize() {
    super.initialize();
    buys = subscribe(new Event(Keys.TYPE, Keys.BUY));
  }

  @Override
  void onEvent(Event note) {
    // it is counted already
  }

  @Override
  void onEnd() {
    Event buy = event();
    for (int i = 0; i < MAX_EVENTS && buys.next(buy); i++) {
      notes.take(buy.getLong(Keys.WRITTEN));
      notes.done();
    }
  }
}
