package dev.takt.samples.trading;

/** The keys and the types of the events of the application. */
final class Keys {
  static final String TYPE = "type";
  static final String KIND = "kind";
  static final String PRICE = "price";
  static final String QUANTITY = "quantity";
  static final String BID = "bid";
  static final String ASK = "ask";
  static final String EXPIRY = "expiry";
  static final String PASS = "pass";
  static final String TASK = "task";
  static final String COUNT = "count";

  /**
   * When the writer wrote the event, by {@link System#nanoTime}; every event has it that a task
   * reacts to.
   */
  static final String WRITTEN = "written";

  static final String TRADE = "trade";
  static final String QUOTE = "quote";
  static final String NOTE = "note";
  static final String BOOK = "book";
  static final String SELL = "sell";
  static final String BUY = "buy";
  static final String DONE = "done";

  /** The kind of the last event of a pass in each stream of events. */
  static final int END = -1;

  /** The kind of the last event of each stream when a pass is broken off. */
  static final int BREAK = -3;

  /** The kind of a quote that stands for no line of the input, because the line was a trade. */
  static final int DERIVED = -2;

  private Keys() {}
}
