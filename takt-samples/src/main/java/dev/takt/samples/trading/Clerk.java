package dev.takt.samples.trading;

import dev.takt.space.Event;
import dev.takt.space.Handle;

/**
 * Takes what only has to be counted: the lines that are neither trade nor quote, and what the buyer
 * has bought.
 */
final class Clerk extends StreamTask {
  private Handle buys;
  private long bought;

  private final transient TaskMeter meter;
  private final transient Event buy = new Event();

  Clerk(int kinds, TaskMeter meter) {
    super(Keys.NOTE, kinds, meter);
    this.meter = meter;
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
    for (int i = 0; i < MAX_EVENTS && buys.next(buy); i++) {
      meter.add(buy.getLong(Keys.WRITTEN));
      bought++;
    }
  }

  /** Returns how many buys it has taken; when the runtime has stopped. */
  long bought() {
    return bought;
  }
}
