package dev.takt.samples.fix;

/** The keys and the types of the events of the gateway. */
final class FixKeys {
  static final String TYPE = "type";
  static final String PEER = "peer";

  // ---- the numbers of a session, one event for each

  static final String STATE = "fix-state";
  static final String IN = "in";
  static final String OUT = "out";
  static final String EPOCH = "epoch";
  static final String KEPT = "kept";
  static final String DROPPED = "dropped";
  static final String COUNT = "count";

  // ---- a message that was sent, for a resend

  static final String SENT = "fix-sent";
  static final String SEQ = "seq";
  static final String KIND = "kind";
  static final String TIME = "time";
  static final String BODY = "body";

  // ---- the ClOrdID of an order that was taken

  static final String KNOWN = "fix-known";
  static final String CLIENT_ID = "client-id";

  // ---- orders: to be filled, waiting for a price, and what was filled

  static final String ORDER = "fix-order";
  static final String RESTING = "fix-resting";
  static final String FILL = "fix-fill";
  static final String ORDER_ID = "order-id";
  static final String SYMBOL = "symbol";
  static final String SIDE = "side";
  static final String QUANTITY = "quantity";

  /** The limit of an order, scaled; 0: it has none. */
  static final String LIMIT = "limit";

  static final String DONE = "done";

  /** The sum of quantity times price of what was filled. */
  static final String VALUE = "value";

  static final String FILLS = "fills";
  static final String LAST_QUANTITY = "last-quantity";
  static final String PRICE = "price";

  // ---- the last traded price of each symbol, and that it has changed

  static final String LAST = "fix-last";
  static final String TRADED = "fix-traded";

  static final long BUY = 1;
  static final long SELL = 2;

  private FixKeys() {}
}
